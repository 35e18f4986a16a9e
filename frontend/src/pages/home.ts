/** The home page: drawn by Django; the join box takes a link, a race code or a deal
 * code with no round trip, and the list of open races keeps itself up to date. */
import '../style/home.css';
import { targetOf } from '../site/join';
import { keepLive } from '../site/live';

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-join]')) {
  form.addEventListener('submit', (event) => {
    const input = form.querySelector<HTMLInputElement>('input[name="code"], input.input');
    const target = input && targetOf(input.value, location.origin);
    // What can't be read here goes to the server, which explains what is wrong with it.
    if (!target) return;
    event.preventDefault();
    location.assign(target);
  });
}

for (const element of document.querySelectorAll<HTMLElement>('[data-live]')) keepLive(element);
