/** Where a card can go: for lighting up targets, for a tap and for a double tap. */
import { isPile, isSuit, PILES, suitOf, type Pile, type Suit } from './cards.ts';
import { refusal } from './rules.ts';
import { topOf, type Table } from './table.ts';

/** A pile's letter, or a foundation: its suit and `+` (up) or `-` (down). */
export type Place = Pile | `${Suit}+` | `${Suit}-`;

/** The places that take the top card of `source`: foundations first, the up one before the down one. */
export function destinations(table: Table, source: string): readonly Place[] {
  if (isPile(source)) {
    const suit = suitOf(topOf(table, source) ?? '');
    if (!isSuit(suit)) return [];
    return [
      ...(['+', '-'] as const)
        .filter((way) => refusal(table, source + way) === null)
        .map((way): Place => `${suit}${way}`),
      ...PILES.filter((target) => refusal(table, source + target) === null),
    ];
  }
  const suit = source.charAt(0);
  if (!isSuit(suit) || (source !== `${suit}+` && source !== `${suit}-`)) return [];
  const other: Place = source.endsWith('+') ? `${suit}-` : `${suit}+`;
  return refusal(table, other) === null ? [other] : [];
}

/**
 * Where a double tap sends the top card of `source`: to a foundation if one takes it, else to the tallest
 * pile that does, which leaves the short ones free to be emptied; null where nothing takes it.
 */
export function bestDestination(table: Table, source: string): Place | null {
  const [first, ...others] = destinations(table, source);
  if (first === undefined || !isPile(first)) return first ?? null;
  return others.reduce((best, place) => (height(table, place) > height(table, best) ? place : best), first);
}

function height(table: Table, place: Place): number {
  return table.heights[place] ?? 0;
}
