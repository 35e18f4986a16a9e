/** How durations are written: 02:41 while the clock runs, 05:48.9 for a result. */

const two = (n: number): string => String(n).padStart(2, '0');

/** Minutes and seconds of `ms`, with hours in front once there are any. */
export function clockText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** As `clockText`, with tenths; cut, not rounded, so that nobody is given a second they did not reach. */
export function resultText(ms: number): string {
  return `${clockText(ms)}.${Math.floor((Math.max(0, ms) % 1000) / 100)}`;
}

/** Seconds with tenths, cut; below one with thousandths, as places are decided by them. */
export function secondsText(ms: number): string {
  const whole = Math.max(0, ms);
  return whole < 1000 ? (whole / 1000).toFixed(3) : (Math.floor(whole / 100) / 10).toFixed(1);
}

/** The distance to the winner: +0:23.5, and +0:00.043 below a second. */
export function gapText(ms: number): string {
  return ms < 1000 ? `+0:0${secondsText(ms)}` : `+${resultText(ms).replace(/^0/, '')}`;
}
