/** What is legal, judged from the table alone, in the way the server judges (games/engine/rules.py). */
import { ACTIONS, parseAction, REDEAL, type Action } from './actions.ts';
import {
  areNeighbours,
  isPile,
  isSuit,
  nextDown,
  nextUp,
  PILE_LIMIT,
  PILES,
  rankOf,
  suitOf,
  SUITS,
  type Pile,
  type Suit,
} from './cards.ts';
import { PENDING, type Refusal } from './reasons.ts';
import { heightOf, isPending, isWon, topOf, type Table } from './table.ts';

export { isWon };

/** Whether undo is allowed is a matter of the race, not of the table. */
export interface Terms {
  readonly undo: boolean;
}

/** The first reason that speaks against an action, or null where it is legal. */
export function refusal(table: Table, action: Action | string, terms: Terms = { undo: true }): Refusal | null {
  const parsed = typeof action === 'string' ? parseAction(action) : action;
  if (parsed === null) return 'not_an_action';
  if (isWon(table)) return 'game_over';
  switch (parsed.kind) {
    case 'pile_to_pile':
      return pileRefusal(table, parsed.source, parsed.target);
    case 'pile_to_foundation':
      return foundationRefusal(table, parsed.source, parsed.upward);
    case 'foundation_to_foundation':
      return acrossRefusal(table, parsed.suit, parsed.upward);
    case 'redeal':
      return table.redeals_left > 0 ? null : 'no_redeals';
    case 'undo':
      if (!terms.undo) return 'no_undo';
      return table.undo > 0 ? null : 'nothing_to_undo';
  }
}

/** Why the top card of a pile or a foundation can't be taken at all, whatever the target; or null. */
export function sourceRefusal(table: Table, source: string): Refusal | null {
  if (isPile(source)) {
    if (heightOf(table, source) === 0) return 'empty_source';
    return isPending(table, source) ? PENDING : null;
  }
  const suit = source.charAt(0);
  return isSuit(suit) ? acrossRefusal(table, suit, source.endsWith('-')) : 'not_an_action';
}

/**
 * The legal moves and the redeal, an undo not among them: pile by pile to the piles, to the up foundation,
 * to the down one; then suit by suit from foundation to foundation, upward first; then the redeal.
 */
export function legalActions(table: Table): readonly Action[] {
  return CANDIDATES.filter((action) => refusal(table, action) === null);
}

/**
 * True where the game isn't won, no move is possible and no redeal is left. While a top is pending nobody
 * knows, and a game is not called blocked.
 */
export function isBlocked(table: Table): boolean {
  if (isWon(table) || table.redeals_left > 0 || PILES.some((pile) => isPending(table, pile))) return false;
  return CANDIDATES.every((action) => refusal(table, action) !== null);
}

const CANDIDATES: readonly Action[] = [
  ...PILES.flatMap((source) => [...PILES, '+', '-'].map((target) => source + target)),
  ...SUITS.flatMap((suit) => [`${suit}+`, `${suit}-`]),
  REDEAL.code,
].flatMap((code) => ACTIONS.get(code) ?? []);

function pileRefusal(table: Table, source: Pile, target: Pile): Refusal | null {
  if (heightOf(table, source) === 0) return 'empty_source';
  if (source === target) return 'same_place';
  if (heightOf(table, target) === 0) return 'empty_pile';
  if (heightOf(table, target) >= PILE_LIMIT) return 'pile_full';
  const card = topOf(table, source);
  const onto = topOf(table, target);
  if (card === null || onto === null) return PENDING;
  if (suitOf(card) !== suitOf(onto)) return 'wrong_suit';
  return areNeighbours(rankOf(card), rankOf(onto)) ? null : 'wrong_rank';
}

function foundationRefusal(table: Table, source: Pile, upward: boolean): Refusal | null {
  if (heightOf(table, source) === 0) return 'empty_source';
  const card = topOf(table, source);
  if (card === null) return PENDING;
  const suit = suitOf(card);
  const wanted = upward ? nextUp(table.up[suit] ?? '') : nextDown(table.down[suit] ?? '');
  return card === wanted ? null : 'wrong_rank';
}

function acrossRefusal(table: Table, suit: Suit, upward: boolean): Refusal | null {
  const { [suit]: up = '' } = table.up;
  const { [suit]: down = '' } = table.down;
  if (rankOf(upward ? down : up) === (upward ? 12 : 0)) return 'base_locked';
  return rankOf(down) === rankOf(up) + 1 ? null : 'wrong_rank';
}
