/** How cards move, and whether anything may. */
import type { PlaceId } from './places';

export const EASE = 'cubic-bezier(.2,.8,.2,1)';
export const FLIP_MS = 220;

let reduced: MediaQueryList | undefined;

/** True where the player wants nothing to move. */
export function still(): boolean {
  // Asked at every move: the answer is kept by the browser, the question takes long to read.
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)');
  return reduced.matches;
}

/** A card turns over where it lies: its face is on the page at once, and no node is made for it. */
export function flip(board: HTMLElement, place: PlaceId, delay = 0): void {
  if (still()) return;
  board
    .querySelector(`[data-place="${place}"] svg.card`)
    ?.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], {
      duration: FLIP_MS,
      delay,
      easing: EASE,
      fill: 'backwards',
    });
}
