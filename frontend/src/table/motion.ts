/** Cards that slide, turn over and settle back; nothing moves where reduced motion is asked for. */
import { uncovered, type PlaceId } from './places';
import type { WireTable } from '../net/protocol.gen';

export const EASE = 'cubic-bezier(.2,.8,.2,1)';
const MOVE_MS = 180;
const FLIP_MS = 220;

/** True where the player wants nothing to move. */
export function still(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function placeOf(board: HTMLElement, place: PlaceId): HTMLElement | null {
  return board.querySelector<HTMLElement>(`[data-place="${place}"]`);
}

/** Where the top card of a place lies or is held, whatever motion it is in the middle of. */
export function whereIs(board: HTMLElement, place: PlaceId): DOMRect | null {
  return placeOf(board, place)?.querySelector('.hold.top')?.getBoundingClientRect() ?? null;
}

export function topCard(board: HTMLElement, place: PlaceId): SVGElement | null {
  return placeOf(board, place)?.querySelector<SVGElement>('svg.card.top') ?? null;
}

/** What must be remembered before the page changes: where the card was, and what it will cover. */
export interface Departure {
  readonly to: PlaceId;
  readonly from: DOMRect;
  readonly covered: SVGElement | null;
}

export function depart(board: HTMLElement, from: PlaceId, to: PlaceId): Departure | null {
  if (still()) return null;
  const where = whereIs(board, from);
  if (!where) return null;
  const covered = topCard(board, to)?.cloneNode(true) as SVGElement | undefined;
  return { to, from: where, covered: covered ?? null };
}

/** Slides the card that now lies on its new place from where it was. Input goes on meanwhile. */
export function arrive(board: HTMLElement, departure: Departure): void {
  const place = placeOf(board, departure.to);
  const card = topCard(board, departure.to);
  const now = whereIs(board, departure.to);
  if (!place || !card || !now) return;
  const dx = departure.from.left - now.left;
  const dy = departure.from.top - now.top;
  if (Math.hypot(dx, dy) < 1) return;
  // Until the card has arrived, the one it will cover still lies there.
  const covered = departure.covered;
  if (covered) cover(card, covered);
  place.dataset['flying'] = '';
  const scale = departure.from.width / now.width;
  const slide = card.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, transformOrigin: '0 0' },
      { transform: 'none', transformOrigin: '0 0' },
    ],
    { duration: MOVE_MS, easing: EASE },
  );
  const end = (): void => {
    covered?.remove();
    delete place.dataset['flying'];
  };
  slide.onfinish = slide.oncancel = end;
}

/** Slides a card that was let go over nothing back to its place. */
export function settle(board: HTMLElement, place: PlaceId, from: DOMRect): void {
  if (!still()) arrive(board, { to: place, from, covered: null });
}

/** A card about to turn over, and its back as it lies there now. */
export interface Turn {
  readonly place: PlaceId;
  readonly back: SVGElement | null;
}

/** The places whose top has just become known: they turn over. */
export function turning(board: HTMLElement, before: WireTable, after: WireTable): Turn[] {
  if (still()) return [];
  return uncovered(before, after).map((place) => ({
    place,
    back: (topCard(board, place)?.cloneNode(true) as SVGElement | undefined) ?? null,
  }));
}

export function turnOver(board: HTMLElement, turns: readonly Turn[]): void {
  turns.forEach(({ place, back }, order) => {
    const card = topCard(board, place);
    if (!card) return;
    // The face grows over its back; without it the edge of the pile would show for a moment.
    if (back) cover(card, back);
    const turn = card.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], {
      duration: FLIP_MS,
      // At the start and after a redeal sixteen cards turn: a ripple, not a flash.
      delay: turns.length > 4 ? order * 12 : 0,
      easing: EASE,
      fill: 'backwards',
    });
    turn.onfinish = turn.oncancel = () => back?.remove();
  });
}

function cover(card: SVGElement, under: SVGElement): void {
  under.classList.remove('top');
  under.classList.add('covered');
  card.before(under);
}
