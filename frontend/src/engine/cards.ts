/** Cards, piles and what follows what: the vocabulary of the game, as in games/engine/cards.py. */

/** A card is its two-character notation, rank then suit: `TS` is the ten of spades. */
export type Card = string;

export const SUITS = ['S', 'H', 'D', 'C'] as const;
export type Suit = (typeof SUITS)[number];

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const;
export type Rank = (typeof RANKS)[number];

export const PILES = [
  ...(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const),
  ...(['i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'] as const),
] as const;
export type Pile = (typeof PILES)[number];

/** The most cards a pile holds. */
export const PILE_LIMIT = 13;
export const CARD_COUNT = 104;
export const SLOT_COUNT = 96;

export function isPile(text: string): text is Pile {
  return text.length === 1 && text >= 'a' && text <= 'p';
}

export function isSuit(text: string): text is Suit {
  return (SUITS as readonly string[]).includes(text);
}

export function suitOf(card: Card): string {
  return card.charAt(1);
}

/** 0 for an ace to 12 for a king; -1 for what is no card. */
export function rankOf(card: Card): number {
  return (RANKS as readonly string[]).indexOf(card.charAt(0));
}

/** The card of a rank 0–12 and a suit. */
export function cardOf(rank: number, suit: string): Card {
  return `${RANKS[rank] ?? '?'}${suit}`;
}

/** The card that an up foundation takes on this one; none on a king. */
export function nextUp(card: Card): Card | null {
  const rank = rankOf(card);
  return rank < 12 ? cardOf(rank + 1, suitOf(card)) : null;
}

/** The card that a down foundation takes on this one; none on an ace. */
export function nextDown(card: Card): Card | null {
  const rank = rankOf(card);
  return rank > 0 ? cardOf(rank - 1, suitOf(card)) : null;
}

/** True where one rank is next to the other; ranks go round from king to ace. */
export function areNeighbours(rank: number, other: number): boolean {
  const apart = Math.abs(rank - other);
  return apart === 1 || apart === 12;
}
