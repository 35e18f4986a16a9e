import { describe, expect, it } from 'vitest';
import { gameOf } from './ghosts';

describe('a ghost by link', () => {
  it('is a number, or an address of a game in any form', () => {
    const typed = [
      '17',
      ' #17 ',
      'https://crescent.example/games/17/',
      '/games/17',
      'x.example/games/17?a=1',
    ];
    expect(typed.map(gameOf)).toEqual([17, 17, 17, 17, 17]);
  });

  it('is nothing else', () => {
    expect(['', 'abc', '/races/ABC/', '/games/17x/', '-3', '9'.repeat(30)].map(gameOf)).toEqual(
      Array(6).fill(null),
    );
  });
});
