import { describe, expect, test } from 'vitest';
import { ACTIONS, parseAction } from './actions.ts';
import { PILES } from './cards.ts';
import { REASONS } from './reasons.ts';
import { isBlocked, isWon, legalActions, refusal, sourceRefusal } from './rules.ts';
import { apply, isPending, type Table } from './table.ts';
import { GAMES } from './vectors.ts';

const codes = (table: Table): string =>
  legalActions(table)
    .map(({ code }) => code)
    .join('');

function game(name: string): (typeof GAMES)[number][1] {
  const found = GAMES.find(([each]) => each === name);
  if (!found) throw new Error(`there is no vector ${name}`);
  return found[1];
}

test('the vectors are there', () => {
  expect(GAMES.length).toBeGreaterThan(10);
});

describe.each(GAMES)('the game %s is judged as the server judges it', (_name, { steps, ...game }) => {
  test('step by step', () => {
    let table = game.start;
    expect(codes(table)).toBe(game.legal);
    for (const [index, step] of steps.entries()) {
      const about = `step ${index + 1}, ${step.code}`;
      expect(refusal(table, step.code), about).toBe(step.refusal ?? null);
      if (!step.table) continue;
      if (step.code !== '<<') expect(apply(table, step.code, step.shown ?? {}), about).toEqual(step.table);
      table = step.table;
      expect(codes(table), about).toBe(step.legal);
    }
    expect(isWon(table)).toBe(game.won);
    expect(isBlocked(table)).toBe(game.blocked);
  });

  test('what is drawn before the answer differs in pending tops alone', () => {
    let table = game.start;
    for (const step of steps) {
      if (!step.table) continue;
      if (step.code !== '<<') {
        const drawn = apply(table, step.code, {});
        const shown = step.shown ?? {};
        expect({ ...drawn, tops: { ...drawn.tops, ...shown } }).toEqual(step.table);
        const pending = PILES.filter((pile) => isPending(drawn, pile));
        expect(pending).toEqual(Object.keys(shown).sort());
        for (const { code } of legalActions(drawn)) {
          expect(step.legal).toContain(code);
          expect(pending).not.toContain(code.charAt(0));
          expect(pending).not.toContain(code.charAt(1));
        }
      }
      table = step.table;
    }
  });
});

test('applying an action leaves the table before it as it was', () => {
  const { start, steps } = game('deal');
  const before = structuredClone(start);
  const frozen = freeze(start);
  for (const step of steps.slice(0, 1)) apply(frozen, step.code, step.shown ?? {});
  apply(frozen, '**', {});
  expect(frozen).toEqual(before);
});

test('a pending pile is neither source nor target', () => {
  const { start } = game('deal');
  const { b: _unknown, ...tops } = start.tops;
  const table = { ...start, tops };
  expect(refusal(table, 'b+')).toBe('pending');
  expect(refusal(table, 'bp')).toBe('pending');
  expect(refusal(table, 'pb')).toBe('pending');
  expect(refusal(table, 'bb')).toBe('same_place');
  expect(codes(table)).toBe('injkkjl+ni**');
  expect(() => apply(table, 'b+', {})).toThrow(RangeError);
});

test('while a top is pending a game is not called blocked', () => {
  const { steps } = game('blocked');
  const table = steps.findLast((step) => step.table)?.table;
  if (!table) throw new Error('the vector has no table');
  expect(isBlocked(table)).toBe(true);
  const [pile = ''] = Object.keys(table.tops);
  const { [pile]: _unknown, ...tops } = table.tops;
  expect(isBlocked({ ...table, tops })).toBe(false);
});

test('a race without undo refuses it, a finished game first of all', () => {
  const { start, steps } = game('won');
  expect(refusal(start, '<<', { undo: false })).toBe('no_undo');
  expect(refusal(start, '<<')).toBe('nothing_to_undo');
  const table = steps.findLast((step) => step.table)?.table;
  expect(table && refusal(table, '<<', { undo: false })).toBe('game_over');
});

test('an undo is not applied: its answer carries the table', () => {
  expect(() => apply(game('won').start, '<<', {})).toThrow(RangeError);
});

test('every code is read and nothing else is', () => {
  expect(ACTIONS.size).toBe(16 * 16 + 16 * 2 + 4 * 2 + 2);
  for (const [code, action] of ACTIONS) expect(parseAction(code)).toBe(action);
  for (const text of ['', 'a', 'abc', 'AB', 'aq', 's+', 'S*', '*', '__proto__', 'a＋']) {
    expect(parseAction(text)).toBeNull();
    expect(refusal(game('won').start, text)).toBe('not_an_action');
  }
});

test('reasons stand in the order of the rules', () => {
  expect(REASONS.indexOf('game_over')).toBeLessThan(REASONS.indexOf('no_undo'));
  expect(REASONS.indexOf('pile_full')).toBeLessThan(REASONS.indexOf('wrong_suit'));
  expect(new Set(REASONS).size).toBe(12);
});

function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}

test('a source says why it has nothing to take', () => {
  const { start } = game('deal');
  const table = { ...start, heights: { ...start.heights, a: 0, b: 3 }, tops: { ...start.tops } };
  delete table.tops['a'];
  delete table.tops['b'];
  expect([sourceRefusal(table, 'a'), sourceRefusal(table, 'b'), sourceRefusal(table, 'c')]).toEqual([
    'empty_source',
    'pending',
    null,
  ]);
  expect([sourceRefusal(table, 'S+'), sourceRefusal(table, 'S-')]).toEqual(['base_locked', 'base_locked']);
});
