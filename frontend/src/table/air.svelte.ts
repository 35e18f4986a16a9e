/**
 * Cards off the table: held by the hand, sliding to their place, or turning over on it. Each is drawn above
 * the board in a layer of its own, which the compositor moves alone; the place it will come to shows what
 * lies there until then. With reduced motion nothing is ever in the air but a held card.
 */
import type { WireTable } from '../net/protocol.gen';
import type { Geometry } from './geometry';
import { countOf, topOf, uncovered, type PlaceId } from './places';

export const EASE = 'cubic-bezier(.2,.8,.2,1)';
const MOVE_MS = 180;
const FLIP_MS = 220;
/** At the start and after a redeal sixteen cards turn over: a ripple, not a flash. */
const RIPPLE_MS = 12;
const RIPPLE_FROM = 5;

let reduced: MediaQueryList | undefined;

/** True where the player wants nothing to move. */
export function still(): boolean {
  // Asked at every move: the answer is kept by the browser, the question takes long to read.
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)');
  return reduced.matches;
}

/** Many cards turn over where they lie: their faces are on the page at once, and no node is made for it. */
export function ripple(board: HTMLElement, places: readonly PlaceId[]): void {
  if (still() || places.length < RIPPLE_FROM) return;
  places.forEach((place, order) => {
    board
      .querySelector(`[data-place="${place}"] svg.card`)
      ?.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], {
        duration: FLIP_MS,
        delay: order * RIPPLE_MS,
        easing: EASE,
        fill: 'backwards',
      });
  });
}

/** What a place shows: its top card, null for a back, and how many cards. */
export interface Lying {
  readonly top: string | null;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Beside the board, where nothing is drawn. */
const PARKED: Point = { x: -9999, y: -9999 };
/** As many cards as a quick hand has in the air at once stay on the page: to use one costs no new node. */
const READY = 2;

/** One card in the air, or one that waits to be. */
export class AirCard {
  code = $state<string | null>(null);
  held = $state(false);
  /** where it will lie */
  to: PlaceId = '';
  /** where it is drawn when no animation says otherwise */
  at = PARKED;
  node: HTMLElement | null = null;
  #motion: Animation | null = null;
  #begin: ((node: HTMLElement) => Animation) | null = null;

  /** Where it is to be seen now, in the middle of a slide or not. */
  seen(geometry: Geometry): Point {
    if (!this.node || !this.#motion) return this.at;
    const { left, top } = this.node.getBoundingClientRect();
    return geometry.local({ clientX: left, clientY: top });
  }

  /** Draws it here from now on. */
  place(at: Point): void {
    this.at = at;
    if (this.node) this.node.style.transform = shift(at);
  }

  /** Moves it once it is on the page, and tells when it has arrived. */
  animate(frames: Keyframe[], options: KeyframeAnimationOptions, arrived: () => void): void {
    this.#motion?.cancel();
    this.#begin = (node) => {
      const motion = node.animate(frames, { easing: EASE, ...options });
      motion.onfinish = arrived;
      return motion;
    };
    if (this.node) this.#motion = this.#begin(this.node);
  }

  /** Takes it off the board. */
  park(): void {
    this.#motion?.cancel();
    this.#motion = this.#begin = null;
    this.held = false;
    this.place(PARKED);
  }

  /** Takes the element it is drawn by; for `{@attach}`. */
  mount = (node: Element): void => {
    this.node = node as HTMLElement;
    this.place(this.at);
    this.#motion = this.#begin?.(this.node) ?? null;
  };
}

export class Air {
  /** all there are, for the page to draw */
  slots = $state.raw<readonly AirCard[]>(Array.from({ length: READY }, () => new AirCard()));
  /** those that are in the air */
  cards: readonly AirCard[] = [];
  /** what lies on the places that a card is on its way to */
  #below = $state.raw<ReadonlyMap<PlaceId, Lying>>(new Map());
  #geometry: () => Geometry;

  constructor(geometry: () => Geometry) {
    this.#geometry = geometry;
  }

