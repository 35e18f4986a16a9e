import { describe, expect, it } from 'vitest';
import { clockText, gapText, resultText, secondsText } from './time';

describe('times', () => {
  it('shows minutes and seconds, and hours only when there are any', () => {
    expect(clockText(161_900)).toBe('02:41');
    expect(clockText(3_723_000)).toBe('1:02:03');
    expect(clockText(-5)).toBe('00:00');
  });

  it('cuts results to tenths', () => {
    expect(resultText(348_999)).toBe('05:48.9');
    expect(gapText(23_550)).toBe('+0:23.5');
    expect(gapText(60_043)).toBe('+1:00.0');
    expect(gapText(754_321)).toBe('+12:34.3');
    expect(secondsText(23_590)).toBe('23.5');
  });

  it('tells gaps below a second by the thousandths that decide', () => {
    expect(gapText(43)).toBe('+0:00.043');
    expect(gapText(999)).toBe('+0:00.999');
    expect(gapText(1000)).toBe('+0:01.0');
    expect(secondsText(43)).toBe('0.043');
  });
});
