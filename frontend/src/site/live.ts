/** Parts of a page that keep themselves up to date, by asking the server for them while the page is seen. */

const EVERY_MS = 4_000;

/** Keeps `element` as its address in `data-live` gives it. */
export function keepLive(element: HTMLElement): void {
  const address = element.dataset['live'];
  if (!address) return;
  let shown: string | null = null;

  async function look(): Promise<void> {
    if (document.visibilityState === 'hidden' || !address) return;
    const response = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
    if (!response?.ok) return;
    const html = await response.text();
    if (html === shown) return;
    shown = html;
    replace(element, html);
  }

  setInterval(() => void look(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void look());
}

/** Whoever is on a link of the list stays on it where it is still there. */
function replace(element: HTMLElement, html: string): void {
  const focused = document.activeElement;
  const href = element.contains(focused) ? focused?.getAttribute('href') : null;
  const fresh = document.createElement('template');
  fresh.innerHTML = html;
  element.replaceChildren(fresh.content);
  if (!href) return;
  for (const link of element.querySelectorAll<HTMLAnchorElement>('a')) {
    if (link.getAttribute('href') === href) link.focus();
  }
}
