import { describe, expect, test } from 'vitest';
import { RANKS, SUITS } from './cards.ts';
import { advance, facesOf, rivalTable, START, uncovered, type Faces, type RivalTable } from './rival.ts';
import type { Table } from './table.ts';
import { GAMES, type Game } from './vectors.ts';

const DEALT = GAMES.flatMap(([name, game]) => (game.layout ? [[name, { ...game, layout: game.layout }] as const] : []));

function accepted(game: Game): { code: string; table: Table; shown: Record<string, string> }[] {
  return game.steps.flatMap(({ code, table, shown }) => (table ? [{ code, table, shown: { ...shown } }] : []));
}

function plain({ slots: _slots, unplaced: _unplaced, ...table }: RivalTable): Table {
  return table;
}

const home = (table: Table): number =>
  SUITS.reduce((sum, suit) => sum + count(table.up[suit]) + 14 - count(table.down[suit]), 0);
const count = (card = '?'): number => (RANKS as readonly string[]).indexOf(card.charAt(0)) + 1;

describe.each(DEALT)('the game %s, followed by its codes', (_name, game) => {
  const faces = facesOf(game.layout);

  test('with all faces gives the exact tables', () => {
    let rival = START;
    expect(plain(rivalTable(rival, faces, game.redeals))).toEqual(game.start);
    for (const { code, table } of accepted(game)) {
      rival = advance(rival, code);
      const seen = rivalTable(rival, faces, game.redeals);
      expect(plain(seen)).toEqual(table);
      expect(seen.unplaced).toBe(0);
    }
  });

  test('all at once is the same as one by one', () => {
    const codes = accepted(game).map(({ code }) => code);
    expect(advance(START, codes.join(''))).toEqual(codes.reduce(advance, START));
  });

  test('tells the slots that a player uncovers, and so their own table', () => {
    let rival = START;
    let seen: Faces = uncovered(rival, game.start.tops);
    for (const { code, table, shown } of accepted(game)) {
      rival = advance(rival, code);
      seen = { ...seen, ...uncovered(rival, shown) };
      expect(plain(rivalTable(rival, seen, game.redeals))).toEqual(table);
    }
    expect(Object.keys(seen).map(Number)).toEqual(game.seen);
    for (const [slot, card] of Object.entries(seen)) expect(card).toBe(faces[slot]);
  });

  test.each([0, 0.2, 0.5, 0.9])('with a share of %d of the faces tells nothing wrong', (share) => {
    const known = Object.fromEntries(Object.entries(faces).filter(([slot]) => chance(Number(slot)) < share));
    let rival = START;
    for (const { code, table } of accepted(game)) {
      rival = advance(rival, code);
      const seen = rivalTable(rival, known, game.redeals);
      expect(seen.heights).toEqual(table.heights);
      expect([seen.home, seen.moves, seen.redeals_left, seen.undo]).toEqual([
        table.home,
        table.moves,
        table.redeals_left,
        table.undo,
      ]);
      for (const [pile, card] of Object.entries(seen.tops)) expect(card).toBe(table.tops[pile]);
      for (const [pile, slot] of Object.entries(seen.slots)) expect(faces[slot]).toBe(table.tops[pile]);
      for (const suit of SUITS) {
        expect(count(seen.up[suit])).toBeLessThanOrEqual(count(table.up[suit]));
        expect(count(seen.down[suit])).toBeGreaterThanOrEqual(count(table.down[suit]));
      }
      expect(seen.unplaced).toBe(table.home - home(seen));
      expect(seen.unplaced).toBeGreaterThanOrEqual(0);
    }
  });
});

test('no face is told that the reader does not know', () => {
  const [, game] = DEALT[0] ?? [];
  if (!game) throw new Error('there is no vector');
  const rival = advance(
    START,
    accepted(game)
      .map(({ code }) => code)
      .join(''),
  );
  const table = rivalTable(rival, {}, 3);
  expect(table.tops).toEqual({});
  expect(table.unplaced).toBe(table.home - 8);
});

test('codes that cannot follow are reported', () => {
  for (const codes of ['??', '<<', 'abb', 'ab'.repeat(7), 'a+**<<']) {
    expect(() => advance(START, codes)).toThrow(RangeError);
  }
});

test('following a game leaves the one before as it was', () => {
  const before = structuredClone(START);
  advance(START, 'aba+**bc<<');
  expect(START).toEqual(before);
});

test('ten thousand actions are followed in a moment', () => {
  const rival = advance(START, 'ab<<'.repeat(5000));
  expect(rival).toEqual(START);
});

/** A number from 0 to 1 for each slot, always the same. */
function chance(slot: number): number {
  return ((slot * 7919 + 13) % 101) / 101;
}
