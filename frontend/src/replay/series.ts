/** The line of one game in the chart: cards home over time, and what happened when. */
import type { ReplayData } from './fetch';
import { Track } from './track';

export interface Series {
  readonly name: string;
  readonly own: boolean;
  /** [milliseconds, cards home], where it changed */
  readonly points: readonly (readonly [number, number])[];
  /** when each action was played */
  readonly times: readonly number[];
  readonly redeals: readonly number[];
  readonly undos: readonly number[];
  /** pauses longer than ten seconds, from and to */
  readonly thinks: readonly (readonly [number, number])[];
  readonly end: number;
}

const LONG_THINK_MS = 10_000;

export function seriesOf(data: ReplayData, name: string, own: boolean): Series {
  return seriesOfTrack(new Track(data, name, own));
}

export function seriesOfTrack(track: Track): Series {
  const points: [number, number][] = [[0, 8]];
  const thinks: [number, number][] = [];
  let before = 0;
  track.data.actions.forEach(([, at], index) => {
    const home = track.homeAfter(index + 1);
    if (home !== points.at(-1)?.[1]) points.push([at, home]);
    if (at - before >= LONG_THINK_MS) thinks.push([before, at]);
    before = at;
  });
  const timesOf = (code: string): number[] =>
    track.data.actions.filter(([each]) => each === code).map(([, at]) => at);
  const { name, own, times, end } = track;
  return { name, own, points, times, redeals: timesOf('**'), undos: timesOf('<<'), thinks, end };
}

/** The value of a line at a moment. */
export function homeAt(series: Series, at: number): number {
  return series.points.findLast(([time]) => time <= at)?.[1] ?? 8;
}
