/** What every page shares: its styles, the theme switch and the language menu of the header. */
import '../style/tokens.css';
import '../style/base.css';
import '../style/controls.css';
import '../style/lists.css';
import '../style/page.css';
import '../style/site.css';
import '../style/card.css';
import '../style/place.css';
import '../style/mini.css';
import '../style/spots.css';
import '../table/cards.svg';
import { applyAppearance, isDark, switchTheme } from '../site/appearance';
import { countDown } from '../site/countdown';
import { browsers } from '../site/kept';

applyAppearance();

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-theme-switch]')) {
  const show = (): void => button.setAttribute('aria-pressed', String(isDark()));
  button.hidden = false;
  button.addEventListener('click', () => {
    switchTheme();
    show();
  });
  show();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
}

// Without script the form has a button; with it, choosing is enough.
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-language]')) {
  form.querySelector('button')?.setAttribute('hidden', '');
  form.querySelector('select')?.addEventListener('change', () => form.requestSubmit());
}

// Whoever makes an account takes along what this browser keeps.
for (const field of document.querySelectorAll<HTMLInputElement>('input[data-browsers]')) {
  field.value = JSON.stringify(browsers());
}

for (const element of document.querySelectorAll<HTMLElement>('[data-until]')) countDown(element);
