/** Tap, double tap and drag from one stream of pointer events, for mouse, pen and finger alike. */
import { contains, overlap, type Box, type Geometry } from './geometry';
import { DOUBLE_TAP_MS } from './hand.svelte';
import type { PlaceId } from './places';
import { inTurn, takeFrame } from './turns';

export type Over = PlaceId | 'nest' | null;

export interface Gestures {
  /** false where there is nothing to lift; the place then says why */
  grab(place: PlaceId): boolean;
  /** a pointer is down on a place: a tap or a drag may follow */
  press(place: PlaceId): void;
  /** is this place a legal target of the held card: a drop prefers those it overlaps */
  isTarget(place: PlaceId): boolean;
  /** where the top card of a place lies */
  card(place: PlaceId): Box | null;
  tap(place: PlaceId, at: number): void;
  doubleTap(place: PlaceId, at: number): void;
  lift(place: PlaceId): void;
  /** the held card is `dx`, `dy` pixels from its place and would drop on `over` */
  drag(dx: number, dy: number, over: Over): void;
  drop(over: Over): void;
  cancel(): void;
}

/** How far a pointer moves before a tap becomes a drag; a finger is less steady than a mouse. */
const SLACK = { mouse: 5, pen: 7, touch: 9 } as const;
/** How much further it may go on a lit target before that card is taken to be meant. */
const UNSTEADY = 3;
/** The part of the card that must lie over a place to drop there. */
const OVERLAP = 0.12;

interface Press {
  readonly id: number;
  readonly place: PlaceId;
  readonly x: number;
  readonly y: number;
  readonly slack: number;
  card: Box | null;
}

/** Listens on the board until the returned function is called. */
export function listen(board: HTMLElement, geometry: Geometry, gestures: Gestures): () => void {
  let press: Press | null = null;
  let last: { place: PlaceId; at: number } | null = null;
  /** a mouse's tap waits for its click, which knows whether the system takes it for a double click */
  let awaited: { place: PlaceId; at: number } | null = null;

  /** A pen may come to a screen that knows no touch, and must not scroll it. */
  function enter(event: PointerEvent): void {
    if (event.pointerType === 'pen') board.dataset['pen'] = '';
  }

  function cancel(): void {
    if (press?.card) gestures.cancel();
    press = null;
  }

  function down(event: PointerEvent): void {
    if (press) {
      // A second finger means that the first one was not meant.
      if (event.pointerId !== press.id) cancel();
      return;
    }
    if (event.button !== 0) return;
    awaited = null;
    const target = (event.target as Element).closest<HTMLElement>('[data-place]');
    const place = target?.dataset['place'];
    if (!target || !place) return;
    // The browser's own drag, text selection and delayed focus would all get in the way.
    event.preventDefault();
    if (target !== document.activeElement) {
      inTurn(() => target.focus({ preventScroll: true, focusVisible: false } as FocusOptions));
    }
    takeFrame();
    gestures.press(place);
    const kind = event.pointerType === 'mouse' || event.pointerType === 'pen' ? event.pointerType : 'touch';
    press = {
      id: event.pointerId,
      place,
      x: event.clientX,
      y: event.clientY,
      slack: SLACK[kind],
      card: null,
    };
  }

  function move(event: PointerEvent): void {
    if (!press || event.pointerId !== press.id) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.card) {
      // An unsteady tap on a target means the card selected before, not the one under the finger.
      const slack = gestures.isTarget(press.place) ? UNSTEADY * press.slack : press.slack;
      if (Math.hypot(dx, dy) < slack) return;
      if (!gestures.grab(press.place)) {
        press = null;
        return;
      }
      press.card = gestures.card(press.place);
      capture(event.pointerId);
      gestures.lift(press.place);
    }
    gestures.drag(dx, dy, over(press, dx, dy, event));
  }

  function capture(pointer: number): void {
    try {
      board.setPointerCapture(pointer);
    } catch {
      // The pointer may already be gone; then pointerup comes all the same.
    }
  }

  function up(event: PointerEvent): void {
    if (!press || event.pointerId !== press.id) return;
    takeFrame();
    const done = press;
    press = null;
    if (done.card) {
      last = null;
      gestures.drop(over(done, event.clientX - done.x, event.clientY - done.y, event));
      return;
    }
    const tapped = { place: done.place, at: event.timeStamp };
    if (event.pointerType === 'mouse') awaited = tapped;
    else tap(tapped, true);
  }

  function click(event: MouseEvent): void {
    if (!awaited || event.detail === 0) return;
    const tapped = awaited;
    awaited = null;
    tap(tapped, event.detail > 1);
  }

  function tap({ place, at }: { place: PlaceId; at: number }, mayBeSecond: boolean): void {
    const twice = mayBeSecond && last?.place === place && at - last.at < DOUBLE_TAP_MS;
    last = twice ? null : { place, at };
    if (twice) gestures.doubleTap(place, at);
    else gestures.tap(place, at);
  }

  /** Where a held card would drop: the legal target it covers most, else what lies under the pointer. */
  function over(from: Press, dx: number, dy: number, event: PointerEvent): Over {
    if (!from.card) return null;
    const card = { ...from.card, x: from.card.x + dx, y: from.card.y + dy };
    const point = geometry.local(event);
    let best: { place: PlaceId; area: number } | null = null;
    let under: PlaceId | null = null;
    for (const [place, box] of geometry.places) {
      if (place === from.place) continue;
      if (contains(box, point)) under = place;
      const area = overlap(card, box);
      if (area > OVERLAP * card.width * card.height && area > (best?.area ?? 0) && gestures.isTarget(place)) {
        best = { place, area };
      }
    }
    if (best) return best.place;
    if (under) return under;
    return geometry.nest && contains(geometry.nest, point) ? 'nest' : null;
  }

  function lost(event: PointerEvent): void {
    if (press && event.pointerId === press.id) cancel();
  }

  /** A finger belongs to the place it came down on until the board takes it: that loss is none. */
  function released(event: PointerEvent): void {
    if (event.target === board) lost(event);
  }

  /** A finger that rests on a card before it moves would otherwise call a menu, and lose the card. */
  function menu(event: Event): void {
    if (press) event.preventDefault();
  }

  /** Chromium may take a quick drag for the start of a scroll all the same, and the next tap for its end. */
  function still(event: TouchEvent): void {
    if (press && event.cancelable) event.preventDefault();
  }

  // Where there is but a mouse it would cost frames as touch-action does: see place.css.
  const touched = matchMedia('(any-pointer: coarse)').matches;
  if (touched) board.addEventListener('touchmove', still, { passive: false });
  board.addEventListener('pointerenter', enter);
  board.addEventListener('pointerdown', down);
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  board.addEventListener('click', click);
  board.addEventListener('contextmenu', menu);
  window.addEventListener('pointercancel', lost);
  board.addEventListener('lostpointercapture', released);
  return () => {
    board.removeEventListener('touchmove', still);
    board.removeEventListener('pointerenter', enter);
    board.removeEventListener('pointerdown', down);
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    board.removeEventListener('click', click);
    board.removeEventListener('contextmenu', menu);
    window.removeEventListener('pointercancel', lost);
    board.removeEventListener('lostpointercapture', released);
  };
}
