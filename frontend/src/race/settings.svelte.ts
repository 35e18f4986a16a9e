/** The player's choices at the table, kept in this browser. */
import { fourColours, setFourColours, store, stored } from '../site/appearance';

class Settings {
  #explain = $state(stored('explain') !== 'off');
  #mirrored = $state(stored('mirrored') === 'on');
  #sound = $state(stored('sound') === 'on');
  #four = $state(fourColours());

  /** says why a move is refused; off, the card only shakes */
  get explain(): boolean {
    return this.#explain;
  }
  set explain(on: boolean) {
    this.#explain = on;
    store('explain', on ? 'on' : 'off');
  }

  /** left and right swapped, for the left hand */
  get mirrored(): boolean {
    return this.#mirrored;
  }
  set mirrored(on: boolean) {
    this.#mirrored = on;
    store('mirrored', on ? 'on' : 'off');
  }

  get sound(): boolean {
    return this.#sound;
  }
  set sound(on: boolean) {
    this.#sound = on;
    store('sound', on ? 'on' : 'off');
  }

  get four(): boolean {
    return this.#four;
  }
  set four(on: boolean) {
    this.#four = on;
    setFourColours(on);
  }
}

export const settings = new Settings();
