/**
 * Where everything on a board lies. Measured once for a layout and kept: while cards move nothing is asked
 * of the page, so that a move never has it laid out before its frame.
 */
import { isPile, type PlaceId } from './places';

/** A box in CSS pixels from the board's upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Layout {
  /** what may be touched: card and label */
  readonly places: ReadonlyMap<PlaceId, Box>;
  /** where the lowest card of each place lies */
  readonly cards: ReadonlyMap<PlaceId, Box>;
  readonly nest: Box | null;
  /** by how much each further card of a pile lies higher */
  readonly thickness: number;
}

/** A card is 5 wide and 7 high. */
const UPRIGHT = 7 / 5;

export class Geometry {
  #board: HTMLElement;
  #layout: Layout | null = null;

  constructor(board: HTMLElement) {
    this.#board = board;
  }

  /** The layout may have changed: measure again when next asked. */
  forget(): void {
    this.#layout = null;
  }

  /** The touchable box of every place. */
  get places(): ReadonlyMap<PlaceId, Box> {
    return this.#measured().places;
  }

  /** The area of the foundations. */
  get nest(): Box | null {
    return this.#measured().nest;
  }

  /** Where the top one of `height` cards lies on a place. */
  card(place: PlaceId, height: number): Box | null {
    const { cards, thickness } = this.#measured();
    const box = cards.get(place);
    if (!box || !isPile(place)) return box ?? null;
    return { ...box, y: box.y - (Math.max(1, height) - 1) * thickness };
  }

  /** A point of the window as a point of the board. */
  local(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const { left, top } = this.#board.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #measured(): Layout {
    this.#layout ??= measure(this.#board);
    return this.#layout;
  }
}

function measure(board: HTMLElement): Layout {
  const { left, top } = board.getBoundingClientRect();
  const box = (element: Element): Box => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - left, y: y - top, width, height };
  };
  const places = new Map<PlaceId, Box>();
  const cards = new Map<PlaceId, Box>();
  for (const element of board.querySelectorAll<HTMLElement>('[data-place]')) {
    const place = element.dataset['place'] ?? '';
    places.set(place, box(element));
    const stack = box(element.querySelector('.stack') ?? element);
    const height = stack.width * UPRIGHT;
    cards.set(place, { ...stack, y: stack.y + stack.height - height, height });
  }
  const nest = board.querySelector('.nest');
  const thickness = parseFloat(getComputedStyle(board).getPropertyValue('--t')) || 0;
  return { places, cards, nest: nest && box(nest), thickness };
}

export function contains(box: Box, point: { x: number; y: number }): boolean {
  return (
    point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height
  );
}

/** The area that two boxes share, in square pixels. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}
