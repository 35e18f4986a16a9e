import { expect, test } from 'vitest';
import { bestDestination, destinations } from './destinations.ts';
import { legalActions } from './rules.ts';
import type { Table } from './table.ts';
import { GAMES } from './vectors.ts';

const TABLE: Table = {
  tops: { a: '8S', b: '9S', c: '7S', d: '9S', e: 'KH' },
  heights: { a: 6, b: 3, c: 4, d: 9, e: 13, f: 0 },
  up: { S: '7S', H: 'AH', D: '5D', C: 'AC' },
  down: { S: '9S', H: 'KH', D: '6D', C: 'KC' },
  redeals_left: 0,
  moves: 0,
  home: 40,
  undo: 0,
};

test('a card is shown every place that takes it', () => {
  expect(destinations(TABLE, 'a')).toEqual(['S+', 'S-', 'b', 'c', 'd']);
  expect(destinations(TABLE, 'e')).toEqual([]);
  expect(destinations(TABLE, 'f')).toEqual([]);
  expect(destinations(TABLE, 'D+')).toEqual(['D-']);
  expect(destinations(TABLE, 'D-')).toEqual(['D+']);
  expect(destinations(TABLE, 'H+')).toEqual([]);
  for (const nothing of ['', 'X+', 'D*', '**', 'ab']) expect(destinations(TABLE, nothing)).toEqual([]);
});

test('a double tap goes to a foundation first, the up one before the down one', () => {
  expect(bestDestination(TABLE, 'a')).toBe('S+');
  expect(bestDestination({ ...TABLE, up: { ...TABLE.up, S: '2S' } }, 'a')).toBe('S-');
});

test('a double tap goes to the tallest pile where no foundation takes the card', () => {
  const table = { ...TABLE, up: { ...TABLE.up, S: '2S' }, down: { ...TABLE.down, S: 'KS' } };
  expect(bestDestination(table, 'a')).toBe('d');
  expect(bestDestination(table, 'e')).toBeNull();
});

test('destinations are what is legal, in every table of every game', () => {
  for (const [, { steps }] of GAMES) {
    for (const { table } of steps) {
      if (!table) continue;
      const places = [...'abcdefghijklmnop', ...[...'SHDC'].flatMap((suit) => [`${suit}+`, `${suit}-`])];
      const found = places.flatMap((source) =>
        destinations(table, source).map((place) =>
          source.length === 1 ? source + place.charAt(place.length - 1) : place,
        ),
      );
      const legal = legalActions(table).map(({ code }) => code);
      expect(found.sort()).toEqual(legal.filter((code) => code !== '**').sort());
    }
  }
});
