/** Pages with a leaderboard: drawn by Django; a click on a deal's code copies it, and the board keeps
 * itself up to date. */
import '../style/deal.css';
import '../style/boards.css';
import '../style/compare.css';
import { pick } from '../site/pick';
import { copy } from '../race/copy';
import { keepLive } from '../site/live';

for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  button.addEventListener('click', () => {
    void copy(button.dataset['copy'] ?? '').then((done) => {
      if (!done) return;
      button.dataset['copied'] = '';
      setTimeout(() => delete button.dataset['copied'], 1500);
    });
  });
}

for (const element of document.querySelectorAll<HTMLElement>('[data-live]')) keepLive(element);

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-pick]')) pick(form);
