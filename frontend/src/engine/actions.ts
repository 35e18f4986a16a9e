/** What a player can do: the two-character action code, parsed. */
import { PILES, SUITS, type Pile, type Suit } from './cards.ts';

export type Action =
  | { readonly kind: 'pile_to_pile'; readonly code: string; readonly source: Pile; readonly target: Pile }
  | { readonly kind: 'pile_to_foundation'; readonly code: string; readonly source: Pile; readonly upward: boolean }
  | {
      readonly kind: 'foundation_to_foundation';
      readonly code: string;
      readonly suit: Suit;
      readonly upward: boolean;
    }
  | { readonly kind: 'redeal'; readonly code: '**' }
  | { readonly kind: 'undo'; readonly code: '<<' };

export type Kind = Action['kind'];

export const REDEAL = { kind: 'redeal', code: '**' } as const satisfies Action;
export const UNDO = { kind: 'undo', code: '<<' } as const satisfies Action;

const WAYS = ['+', '-'] as const;

/** Every action that can be written, by code. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [
    ...PILES.flatMap((source) => PILES.map((target) => pileToPile(source, target))),
    ...PILES.flatMap((source) => WAYS.map((way) => pileToFoundation(source, way))),
    ...SUITS.flatMap((suit) => WAYS.map((way) => foundationToFoundation(suit, way))),
    REDEAL,
    UNDO,
  ].map((action) => [action.code, action]),
);

/** Reads an action code; null where it is none. Upper and lower case differ. */
export function parseAction(code: string): Action | null {
  return ACTIONS.get(code) ?? null;
}

function pileToPile(source: Pile, target: Pile): Action {
  return { kind: 'pile_to_pile', code: source + target, source, target };
}

function pileToFoundation(source: Pile, way: '+' | '-'): Action {
  return { kind: 'pile_to_foundation', code: source + way, source, upward: way === '+' };
}

function foundationToFoundation(suit: Suit, way: '+' | '-'): Action {
  return { kind: 'foundation_to_foundation', code: suit + way, suit, upward: way === '+' };
}
