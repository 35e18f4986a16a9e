/** A short buzz under the finger where the device has one; still where reduced motion is asked for. */
import { still } from '../table/motion';
import type { Sound } from './sound';

/** Milliseconds of buzz, pause, buzz; what has none is only heard. */
const PATTERNS: Partial<Record<Sound, number[]>> = {
  card: [8],
  redeal: [12, 40, 12],
  refused: [30, 50, 30],
  won: [40, 60, 40, 60, 120],
};

let finger: MediaQueryList | undefined;

export function buzz(name: Sound): void {
  const pattern = PATTERNS[name];
  if (!pattern || !('vibrate' in navigator)) return;
  finger ??= matchMedia('(pointer: coarse)');
  if (!finger.matches || still()) return;
  // Before the first touch a browser refuses and complains in the console.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate(pattern);
}
