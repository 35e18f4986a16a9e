/** What each place of a board shows. A place is drawn anew only where its own view has changed. */
import type { WireTable } from '../net/protocol.gen';
import type { Lying } from './air.svelte';
import { placeName } from './names';
import { countOf, FOUNDATIONS, PILES, topOf, type PlaceId } from './places';

export class PlaceView {
  readonly place: PlaceId;
  /** the card to be seen, null for a back, and how many lie there: not what is still on its way */
  top = $state<string | null>(null);
  height = $state(0);
  /** as a screen reader says it, of the table as it is */
  name = $state('');
  /** classes: selected, a legal target, refused */
  marks = $state('');
  #named = '';

  constructor(place: PlaceId) {
    this.place = place;
  }

  show(table: WireTable, lying: Lying): void {
    this.top = lying.top;
    this.height = lying.height;
    const [top, count] = [topOf(table, this.place), countOf(table, this.place)];
    // A name takes longer to put together than to keep.
    const named = `${top}${count}`;
    if (named === this.#named) return;
    this.#named = named;
    this.name = placeName(this.place, top, count);
  }
}

/** The views of a board, in the order of the focus. */
export class PlaceViews {
  readonly piles = PILES.map((place) => new PlaceView(place));
  readonly foundations = FOUNDATIONS.map((place) => new PlaceView(place));
  readonly #all = [...this.piles, ...this.foundations];

  show(table: WireTable, lying: (place: PlaceId) => Lying): void {
    for (const view of this.#all) view.show(table, lying(view.place));
  }

  mark(marks: (place: PlaceId) => string): void {
    for (const view of this.#all) view.marks = marks(view.place);
  }
}
