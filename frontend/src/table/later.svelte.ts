/** What may be drawn a frame after the card has begun to move, so that its own frame stays short. */
import { untrack } from 'svelte';

/** Runs something in the frame after the next one; returned is how to call it off. */
export function afterFrame(run: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(run)));
  return () => cancelAnimationFrame(frame);
}

/** A value as it was a frame ago. For components: it follows as long as they are on the page. */
export class Later<T> {
  #value: T;

  constructor(value: () => T) {
    this.#value = $state.raw(untrack(value));
    $effect(() => {
      const next = value();
      return afterFrame(() => (this.#value = next));
    });
  }

  get current(): T {
    return this.#value;
  }
}
