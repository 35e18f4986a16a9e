/** The sixteen piles and eight foundations: what they are called, what lies on them, how a card gets there. */
import type { WireTable } from '../net/protocol.gen';

export const PILES = [...'abcdefghijklmnop'] as readonly string[];
export const SUITS = [...'SHDC'] as readonly string[];
export const RANKS = 'A23456789TJQK';

/** A pile's letter `a`–`p`, or a foundation: its suit and `+` (up) or `-` (down). */
export type PlaceId = string;

export const FOUNDATIONS: readonly PlaceId[] = ['+', '-'].flatMap((way) => SUITS.map((suit) => suit + way));

export const PLACES: readonly PlaceId[] = [...PILES, ...FOUNDATIONS];

export function isPile(place: PlaceId): boolean {
  return place.length === 1;
}

/** The number a player reads under a pile: 1–16. */
export function pileNumber(pile: PlaceId): number {
  return pile.charCodeAt(0) - 96;
}

/** The top card of a place, or null where it is empty or not known yet. */
export function topOf(table: WireTable, place: PlaceId): string | null {
  if (isPile(place)) return table.tops[place] ?? null;
  return (place.endsWith('+') ? table.up : table.down)[place.charAt(0)] ?? null;
}

/** How many cards lie on a place. */
export function countOf(table: WireTable, place: PlaceId): number {
  if (isPile(place)) return table.heights[place] ?? 0;
  const rank = RANKS.indexOf(topOf(table, place)?.charAt(0) ?? '');
  if (rank < 0) return 0;
  return place.endsWith('+') ? rank + 1 : 13 - rank;
}

/** The card under the top of a place where that is certain, on a foundation; null for a pile's back. */
export function belowOf(table: WireTable, place: PlaceId): string | null {
  if (isPile(place)) return null;
  const rank = RANKS.indexOf(topOf(table, place)?.charAt(0) ?? '') + (place.endsWith('+') ? -1 : 1);
  return rank >= 0 && rank < 13 ? RANKS.charAt(rank) + place.charAt(0) : null;
}

/** The action that takes the top of `source` to `target`; null where the notation has none. */
export function codeFor(source: PlaceId, target: PlaceId): string | null {
  if (isPile(source)) return source + (isPile(target) ? target : target.charAt(1));
  return !isPile(target) && source.charAt(0) === target.charAt(0) ? target : null;
}

/** The places an action leads from and to; null for a redeal or an undo. `table` tells the suit. */
export function pathOf(table: WireTable, code: string): { from: PlaceId; to: PlaceId } | null {
  const [first = '', second = ''] = [code.charAt(0), code.charAt(1)];
  if (code === '**' || code === '<<') return null;
  if (SUITS.includes(first)) return { from: first + (second === '+' ? '-' : '+'), to: code };
  if (second === '+' || second === '-') {
    const suit = topOf(table, first)?.charAt(1);
    return suit ? { from: first, to: suit + second } : null;
  }
  return { from: first, to: second };
}

/**
 * The one card that went from one place to another between two tables, whoever moved it: own moves, an
 * undo and a rival's move are all drawn by this. Null when not exactly one card changed places.
 */
export function movedCard(before: WireTable, after: WireTable): { from: PlaceId; to: PlaceId } | null {
  let from: PlaceId | null = null;
  let to: PlaceId | null = null;
  for (const place of PLACES) {
    const change = countOf(after, place) - countOf(before, place);
    if (change === 0) continue;
    if (change === 1 && !to) to = place;
    else if (change === -1 && !from) from = place;
    else return null;
  }
  return from && to ? { from, to } : null;
}

/** The piles whose top was a back and is now known. */
export function uncovered(before: WireTable, after: WireTable): PlaceId[] {
  return PILES.filter((place) => topOf(after, place) && countOf(before, place) && !topOf(before, place));
}
