import { beforeEach, expect, test, vi } from 'vitest';
import type { WireTable } from '../net/protocol.gen';
import { Air } from './air.svelte';
import type { Geometry } from './geometry';

const geometry = {
  card: (place: string, height: number) => ({ x: place.charCodeAt(0), y: -height, width: 50, height: 70 }),
} as Geometry;

/** Two piles, a and b, and nothing else that these tests ask for. */
function table(a: [string | null, number], b: [string | null, number]): WireTable {
  return {
    tops: { ...(a[0] && { a: a[0] }), ...(b[0] && { b: b[0] }) },
    heights: { a: a[1], b: b[1] },
    up: {},
    down: {},
    redeals_left: 3,
    moves: 0,
    home: 8,
    undo: 0,
  };
}
const before = table(['7S', 6], ['8S', 6]);
const after = table([null, 5], ['7S', 7]);

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  // A page that is not seen draws everything at once.
  vi.stubGlobal('document', { hidden: true });
});

test('while a card slides its goal shows what lies there, and the new card once it has landed', () => {
  const air = new Air(
    () => geometry,
    () => true,
  );
  air.fly('a', 'b', before, after);
  expect(air.cards.map(({ code, to }) => [code, to])).toEqual([['7S', 'b']]);
  expect(air.shown(after, 'b')).toEqual({ top: '8S', height: 6 });
  expect(air.shown(after, 'a')).toEqual({ top: null, height: 5 });
  air.land('b');
  expect(air.cards).toEqual([]);
  expect(air.shown(after, 'b')).toEqual({ top: '7S', height: 7 });
});

test('a held card leaves a back behind, and comes back when it is let go', () => {
  const air = new Air(
    () => geometry,
    () => true,
  );
  air.lift('a', '7S', { top: null, height: 5 });
  air.drag(10, -20);
  expect(air.shown(before, 'a')).toEqual({ top: null, height: 5 });
  expect(air.held?.at).toEqual({ x: 107, y: -26 });
  air.settle();
  expect(air.held).toBeNull();
  air.land('a');
  expect(air.shown(before, 'a')).toEqual({ top: '7S', height: 6 });
});

test('a card dropped on its goal flies on from the hand, and one card is in the air', () => {
  const air = new Air(
    () => geometry,
    () => true,
  );
  air.lift('a', '7S', { top: null, height: 5 });
  air.drag(1, 1);
  air.fly('a', 'b', before, after);
  expect(air.cards.map(({ code, held }) => [code, held])).toEqual([['7S', false]]);
  expect(air.shown(after, 'a')).toEqual({ top: null, height: 5 });
});

test('an uncovered card turns over above its back', () => {
  const air = new Air(
    () => geometry,
    () => true,
  );
  const answered = table(['3H', 5], ['7S', 7]);
  air.turn(after, answered, ['a']);
  expect(air.cards.map(({ code }) => code)).toEqual(['3H']);
  expect(air.shown(answered, 'a')).toEqual({ top: null, height: 5 });
  air.clear();
  expect(air.shown(answered, 'a')).toEqual({ top: '3H', height: 5 });
});
