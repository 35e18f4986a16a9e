import { describe, expect, it } from 'vitest';
import { countUpTo, KEPT_MS, onward } from './pace';

const MOMENTS = [500, 1_000, 61_000, 62_000];

describe('onward', () => {
  it('keeps the real gaps unless they are to be cut', () => {
    expect(onward(1_000, 30_000, MOMENTS, false)).toBe(31_000);
  });

  it('passes over what a long pause has beyond what is kept of it', () => {
    expect(onward(1_000, KEPT_MS - 1, MOMENTS, true)).toBe(1_000 + KEPT_MS - 1);
    expect(onward(1_000, KEPT_MS, MOMENTS, true)).toBe(61_000);
    expect(onward(1_000, KEPT_MS + 400, MOMENTS, true)).toBe(61_400);
  });

  it('goes on at once from the middle of a long pause', () => {
    expect(onward(30_000, 100, MOMENTS, true)).toBe(61_100);
  });

  it('leaves short gaps as they are, and what follows the last action', () => {
    expect(onward(0, 900, MOMENTS, true)).toBe(900);
    expect(onward(62_000, 9_000, MOMENTS, true)).toBe(71_000);
  });

  it('comes to the same place in small steps and in a large one', () => {
    let at = 0;
    for (let step = 0; step < 430; step += 1) at = onward(at, 10, MOMENTS, true);
    expect(at).toBeCloseTo(onward(0, 4_300, MOMENTS, true));
  });
});

it('counts moments up to a time, that time included', () => {
  expect([0, 500, 999, 61_000, 99_000].map((at) => countUpTo(MOMENTS, at))).toEqual([0, 1, 1, 3, 4]);
});
