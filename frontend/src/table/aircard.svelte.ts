/** One card above the board, in a layer of its own that the compositor moves alone. */
import type { Geometry } from './geometry';
import { EASE, FLIP_MS } from './motion';
import type { PlaceId } from './places';

const MOVE_MS = 180;
/** So long a card stays where it lay before it slides: until then what it leaves behind has been drawn. */
const HOLD_MS = 16;
/** An animation that has ended is taken from the compositor, which costs a frame: none ever does. */
const ENDLESS_MS = 60_000;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Beside the board, where nothing is seen; not so far that the browser would forget how it is painted. */
export const PARKED: Point = { x: -1000, y: 0 };

/** One card in the air, or one that waits to be. */
export class AirCard {
  code = $state<string | null>(null);
  held = $state(false);
  /** where it will lie */
  to: PlaceId = '';
  /** where it is, or where it is going */
  at = PARKED;
  #node: HTMLElement | null = null;
  /** by which it is moved always, also from the hand: made once, since to begin one costs more */
  #motion: Animation | null = null;
  #frames: Keyframe[] = [];
  #moving = false;
  #arriving: ReturnType<typeof setTimeout> | undefined;

  /** Where it is to be seen now, in the middle of a slide or not. */
  seen(geometry: Geometry): Point {
    if (!this.#node || !this.#moving) return this.at;
    const { left, top } = this.#node.getBoundingClientRect();
    return geometry.local({ clientX: left, clientY: top });
  }

  /** Draws it here from now on. */
  place(at: Point): void {
    this.#begin(at, [{ transform: shift(at) }, { transform: shift(at) }], false);
  }

  /** Slides it from where it is. */
  slide(goal: Point, arrived: () => void): void {
    this.#play(goal, shift(this.at), [HOLD_MS, MOVE_MS], arrived);
  }

  /** Turns it over to lie here. */
  turn(at: Point, arrived: () => void): void {
    this.#play(at, `${shift(at)} scaleX(0)`, [0, FLIP_MS], arrived);
  }

  /** Takes it off the board. */
  park(): void {
    this.held = false;
    this.place(PARKED);
  }

  /** Takes the element it is drawn by; for `{@attach}`. */
  mount = (node: Element): void => {
    this.#node = node as HTMLElement;
    this.#motion = node.animate([], { duration: ENDLESS_MS, fill: 'both' });
    this.#motion.pause();
    if (this.#frames.length > 0) this.#show();
    else this.place(this.at);
  };

  /** Moves it from the first of two moments to the second, in milliseconds from now. */
  #play(goal: Point, from: string, [start, end]: [number, number], arrived: () => void): void {
    const [away, here] = [{ transform: from }, { transform: shift(goal) }];
    const frames = [
      away,
      { ...away, offset: start / ENDLESS_MS, easing: EASE },
      { ...here, offset: end / ENDLESS_MS },
      here,
    ];
    this.#begin(goal, frames, true);
    this.#arriving = setTimeout(arrived, end);
  }

  #begin(at: Point, frames: Keyframe[], moving: boolean): void {
    clearTimeout(this.#arriving);
    this.at = at;
    this.#frames = frames;
    this.#moving = moving;
    this.#show();
  }

  #show(): void {
    if (!this.#motion) return;
    (this.#motion.effect as KeyframeEffect).setKeyframes(this.#frames);
    this.#motion.currentTime = 0;
    if (this.#moving) this.#motion.play();
    else if (this.#motion.playState !== 'paused') this.#motion.pause();
  }
}

function shift({ x, y }: Point): string {
  return `translate(${x}px,${y}px)`;
}
