import { describe, expect, it } from 'vitest';
import { clockText, gapText, resultText } from './time';

describe('times', () => {
  it('shows minutes and seconds, and hours only when there are any', () => {
    expect(clockText(161_900)).toBe('02:41');
    expect(clockText(3_723_000)).toBe('1:02:03');
    expect(clockText(-5)).toBe('00:00');
  });

  it('cuts results to tenths', () => {
    expect(resultText(348_999)).toBe('05:48.9');
    expect(gapText(23_550)).toBe('+0:23.5');
  });
});
