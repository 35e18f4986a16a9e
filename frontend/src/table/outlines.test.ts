import { expect, test } from 'vitest';
import { moved, outline } from './outlines';

test('absolute points are scaled and moved, relative ones only scaled', () => {
  expect(moved('M10 20h4v-2L0 8 6 6Z', 0.5, 3, 1)).toBe('M8 11h2v-1L3 5L6 4Z');
  expect(moved('M0 0H10V20', 2, 1, 5)).toBe('M1 5H21V45');
});

test('an arc keeps its angle and its flags', () => {
  expect(moved('M1 2a3 4 45 1 0 6 7', 2, 10, 20)).toBe('M12 24a6 8 45 1 0 12 14');
  expect(moved('M1 2A3 4 45 1 0 6 7', 2, 10, 20)).toBe('M12 24A6 8 45 1 0 22 34');
});

test('numbers may follow each other without a space, and a command counts for all that follow it', () => {
  expect(moved('M5 5c1-1 2-.5 3-1 1 1 2 2 3 3', 1, 0, 0)).toBe('M5 5c1 -1 2 -0.5 3 -1c1 1 2 2 3 3');
});

test('every symbol of the sprite is one path', () => {
  const ids = [...'SHDC'].map((suit) => `pip-${suit}`);
  ids.push(
    ...[...'A23456789TJQK'].map((rank) => `rank-${rank}`),
    ...[...'AKQJ'].map((rank) => `rank-uk-${rank}`),
  );
  ids.push('court-K', 'court-K-dots', 'court-Q', 'court-Q-eye', 'court-J');
  for (const id of ids) expect(outline(id, 1, 0, 0), id).toMatch(/^M/);
  expect(outline('pip-X', 1, 0, 0)).toBe('');
});
