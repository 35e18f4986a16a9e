/** The table: what a player sees of a game, and how an action changes it. The form is that of the wire. */
import { parseAction, type Action } from './actions.ts';
import { CARD_COUNT, nextDown, nextUp, PILES, suitOf, type Card, type Pile, type Suit } from './cards.ts';

/** The most moves that can be taken back. */
export const UNDO_LIMIT = 100;

/**
 * An empty pile has height 0 and no top. A pile with cards and no top is *pending*: its top is known to
 * the server alone until the answer comes.
 */
export interface Table {
  readonly tops: Readonly<Record<string, Card>>;
  readonly heights: Readonly<Record<string, number>>;
  readonly up: Readonly<Record<string, Card>>;
  readonly down: Readonly<Record<string, Card>>;
  readonly redeals_left: number;
  readonly moves: number;
  /** all cards on the foundations, the 8 bases included; 104 is won */
  readonly home: number;
  /** how many moves can be taken back */
  readonly undo: number;
}

/** The tops that an action uncovers, by pile letter. */
export type Shown = Readonly<Record<string, Card>>;

/** The top card of a pile; null where it is empty or pending. */
export function topOf(table: Table, pile: Pile): Card | null {
  return table.tops[pile] ?? null;
}

export function heightOf(table: Table, pile: Pile): number {
  return table.heights[pile] ?? 0;
}

/** True where a pile has cards and its top is not known yet. */
export function isPending(table: Table, pile: Pile): boolean {
  return heightOf(table, pile) > 0 && topOf(table, pile) === null;
}

/**
 * The table after a legal move or redeal, knowing only the cards it uncovers. A top that `shown` lacks is
 * pending: so a move is drawn before its answer. The action is not judged here.
 *
 * @throws RangeError for an undo, which is answered with the table itself, and for what moves no card
 */
export function apply(table: Table, action: Action | string, shown: Shown): Table {
  const parsed = typeof action === 'string' ? parseAction(action) : action;
  switch (parsed?.kind) {
    case 'pile_to_pile': {
      const { source, target } = parsed;
      const card = taken(table, source);
      const left = without(table, source, shown);
      return moved(table, {
        tops: { ...left.tops, [target]: card },
        heights: { ...left.heights, [target]: heightOf(table, target) + 1 },
      });
    }
    case 'pile_to_foundation': {
      const card = taken(table, parsed.source);
      const foundation = parsed.upward ? 'up' : 'down';
      return moved(table, {
        ...without(table, parsed.source, shown),
        [foundation]: { ...table[foundation], [suitOf(card)]: card },
        home: table.home + 1,
      });
    }
    case 'foundation_to_foundation':
      return moved(table, crossed(table, parsed.suit, parsed.upward));
    case 'redeal':
      return redealt(table, shown);
    default:
      throw new RangeError(`${String(parsed?.code ?? action)} is not applied to a table`);
  }
}

export function isWon(table: Table): boolean {
  return table.home === CARD_COUNT;
}

function moved(table: Table, changes: Partial<Table>): Table {
  return { ...table, moves: table.moves + 1, undo: Math.min(table.undo + 1, UNDO_LIMIT), ...changes };
}

function taken(table: Table, source: Pile): Card {
  const card = topOf(table, source);
  if (card === null) throw new RangeError(`there is no known card on pile ${source}`);
  return card;
}

/** The piles after the top card of one is gone. */
function without(table: Table, source: Pile, shown: Shown): Pick<Table, 'tops' | 'heights'> {
  const tops: Record<string, Card> = { ...table.tops };
  delete tops[source];
  const card = shown[source];
  const height = heightOf(table, source) - 1;
  if (height > 0 && card !== undefined) tops[source] = card;
  return { tops, heights: { ...table.heights, [source]: height } };
}

/** A foundation is built in order, so what lies under its top is known: the card before it. */
function crossed(table: Table, suit: Suit, upward: boolean): Pick<Table, 'up' | 'down'> {
  const { [suit]: up = '' } = table.up;
  const { [suit]: down = '' } = table.down;
  const under = upward ? nextUp(down) : nextDown(up);
  if (!up || !down || under === null) throw new RangeError('the base of a foundation never moves');
  return {
    up: { ...table.up, [suit]: upward ? down : under },
    down: { ...table.down, [suit]: upward ? under : up },
  };
}

function redealt(table: Table, shown: Shown): Table {
  const tops: Record<string, Card> = {};
  for (const pile of PILES) {
    const card = heightOf(table, pile) > 1 ? shown[pile] : table.tops[pile];
    if (card !== undefined) tops[pile] = card;
  }
  return { ...table, tops, redeals_left: table.redeals_left - 1, undo: 0 };
}
