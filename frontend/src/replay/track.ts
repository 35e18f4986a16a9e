/** One game on the time line: its position after every action. */
import {
  advance,
  facesOf,
  rivalTable,
  START,
  type Faces,
  type Rival,
  type RivalTable,
} from '../engine/rival';
import type { ReplayData } from './fetch';
import { countUpTo } from './pace';

export class Track {
  readonly name: string;
  readonly own: boolean;
  readonly data: ReplayData;
  readonly faces: Faces;
  /** `games[i]` is the game after `i` actions */
  readonly games: readonly Rival[];
  readonly redeals: number;
  /** when each action was played, in milliseconds */
  readonly times: readonly number[];
  #drawn: { step: number; table: RivalTable } | null = null;

  constructor(data: ReplayData, name: string, own: boolean) {
    this.data = data;
    this.name = name;
    this.own = own;
    this.redeals = data.deal.charAt(4) === 'F' ? 4 : 3;
    const faces = Object.entries(facesOf(data.layout ?? '')).filter(([, card]) => /^[^?]{2}$/.test(card));
    this.faces = Object.fromEntries(faces);
    const games = [START];
    for (const [code] of data.actions) games.push(advance(games.at(-1) ?? START, code));
    this.games = games;
    this.times = data.actions.map(([, at]) => at);
  }

  /** When the last action was played, in milliseconds. */
  get end(): number {
    return this.times.at(-1) ?? 0;
  }

  /** How many actions had been played at the moment `at`. */
  stepAt(at: number): number {
    return countUpTo(this.times, at);
  }

  /** When the action that led to a step was played; 0 for the start. */
  timeOf(step: number): number {
    return this.times[step - 1] ?? 0;
  }

  /** The table after `step` actions; asked again for the same step, the same object. */
  tableAfter(step: number): RivalTable {
    if (this.#drawn?.step !== step) {
      this.#drawn = { step, table: rivalTable(this.games[step] ?? START, this.faces, this.redeals) };
    }
    return this.#drawn.table;
  }

  /** Cards home after `step` actions, the eight bases included. */
  homeAfter(step: number): number {
    return 8 + (this.games[step]?.arrivals.filter((arrival) => 'slot' in arrival).length ?? 0);
  }
}

/** Every moment at which something is played in any of the games, ascending. */
export function momentsOf(tracks: readonly Track[]): number[] {
  return [...new Set(tracks.flatMap(({ times }) => times))].sort((one, other) => one - other);
}

/** Who is ahead at a moment, by index: whoever was home first, else by cards home, then by fewer moves. */
export function leadersAt(tracks: readonly Track[], at: number): number[] {
  const standing = tracks.map((track) => {
    const step = track.stepAt(at);
    const home = track.homeAfter(step);
    return home === 104 ? [0, track.end, 0] : [1, -home, track.games[step]?.moves ?? 0];
  });
  const best = standing.reduce((one, other) => (compare(other, one) < 0 ? other : one), [2]);
  const leaders = standing.flatMap((one, index) => (compare(one, best) === 0 ? [index] : []));
  return leaders.length < tracks.length || best[0] === 0 ? leaders : [];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place < 0 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}
