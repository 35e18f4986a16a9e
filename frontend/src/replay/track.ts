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

export class Track {
  readonly name: string;
  readonly own: boolean;
  readonly data: ReplayData;
  readonly faces: Faces;
  /** `games[i]` is the game after `i` actions */
  readonly games: readonly Rival[];
  readonly redeals: number;

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
  }

  /** When the last action was played, in milliseconds. */
  get end(): number {
    return this.data.actions.at(-1)?.[1] ?? 0;
  }

  /** How many actions had been played at the moment `at`. */
  stepAt(at: number): number {
    let low = 0;
    let high = this.data.actions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.data.actions[middle]?.[1] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  tableAfter(step: number): RivalTable {
    return rivalTable(this.games[step] ?? START, this.faces, this.redeals);
  }

  /** Cards home after `step` actions, the eight bases included. */
  homeAfter(step: number): number {
    return 8 + (this.games[step]?.arrivals.filter((arrival) => 'slot' in arrival).length ?? 0);
  }
}
