/** A finished game as the server tells it. */
import { ask } from '../net/http';

export interface ReplayData {
  game: number;
  deal: string;
  /** 96 cards; `??` where a face is not known to this reader */
  layout: string | null;
  /** every action with its time in milliseconds since the start */
  actions: [string, number][];
  /** for each slot after how many actions its player first saw the card: 0 from the start, null never */
  uncovered: (number | null)[];
  outcome: 'won' | 'resigned' | 'expired' | null;
  player?: string;
}

export function fetchReplay(game: number): Promise<ReplayData> {
  return ask<ReplayData>('GET', `/api/games/${game}/replay`);
}
