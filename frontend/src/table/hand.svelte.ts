/** What the player's hand is doing: the pile selected, the card held, the refusal just shown. */
import { codeFor, isPile, type PlaceId } from './places';

export interface HandHost {
  /** places that the top card of `source` may go to now */
  destinations(source: PlaceId): readonly PlaceId[];
  /** the place a double tap sends it to: a foundation first */
  best(source: PlaceId): PlaceId | null;
  /** plays an action; the reason it is refused, or null when it was taken */
  play(code: string): string | null;
  /** why the top card of `source` can't be taken, or null: a base, an empty pile, a card still on its way */
  against(source: PlaceId): string | null;
  /** the suit of the top card of `source`: where it goes when it is dropped among the foundations */
  suit(source: PlaceId): string;
  /** tells why, or with null that an old explanation is out of date */
  explain(reason: string | null, place: PlaceId): void;
}

/** A second tap sooner than this makes a double tap; whoever reacts to a card just uncovered is slower. */
export const DOUBLE_TAP_MS = 250;
const REFUSED_MS = 900;

export class Hand {
  selected = $state<PlaceId | null>(null);
  held = $state<PlaceId | null>(null);
  refused = $state<PlaceId | null>(null);
  #host: HandHost;
  #fading: ReturnType<typeof setTimeout> | undefined;
  /** the second half of a double tap on a place that has just sent its card away is not meant for the next card */
  #sent: { place: PlaceId; at: number } | null = null;

  constructor(host: HandHost) {
    this.#host = host;
  }

  /** The place whose targets are lit. */
  get source(): PlaceId | null {
    return this.held ?? this.selected;
  }

  /** A tap: plays to a selected source's target, sends a card that has one place to go, else selects. */
  tap(place: PlaceId, at: number): void {
    const source = this.selected;
    if (source === place) return this.clear();
    if (source) {
      const again = this.refused === place;
      if (!again || this.#host.against(place) !== null) return void this.#to(source, place, true);
      // Tapping a refused place once more means that card instead.
      this.clear();
    }
    if (!this.grab(place)) return;
    const places = this.#host.destinations(place);
    const only = places.length === 1 ? places[0] : undefined;
    if (only) {
      this.#sent = { place, at };
      this.#to(place, only, false);
    } else this.select(place);
  }

  /** A double tap: to the best place at once. */
  doubleTap(place: PlaceId, at: number): void {
    if (this.#sent?.place === place && at - this.#sent.at < DOUBLE_TAP_MS) return;
    const best = this.#host.against(place) === null ? this.#host.best(place) : null;
    if (!best) return this.tap(place, at);
    this.#sent = { place, at };
    this.#to(place, best, false);
  }

  /** A pile's letter on the keyboard: source first, then target; twice the same letter is a double tap. */
  key(place: PlaceId): void {
    const source = this.selected;
    if (!source) {
      if (this.grab(place)) this.select(place);
    } else if (source === place) {
      const best = this.#host.best(place);
      if (best) this.#to(source, best, false);
      else this.clear();
    } else this.#to(source, place, false);
  }

  /** `+` or `-` on the keyboard: the selected card to that foundation of its suit. */
  keyFoundation(way: '+' | '-'): void {
    const source = this.selected;
    if (!source) return;
    const suit = this.#host.suit(source);
    this.#play((isPile(source) ? source : suit) + way, suit + way);
  }

  /** True where there is a card to take; where there is none, the place says why. */
  grab(place: PlaceId): boolean {
    const reason = this.#host.against(place);
    if (reason !== null) this.#refuse(reason, place, false);
    return reason === null;
  }

  /** Selects a place; a card that can go nowhere now is selected as well, and says so. */
  select(place: PlaceId): void {
    this.selected = place;
    this.#host.explain(this.#host.destinations(place).length === 0 ? 'no_place' : null, place);
  }

  lift(place: PlaceId): void {
    this.selected = null;
    this.held = place;
    this.#host.explain(null, place);
  }

  /** Lets go of the held card over a place, over the foundations' area, or nowhere. True when it was played. */
  drop(over: PlaceId | 'nest' | null): boolean {
    const source = this.held;
    this.held = null;
    if (!source || !over || over === source) return false;
    if (over === 'nest') {
      const target = this.#host.destinations(source).find((place) => !isPile(place));
      return this.#to(source, target ?? `${this.#host.suit(source)}+`, true);
    }
    return this.#to(source, over, true);
  }

  clear(): void {
    this.selected = null;
    this.held = null;
  }

  /** Shakes a place for a moment. */
  shake(place: PlaceId): void {
    clearTimeout(this.#fading);
    this.refused = place;
    this.#fading = setTimeout(() => (this.refused = null), REFUSED_MS);
  }

  /**
   * Plays `source` to `target`. In the foundations' area the suit decides, not the aim: the place aimed at
   * when it takes the card, else the one that does.
   */
  #to(source: PlaceId, target: PlaceId, keep: boolean): boolean {
    let place = target;
    if (!isPile(target)) {
      const takes = this.#host.destinations(source).filter((each) => !isPile(each));
      place = takes.find((each) => each === target) ?? takes[0] ?? target;
    }
    const code = codeFor(source, place);
    if (!code) {
      this.#refuse('wrong_suit', place, keep);
      return false;
    }
    return this.#play(code, place, keep);
  }

  #play(code: string, place: PlaceId, keep = false): boolean {
    const reason = this.#host.play(code);
    if (reason === null) {
      this.clear();
      this.refused = null;
      return true;
    }
    this.#refuse(reason, place, keep);
    return false;
  }

  #refuse(reason: string, place: PlaceId, keep: boolean): void {
    if (reason === 'same_place') return this.clear();
    this.shake(place);
    this.#host.explain(reason, place);
    if (!keep) this.clear();
  }
}
