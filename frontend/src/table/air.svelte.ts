/**
 * Cards off the table: held by the hand, sliding to their place, or turning over on it. Each is drawn above
 * the board in a layer of its own, which the compositor moves alone; the place it will come to shows what
 * lies there until then. With reduced motion nothing is ever in the air but a held card.
 */
import type { WireTable } from '../net/protocol.gen';
import { AirCard, PARKED, type Point } from './aircard.svelte';
import type { Geometry } from './geometry';
import { still } from './motion';
import { countOf, topOf, type PlaceId } from './places';
import { inFirstTurn } from './turns';

/** So many cards turn over in the air; more of them, as after a redeal, where they lie. */
export const FLIPPED = 4;

/** What a place shows: its top card, null for a back, and how many cards. */
export interface Lying {
  readonly top: string | null;
  readonly height: number;
}

/** As many cards as a quick hand has in the air at once stay on the page: to use one costs no new node. */
const READY = 2;

export class Air {
  /** all there are, for the page to draw */
  slots = $state.raw<readonly AirCard[]>(Array.from({ length: READY }, () => new AirCard()));
  /** those that are in the air */
  cards: readonly AirCard[] = [];
  /** what lies on the places that a card is on its way to */
  readonly #below = new Map<PlaceId, Lying>();
  /** the one that is drawn for what may be played next */
  #ready: AirCard | null = null;
  /** those that have landed and stay until their place is drawn */
  readonly #landing = new Set<AirCard>();
  #geometry: () => Geometry;
  #draw: (place: PlaceId) => boolean;

  /** @param draw puts on the page what lies on a place; false where it is there already */
  constructor(geometry: () => Geometry, draw: (place: PlaceId) => boolean) {
    this.#geometry = geometry;
    this.#draw = draw;
  }

  /** What a place shows of a table. */
  shown(table: WireTable, place: PlaceId): Lying {
    return this.#below.get(place) ?? lying(table, place);
  }

  get held(): AirCard | null {
    return this.cards.find(({ held }) => held) ?? null;
  }

  /** A card may soon fly: it is drawn beside the board, and needs only to be moved then. False where it is. */
  prepare(code: string): boolean {
    const free = this.#free();
    const drawn = free.find((card) => card.code === code);
    this.#ready = drawn ?? free[0] ?? null;
    if (drawn || !this.#ready) return false;
    this.#ready.code = code;
    return true;
  }

  /** Takes up the top card of a place; `below` is what it leaves there. */
  lift(place: PlaceId, code: string, below: Lying): void {
    const box = this.#geometry().card(place, below.height + 1);
    if (!box) return;
    this.land(place);
    const card = this.#take(code, place, box, below);
    card.held = true;
    card.place(box);
    this.#uncover(place);
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

  /**
   * One card went from a place to another: it slides there, from the hand if it was held. In this frame
   * nothing else changes; what it leaves behind is drawn in the next, when it begins to be seen to move.
   */
  fly(from: PlaceId, to: PlaceId, before: WireTable, after: WireTable): void {
    const under = lying(before, to);
    const box = this.#geometry().card(from, countOf(before, from));
    this.land(to);
    if (still() || !box) {
      this.land(from);
      for (const place of [from, to]) this.#uncover(place);
      return;
    }
    this.#uncover(from);
    const coming = this.cards.find((card) => card.to === from);
    if (coming) this.#turnTo(coming, to, under);
    this.#slide(coming ?? this.#take(topOf(after, to), to, box, under), under.height);
  }

  /** The piles whose top has become known turn it over. */
  turn(before: WireTable, after: WireTable, places: readonly PlaceId[]): void {
    if (still()) return;
    for (const place of places) {
      const box = this.#geometry().card(place, countOf(after, place));
      if (!box) continue;
      this.land(place);
      const card = this.#take(topOf(after, place), place, PARKED, lying(before, place));
      inFirstTurn(() => {
        if (!this.cards.includes(card)) return false;
        card.turn(box, () => this.#landed(card));
        return true;
      });
    }
  }

  /** Whatever is on its way to a place lies there at once. */
  land(place: PlaceId): void {
    const card = this.cards.find(({ to }) => to === place);
    if (card) this.#landed(card);
  }

  /** Everything lies where it belongs. */
  clear(): void {
    for (const card of this.cards) this.#landed(card);
  }

  #free(): AirCard[] {
    return this.slots.filter((each) => !this.cards.includes(each) && !this.#landing.has(each));
  }

  #take(code: string | null, to: PlaceId, at: Point, below: Lying): AirCard {
    const free = this.#free();
    let card =
      free.find((each) => each.code === code) ?? free.find((each) => each !== this.#ready) ?? free[0];
    if (!card) {
      card = new AirCard();
      this.slots = [...this.slots, card];
    }
    card.code = code;
    card.to = to;
    card.at = at;
    this.cards = [...this.cards, card];
    this.#below.set(to, below);
    return card;
  }

  /** A card in the air goes on to another place than that it was on its way to. */
  #turnTo(card: AirCard, to: PlaceId, below: Lying): void {
    const at = card.seen(this.#geometry());
    this.#below.delete(card.to);
    this.#below.set(to, below);
    card.to = to;
    card.held = false;
    card.at = at;
  }

  /** Draws a place in two steps: the card, and how high it lies. */
  #uncover(place: PlaceId): void {
    inFirstTurn(() => this.#draw(place));
    inFirstTurn(() => this.#draw(place));
  }

  #landed(card: AirCard): void {
    if (!this.cards.includes(card)) return;
    this.cards = this.cards.filter((each) => each !== card);
    this.#below.delete(card.to);
    this.#landing.add(card);
    const { to } = card;
    this.#uncover(to);
    inFirstTurn(() => {
      this.#landing.delete(card);
      card.park();
    });
  }

  /** Slides a card to lie on `height` others of its place. */
  #slide(card: AirCard, height: number): void {
    const goal = this.#geometry().card(card.to, height + 1);
    if (!goal || still()) return this.#landed(card);
    if (Math.hypot(goal.x - card.at.x, goal.y - card.at.y) < 1) return this.#landed(card);
    card.slide(goal, () => this.#landed(card));
  }

  #home(card: AirCard): Point | null {
    return this.#geometry().card(card.to, (this.#below.get(card.to)?.height ?? 0) + 1);
  }
}

/** What lies on a place of a table. */
export function lying(table: WireTable, place: PlaceId): Lying {
  return { top: topOf(table, place), height: countOf(table, place) };
}
