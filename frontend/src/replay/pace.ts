/** How the moment shown moves on while a replay plays: the real gaps between actions, or long ones cut short. */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** so much is played of a pause that is cut short, in milliseconds of the game */
export const KEPT_MS = 2_000;

/**
 * The moment `by` milliseconds of play after `at`. With `short`, no pause between two of the `moments` (ascending)
 * takes longer than KEPT_MS; what comes after the last of them isn't a pause.
 */
export function onward(at: number, by: number, moments: readonly number[], short: boolean): number {
  if (!short || by <= 0) return at + by;
  let now = at;
  let left = by;
  for (let index = countUpTo(moments, at); index < moments.length; index += 1) {
    const next = moments[index] ?? now;
    const kept = Math.max(0, Math.min(next, (moments[index - 1] ?? 0) + KEPT_MS) - now);
    if (left < kept) return now + left;
    left -= kept;
    now = next;
  }
  return now + left;
}

/** How many of the ascending `moments` are not after `at`. */
export function countUpTo(moments: readonly number[], at: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