  /** What a place shows of a table. */
  shown(table: WireTable, place: PlaceId): Lying {
    return this.#below.get(place) ?? lying(table, place);
  }

  get held(): AirCard | null {
    return this.cards.find(({ held }) => held) ?? null;
  }

  /** Takes up the top card of a place; `below` is what it leaves there. */
  lift(place: PlaceId, code: string, below: Lying): void {
    const box = this.#geometry().card(place, below.height + 1);
    if (!box) return;
    this.land(place);
    this.#take(code, place, box, below).held = true;
  }

  /** The held card is `dx`, `dy` pixels from its place. */
  drag(dx: number, dy: number): void {
    const card = this.held;
    const box = card && this.#home(card);
    if (card && box) card.place({ x: box.x + dx, y: box.y + dy });
  }

  /** Lets go of the held card: it slides back to where it was taken from. */
  settle(): void {
    const card = this.held;
    if (!card) return;
    card.held = false;
    this.#slide(card, this.#below.get(card.to)?.height ?? 0);
  }

  /** One card went from a place to another: it slides there, from the hand if it was held. */
  fly(from: PlaceId, to: PlaceId, before: WireTable, after: WireTable): void {
    const under = lying(before, to);
    const coming = this.cards.find((card) => card.to === from);
    const box = this.#geometry().card(from, countOf(before, from));
    this.land(to);
    if (still() || !box) return this.land(from);
    const at = coming?.seen(this.#geometry()) ?? box;
    this.land(from);
    this.#slide(this.#take(topOf(after, to), to, at, under), under.height);
  }

  /** The piles whose top has become known turn it over. */
  turn(before: WireTable, after: WireTable): void {
    const places = uncovered(before, after);
    if (still() || places.length >= RIPPLE_FROM) return;
    for (const place of places) {
      const box = this.#geometry().card(place, countOf(after, place));
      if (!box) continue;
      this.land(place);
      const card = this.#take(topOf(after, place), place, box, lying(before, place));
      card.animate(
        [{ transform: `${shift(box)} scaleX(0)` }, { transform: shift(box) }],
        { duration: FLIP_MS },
        () => this.#landed(card),
      );
    }
  }

  /** Whatever is on its way to a place lies there at once. */
  land(place: PlaceId): void {
    const card = this.cards.find(({ to }) => to === place);
    if (card) this.#landed(card);
  }

  /** Everything lies where it belongs. */
  clear(): void {
    for (const card of this.cards) card.park();
    this.cards = [];
    if (this.#below.size) this.#below = new Map();
  }

  #take(code: string | null, to: PlaceId, at: Point, below: Lying): AirCard {
    let card = this.slots.find((each) => !this.cards.includes(each));
    if (!card) {
      card = new AirCard();
      this.slots = [...this.slots, card];
    }
    card.code = code;
    card.to = to;
    card.place(at);
    this.cards = [...this.cards, card];
    this.#below = new Map(this.#below).set(to, below);
    return card;
  }

  #landed(card: AirCard): void {
    if (!this.cards.includes(card)) return;
    this.cards = this.cards.filter((each) => each !== card);
    card.park();
    const below = new Map(this.#below);
    below.delete(card.to);
    this.#below = below;
  }

  /** Slides a card to lie on `height` others of its place. */
  #slide(card: AirCard, height: number): void {
    const goal = this.#geometry().card(card.to, height + 1);
    if (!goal || still()) return this.#landed(card);
    const start = card.at;
    if (Math.hypot(goal.x - start.x, goal.y - start.y) < 1) return this.#landed(card);
    card.place(goal);
    card.animate([{ transform: shift(start) }, { transform: shift(goal) }], { duration: MOVE_MS }, () =>
      this.#landed(card),
    );
  }

  #home(card: AirCard): Point | null {
    return this.#geometry().card(card.to, (this.#below.get(card.to)?.height ?? 0) + 1);
  }
}

function lying(table: WireTable, place: PlaceId): Lying {
  return { top: topOf(table, place), height: countOf(table, place) };
}

function shift({ x, y }: Point): string {
  return `translate(${x}px,${y}px)`;
}
