/** The table by keyboard alone. Letters count by their place on the keyboard, so that any layout works. */
import type { Hand } from './hand.svelte';
import { takeFrame } from './turns';

export interface TableCommands {
  redeal: (() => void) | undefined;
  undo: (() => void) | undefined;
  help: (() => void) | undefined;
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What may lie over the table; an unknown selector would throw. */
const OVER = CSS.supports('selector(:popover-open)') ? 'dialog[open], :popover-open' : 'dialog[open]';

/** A handler for keydown on the window. */
export function keyboard(
  board: () => HTMLElement | undefined,
  hand: Hand,
  commands: () => TableCommands,
): (event: KeyboardEvent) => void {
  return (event) => {
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, select') || event.altKey) return;
    // What lies over the table has the keys, also while nothing in it has the focus.
    if (document.querySelector(OVER)) return;
    if (event.metaKey && event.code !== 'KeyZ') return;
    if (event.ctrlKey || event.metaKey) {
      if (event.code !== 'KeyZ' || event.shiftKey) return;
      event.preventDefault();
      commands().undo?.();
      return;
    }
    takeFrame();
    if (!press(event)) return;
    event.preventDefault();
    // From the first key on, the labels show the letters.
    document.documentElement.dataset['keys'] = '';
  };

  function press(event: KeyboardEvent): boolean {
    const letter = /^Key([A-P])$/.exec(event.code)?.[1];
    const arrow = ARROWS[event.code];
    if (event.key === '?' || (event.code === 'Slash' && event.shiftKey)) commands().help?.();
    else if (letter) hand.key(letter.toLowerCase());
    else if (event.code === 'Equal' || event.code === 'NumpadAdd') hand.keyFoundation('+');
    else if (event.code === 'Minus' || event.code === 'NumpadSubtract') hand.keyFoundation('-');
    else if (event.code === 'KeyR' && !event.repeat) commands().redeal?.();
    else if (event.code === 'KeyU') commands().undo?.();
    else if (event.code === 'Escape') hand.clear();
    else if (arrow) return move(arrow);
    else return false;
    return true;
  }

  /** Moves the focus to the nearest place in a direction; sideways distance counts double. */
  function move([dx, dy]: readonly [number, number]): boolean {
    const places = [...(board()?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
    const focused = places.find((place) => place === document.activeElement);
    if (!focused) {
      places[0]?.focus();
      return places.length > 0;
    }
    const here = centre(focused);
    let best: { place: HTMLElement; distance: number } | null = null;
    for (const place of places) {
      if (place === focused) continue;
      const there = centre(place);
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (along < 8 || aside > along * 2.5) continue;
      const distance = along + 2 * aside;
      if (!best || distance < best.distance) best = { place, distance };
    }
    best?.place.focus();
    return true;
  }
}

function centre(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
