/** Keeps the time until the next day's deal up to date where Django wrote `data-until` (Unix ms). */

export function countDown(element: HTMLElement): void {
  const until = Number(element.dataset['until']);
  if (!Number.isFinite(until)) return;
  // The page's own wording stays: only its numbers change, hours in the first <b>, minutes in the second.
  const [hours, minutes] = element.querySelectorAll('[data-hours], [data-minutes]');
  const draw = (): void => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 60_000));
    if (hours) hours.textContent = String(Math.floor(left / 60));
    if (minutes) minutes.textContent = String(left % 60).padStart(2, '0');
  };
  draw();
  setInterval(draw, 15_000);
}
