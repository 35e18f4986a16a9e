/** The race, and the evening it belongs to, as anybody may ask for them. */
import { ask } from '../net/http';
import type { DealRow, RaceRow, RacerRow } from '../net/protocol.gen';

/** What a player has gathered over a chain of rematches. */
export interface Score {
  readonly player: string;
  readonly points: number;
  readonly races: number;
  readonly wins: number;
}

export interface RaceState {
  readonly race: RaceRow;
  readonly deal: DealRow;
  readonly racers: readonly RacerRow[];
  /** over the closed races of the evening up to this one, most points first */
  readonly tally: readonly Score[];
}

export function fetchRace(code: string): Promise<RaceState> {
  return ask<RaceState>('GET', `/api/races/${code}`);
}

export function takeSeat(code: string): Promise<{ racer: number }> {
  return ask<{ racer: number }>('POST', `/api/races/${code}/seat`);
}
