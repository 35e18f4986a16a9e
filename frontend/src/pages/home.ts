/** The home page: drawn by Django; the join box takes a link, a race code or a deal code with no round trip. */
import '../style/home.css';
import { targetOf } from '../site/join';

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
