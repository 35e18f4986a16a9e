/** A deal's page: drawn by Django; a click on the code copies it. */
import '../style/deal.css';
import '../style/boards.css';
import { copy } from '../race/copy';

for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  button.addEventListener('click', () => {
    void copy(button.dataset['copy'] ?? '').then((done) => {
      if (!done) return;
      button.dataset['copied'] = '';
      setTimeout(() => delete button.dataset['copied'], 1500);
    });
  });
}
