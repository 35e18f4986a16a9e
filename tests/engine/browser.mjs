/**
 * Plays games in the browser's engine for test_differential.py: one game a line in, one line out.
 *
 * In: {start, redeals, layout?, steps: [[code, shown, table or null], …]}, where a table means that this
 * step is answered with it. Out: an array of texts, one for each step, that the Python side makes as well.
 */
import { createInterface } from 'node:readline';
import { PILES, SUITS } from '../../frontend/src/engine/cards.ts';
import { bestDestination, destinations } from '../../frontend/src/engine/destinations.ts';
import { advance, facesOf, rivalTable, START } from '../../frontend/src/engine/rival.ts';
import { isBlocked, isWon, legalActions, refusal } from '../../frontend/src/engine/rules.ts';
import { apply } from '../../frontend/src/engine/table.ts';

function tableText(table) {
  return [
    PILES.map((pile) => (table.tops[pile] ?? '--') + table.heights[pile]).join(' '),
    SUITS.map((suit) => table.up[suit] + table.down[suit]).join(' '),
    [table.redeals_left, table.moves, table.home, table.undo].join(' '),
  ].join('|');
}

function play({ start, redeals, layout, steps }) {
  let table = start;
  let rival = START;
  const faces = layout && facesOf(layout);
  return steps.map(([code, shown, answer]) => {
    const reason = refusal(table, code);
    if (reason !== null) return `${code} ${reason}`;
    table = answer ?? apply(table, code, shown);
    const legal = legalActions(table).map((action) => action.code);
    const best = bestDestination(table, 'a');
    if (best !== null && !destinations(table, 'a').includes(best)) throw new Error('the best is no destination');
    let slots = '';
    if (layout) {
      rival = advance(rival, code);
      const followed = rivalTable(rival, faces, redeals);
      if (tableText(followed) !== tableText(table)) throw new Error(`followed, it is ${tableText(followed)}`);
      slots = PILES.map((pile) => followed.slots[pile] ?? '-').join(' ');
    }
    const end = (isWon(table) ? 'won' : '') + (isBlocked(table) ? 'blocked' : '');
    return [code, tableText(table), legal.join(''), end, slots].join('|');
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  let texts;
  try {
    texts = play(JSON.parse(line));
  } catch (error) {
    texts = [String(error)];
  }
  process.stdout.write(`${JSON.stringify(texts)}\n`);
}
