/** The player's choices at the table, each kept at once. */
import {
  cardSize,
  fourColours,
  setCardSize,
  setFourColours,
  setTheme,
  theme,
  type CardSize,
  type Theme,
} from '../site/appearance';
import { store, stored } from '../site/kept';

class Settings {
  #explain = $state(stored('explain') !== 'off');
  #mirrored = $state(stored('mirrored') === 'on');
  #sound = $state(stored('sound') === 'on');
  #four = $state(fourColours());
  #theme = $state<Theme>(theme());
  #cards = $state<CardSize>(cardSize());

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

  get theme(): Theme {
    return this.#theme;
  }
  set theme(chosen: Theme) {
    this.#theme = chosen;
    setTheme(chosen);
  }

  /** how large the cards are drawn, where the screen leaves a choice */
  get cards(): CardSize {
    return this.#cards;
  }
  set cards(size: CardSize) {
    this.#cards = size;
    setCardSize(size);
  }
}

export const settings = new Settings();
