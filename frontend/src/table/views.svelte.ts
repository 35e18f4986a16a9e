/**
 * What each place of a board shows. A place is drawn anew only where its own view has changed, in its turn:
 * first its card, later its marks, last its label.
 */
import type { WireTable } from '../net/protocol.gen';
import { lying, type Lying } from './air.svelte';
import { placeName } from './names';
import { FOUNDATIONS, PILES, type PlaceId } from './places';
import { inFirstTurn, inTurn, type Turn } from './turns';

export class PlaceView {
  readonly place: PlaceId;
  /** the card to be seen, null for a back, and how many lie there: not what is still on its way */
  top = $state<string | null>(null);
  height = $state(0);
  /** the count under the place, and the place as a screen reader says it: of the table as it is */
  count = $state(0);
  name = $state('');
  /** classes: selected, a legal target, refused */
  marks = $state('');
  #told: Lying = { top: null, height: -1 };

  constructor(place: PlaceId) {
    this.place = place;
  }

  shows({ top, height }: Lying): boolean {
    return this.top === top && this.height === height;
  }

  show({ top, height }: Lying): void {
    this.top = top;
    this.height = height;
  }

  /** A step towards it: first the card, then how high it lies; a pile that empties or fills does both. */
  approach({ top, height }: Lying): void {
    const filling = this.height === 0 || height === 0;
    if (filling || this.top === top) this.height = height;
    this.top = top;
  }

  /** True where name and count say what lies here. */
  tells({ top, height }: Lying): boolean {
    return this.#told.top === top && this.#told.height === height;
  }

  tell(lying: Lying): void {
    this.#told = lying;
    this.count = lying.height;
    this.name = placeName(this.place, lying.top, lying.height);
  }
}

/** What is to be drawn: the table as it is, what is seen of it, and the marks. */
export interface Scene {
  table(): WireTable;
  lying(place: PlaceId): Lying;
  marks(place: PlaceId): string;
}

/** How many places change in one frame; more where many do, so that none waits longer than some frames. */
const CARDS = 1;
const MARKS = 3;
const LABELS = 1;
const FRAMES = 8;

/** The views of a board, in the order of the focus. */
export class PlaceViews {
  readonly piles = PILES.map((place) => new PlaceView(place));
  readonly foundations = FOUNDATIONS.map((place) => new PlaceView(place));
  readonly #all = [...this.piles, ...this.foundations];
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.showAtOnce();
  }

  /** Draws everything now. */
  showAtOnce(): void {
    for (const view of this.#all) {
      view.show(this.#scene.lying(view.place));
      if (!view.tells(this.#told(view))) view.tell(this.#told(view));
    }
  }

  /** Takes a step to draw one place now; false where nothing is to be changed. */
  draw(place: PlaceId): boolean {
    const [view, lying] = [this.#all.find((each) => each.place === place), this.#scene.lying(place)];
    if (!view || view.shows(lying)) return false;
    view.approach(lying);
    return true;
  }

  /** Draws in turn every place that shows something else than lies there; `each` follows on a drawn one. */
  show(each: (place: PlaceId) => void = () => undefined): void {
    const draw = ({ place }: PlaceView): void => void (this.draw(place) && each(place));
    this.#inTurn(inFirstTurn, CARDS, (view) => !view.shows(this.#scene.lying(view.place)), draw);
  }

  /** Puts right in turn what the labels say. */
  tell(): void {
    const due = (view: PlaceView): boolean => !view.tells(this.#told(view));
    this.#inTurn(inTurn, LABELS, due, (view) => view.tell(this.#told(view)));
  }

  /** Draws in turn what is marked: first where the hand is. */
  mark(): void {
    const marks = (view: PlaceView): string => this.#scene.marks(view.place);
    const different = (view: PlaceView): boolean => view.marks !== marks(view);
    const set = (view: PlaceView): void => void (view.marks = marks(view));
    const plain = (view: PlaceView): boolean => marks(view).startsWith('ok') || view.marks.startsWith('ok');
    this.#inTurn(inFirstTurn, 1, (view) => different(view) && !plain(view), set);
    this.#inTurn(inFirstTurn, MARKS, different, set);
  }

  #told({ place }: PlaceView): Lying {
    return lying(this.#scene.table(), place);
  }

  /** As many a frame, as long as there are some. */
  #inTurn(
    queue: (turn: Turn) => void,
    many: number,
    due: (view: PlaceView) => boolean,
    draw: (view: PlaceView) => void,
  ): void {
    const turn = (): boolean => {
      const views = this.#all.filter(due);
      views.slice(0, Math.max(many, Math.ceil(views.length / FRAMES))).forEach(draw);
      if (views.length > 0) queue(turn);
      return views.length > 0;
    };
    queue(turn);
  }
}
