import { describe, expect, it } from 'vitest';
import { pause } from './socket';

describe('pause', () => {
  it('grows from attempt to attempt and stops growing at 15 seconds', () => {
    expect([0, 1, 2, 3].map((attempt) => pause(attempt, 1))).toEqual([400, 800, 1600, 3200]);
    expect(pause(50, 1)).toBe(15_000);
  });

  it('spreads clients over the second half of the pause', () => {
    expect(pause(3, 0)).toBe(1600);
    expect(pause(3, 0.5)).toBe(2400);
  });
});
