/** What is drawn after the cards. */
import { untrack } from 'svelte';
import { inTurn } from './turns';

/** A value as it was drawn last, in its turn. For components: it follows as long as they are on the page. */
export class Later<T> {
  #value: T;

  constructor(value: () => T) {
    this.#value = $state.raw(untrack(value));
    $effect(() => {
      const next = value();
      return inTurn(() => {
        const changed = this.#value !== next;
        this.#value = next;
        return changed;
      });
    });
  }

  get current(): T {
    return this.#value;
  }
}
