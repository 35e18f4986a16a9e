/** A replay is stepped forward, backward and by jumps, and shows what the Python engine saw there. */
import { describe, expect, test } from 'vitest';
import type { RivalTable } from '../engine/rival';
import type { Table } from '../engine/table';
import { GAMES } from '../engine/vectors';
import { Track } from './track';

const DEALT = GAMES.flatMap(([name, game]) =>
  game.layout ? [[name, { ...game, layout: game.layout }] as const] : [],
);

function plain({ slots: _slots, unplaced: _unplaced, ...table }: RivalTable): Table {
  return table;
}

describe.each(DEALT)('the replay of %s', (_name, game) => {
  const played = game.steps.flatMap(({ code, table }) => (table ? [{ code, table }] : []));
  const tables = [game.start, ...played.map(({ table }) => table)];
  const actions = played.map(({ code }, index): [string, number] => [code, 700 * (index + 1)]);
  const deal = game.redeals === 4 ? 'CR1-F-AAAAAAB' : 'CR1-N-AAAAAAB';
  const track = new Track(
    { game: 1, deal, layout: game.layout, actions, uncovered: [], outcome: null },
    'Anh',
    false,
  );

  const shown = (step: number): Table => plain(track.tableAfter(step));

  test('shows the table after every action, forward and backward', () => {
    const steps = tables.map((_, step) => step);
    for (const step of [...steps, ...steps.toReversed()]) expect(shown(step)).toEqual(tables[step]);
  });

  test('shows the same wherever one jumps', () => {
    for (let jump = 0; jump < 200; jump += 1) {
      const step = (jump * 7919) % tables.length;
      expect(shown(track.stepAt(700 * step + 699))).toEqual(tables[step]);
      expect(track.homeAfter(step)).toBe(tables[step]?.home);
    }
  });
});
