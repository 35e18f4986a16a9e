/** The moment of a replay: where it stands, whether it runs and how fast. */
import { onward, SPEEDS } from './pace';
import { momentsOf, type Track } from './track';

export class Playback {
  readonly end: number;
  /** milliseconds since the start of the game */
  at = $state(0);
  playing = $state(false);
  speed = $state<number>(4);
  /** whether long pauses are cut short */
  short = $state(false);
  readonly #moments: readonly number[];

  constructor(tracks: readonly Track[], at: number) {
    this.#moments = momentsOf(tracks);
    this.end = this.#moments.at(-1) ?? 0;
    this.at = Math.min(Math.max(0, at), this.end);
  }

  /** Play, from the start where the end is reached, or pause. */
  toggle(): void {
    if (!this.playing && this.at >= this.end) this.at = 0;
    this.playing = !this.playing;
  }

  /** Go to a moment; a replay that plays goes on from there. */
  seek(at: number): void {
    this.at = Math.min(Math.max(0, at), this.end);
  }

  /** Go to a moment and rest there. */
  rest(at: number): void {
    this.playing = false;
    this.seek(at);
  }

  /** One speed faster or slower. */
  shift(by: 1 | -1): void {
    const place = SPEEDS.findIndex((speed) => speed === this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place))] ?? 1;
  }

  /** Play from now on; returns what stops it. For an effect that runs while `playing`. */
  run(): () => void {
    let before = performance.now();
    let frame = 0;
    const draw = (now: number): void => {
      this.seek(onward(this.at, (now - before) * this.speed, this.#moments, this.short));
      before = now;
      if (this.at >= this.end) this.playing = false;
      else frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }
}
