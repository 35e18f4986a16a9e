/**
 * A game followed by its codes alone. Codes move slots (places in the layout, pile 1 bottom = 0), and a slot
 * gets a face only where the reader knows it: so one frame serves everybody and tells nobody a card. With
 * all 96 faces the tables are exact, which is how a replay is drawn.
 */
import { parseAction } from './actions.ts';
import { cardOf, PILES, rankOf, SLOT_COUNT, suitOf, SUITS, type Card, type Pile, type Suit } from './cards.ts';
import { UNDO_LIMIT, type Shown, type Table } from './table.ts';

/** Known cards by slot, as `seen` and `faces` are on the wire. */
export type Faces = Readonly<Record<string, Card>>;

/** Something that came to a foundation: a slot from a pile, or a suit's top from its other foundation. */
type Arrival = { readonly slot: number; readonly upward: boolean } | { readonly suit: Suit; readonly upward: boolean };

/** A game as its codes tell it. */
export interface Rival {
  /** slots by pile 1–16, bottom to top */
  readonly piles: readonly (readonly number[])[];
  /** what came to the foundations, in order, without what was taken back */
  readonly arrivals: readonly Arrival[];
  /** the codes that can be taken back, the last one last */
  readonly history: readonly string[];
  readonly moves: number;
  readonly redeals: number;
}

/** A rival's table as far as the reader knows it. A pile with cards and no top lies face down. */
export interface RivalTable extends Table {
  /** the slot on top of each pile that has cards */
  readonly slots: Readonly<Record<string, number>>;
  /** how many cards are home beyond those that `up` and `down`, the highest known cards, account for */
  readonly unplaced: number;
}

/** A game before its first action. */
export const START: Rival = {
  piles: PILES.map((_, pile) => Array.from({ length: 6 }, (_unused, place) => pile * 6 + place)),
  arrivals: [],
  history: [],
  moves: 0,
  redeals: 0,
};

/**
 * The game after some more codes, two characters an action. They are taken as judged by the server.
 *
 * @throws RangeError where codes can't follow, as after a lost frame: then ask for everything again
 */
export function advance(rival: Rival, codes: string): Rival {
  const draft = {
    ...rival,
    piles: rival.piles.map((pile) => [...pile]),
    arrivals: [...rival.arrivals],
    history: [...rival.history],
  };
  for (let place = 0; place < codes.length; place += 2) play(draft, codes.slice(place, place + 2));
  return draft;
}

/** What a rival's table shows to someone who knows these faces; `redeals` is how many the game has. */
export function rivalTable(rival: Rival, faces: Faces, redeals: number): RivalTable {
  const tops: Record<string, Card> = {};
  const heights: Record<string, number> = {};
  const slots: Record<string, number> = {};
  rival.piles.forEach((pile, index) => {
    const letter = PILES[index] ?? '';
    heights[letter] = pile.length;
    const slot = pile.at(-1);
    if (slot === undefined) return;
    slots[letter] = slot;
    const face = faces[slot];
    if (face !== undefined) tops[letter] = face;
  });
  const home = 2 * SUITS.length + rival.arrivals.filter((arrival) => 'slot' in arrival).length;
  const { up, down } = foundations(rival.arrivals, faces);
  const placed = SUITS.reduce((sum, suit) => sum + up[suit] + 1 + 13 - down[suit], 0);
  return {
    tops,
    heights,
    slots,
    up: Object.fromEntries(SUITS.map((suit) => [suit, cardOf(up[suit], suit)])),
    down: Object.fromEntries(SUITS.map((suit) => [suit, cardOf(down[suit], suit)])),
    redeals_left: redeals - rival.redeals,
    moves: rival.moves,
    home,
    undo: rival.history.length,
    unplaced: home - placed,
  };
}

/** The faces that an action has uncovered, by slot; `after` is its game after the action. */
export function uncovered(after: Rival, shown: Shown): Faces {
  const faces: Record<string, Card> = {};
  for (const [letter, card] of Object.entries(shown)) {
    const slot = after.piles[(PILES as readonly string[]).indexOf(letter)]?.at(-1);
    if (slot !== undefined) faces[slot] = card;
  }
  return faces;
}

/** All faces of a layout of 192 characters. */
export function facesOf(layout: string): Faces {
  return Object.fromEntries(
    Array.from({ length: SLOT_COUNT }, (_, slot) => [slot, layout.slice(2 * slot, 2 * slot + 2)]),
  );
}

interface Draft extends Rival {
  piles: number[][];
  arrivals: Arrival[];
  history: string[];
  moves: number;
  redeals: number;
}

function play(draft: Draft, code: string): void {
  const action = parseAction(code);
  switch (action?.kind) {
    case 'pile_to_pile':
      pileOf(draft, action.target).push(taken(draft, action.source));
      return remember(draft, code);
    case 'pile_to_foundation':
      draft.arrivals.push({ slot: taken(draft, action.source), upward: action.upward });
      return remember(draft, code);
    case 'foundation_to_foundation':
      draft.arrivals.push({ suit: action.suit, upward: action.upward });
      return remember(draft, code);
    case 'redeal':
      draft.piles = draft.piles.map(([bottom, ...others]) => (bottom === undefined ? [] : [...others, bottom]));
      draft.history = [];
      draft.redeals += 1;
      return;
    case 'undo':
      return takeBack(draft);
    default:
      throw new RangeError(`${code} is not an action`);
  }
}

function remember(draft: Draft, code: string): void {
  draft.history.push(code);
  if (draft.history.length > UNDO_LIMIT) draft.history.shift();
  draft.moves += 1;
}

function takeBack(draft: Draft): void {
  const action = parseAction(draft.history.pop() ?? '');
  draft.moves -= 1;
  if (action?.kind === 'pile_to_pile') {
    pileOf(draft, action.source).push(taken(draft, action.target));
    return;
  }
  const arrival = draft.arrivals.pop();
  if (!arrival || !action) throw new RangeError('there is nothing to undo');
  if (action.kind === 'pile_to_foundation' && 'slot' in arrival) pileOf(draft, action.source).push(arrival.slot);
}

function pileOf(draft: Draft, pile: Pile): number[] {
  const slots = draft.piles[PILES.indexOf(pile)];
  if (!slots) throw new RangeError(`there is no pile ${pile}`);
  return slots;
}

function taken(draft: Draft, pile: Pile): number {
  const slot = pileOf(draft, pile).pop();
  if (slot === undefined) throw new RangeError(`there is no card on pile ${pile}`);
  return slot;
}

/**
 * The highest known rank of each foundation. A foundation is built in order, so a known card vouches for all
 * before it, and a card that crosses takes what is known one rank back here and one further there. What is
 * told is never more than what lies there, and all of it where every face is known.
 */
function foundations(
  arrivals: readonly Arrival[],
  faces: Faces,
): { up: Record<Suit, number>; down: Record<Suit, number> } {
  const up = { S: 0, H: 0, D: 0, C: 0 };
  const down = { S: 12, H: 12, D: 12, C: 12 };
  for (const arrival of arrivals) {
    if ('suit' in arrival) {
      const step = arrival.upward ? 1 : -1;
      up[arrival.suit] = Math.max(up[arrival.suit] + step, 0);
      down[arrival.suit] = Math.min(down[arrival.suit] + step, 12);
      continue;
    }
    const card = faces[arrival.slot];
    const suit = SUITS.find((each) => card !== undefined && each === suitOf(card));
    if (card !== undefined && suit) (arrival.upward ? up : down)[suit] = rankOf(card);
  }
  return { up, down };
}
