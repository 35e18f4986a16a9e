/** Theme, suit colours and the size of cards: kept, written on <html>, and told to Django by a cookie. */
import { store, stored, tell } from './kept';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** How large the cards are drawn: as large as the screen takes, or smaller. */
export const CARD_SIZES = ['l', 'm', 's'] as const;
export type CardSize = (typeof CARD_SIZES)[number];

export function setTheme(chosen: Theme): void {
  store('theme', chosen);
  tell('theme', chosen === 'auto' ? '' : chosen);
  applyTheme(chosen);
}

export function theme(): Theme {
  return THEMES.find((each) => each === stored('theme')) ?? 'auto';
}

function applyTheme(chosen: Theme): void {
  if (chosen === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : systemIsDark();
}

/** The other of light and dark. What the system wants anyway is not stored: then the page follows it again. */
export function switchTheme(): void {
  const dark = !isDark();
  setTheme(dark === systemIsDark() ? 'auto' : dark ? 'dark' : 'light');
}

function systemIsDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

export function setCardSize(size: CardSize): void {
  store('cards', size);
  applyCardSize(size);
}

export function cardSize(): CardSize {
  return CARD_SIZES.find((each) => each === stored('cards')) ?? 'l';
}

function applyCardSize(size: CardSize): void {
  if (size === 'l') delete document.documentElement.dataset['cards'];
  else document.documentElement.dataset['cards'] = size;
}

export function setFourColours(on: boolean): void {
  store('suits', on ? '4' : '2');
  tell('suits', on ? '4' : '');
  applySuits(on);
}

export function fourColours(): boolean {
  return stored('suits') === '4';
}

function applySuits(on: boolean): void {
  if (on) document.documentElement.dataset['suits'] = '4';
  else delete document.documentElement.dataset['suits'];
}

/** Puts the stored look on the page. */
export function applyAppearance(): void {
  if (theme() !== 'auto') applyTheme(theme());
  if (fourColours()) applySuits(true);
  applyCardSize(cardSize());
}
