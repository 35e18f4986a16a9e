/** What Django tells a page about itself, as JSON in the element #boot. */
import type { Around } from '../replay/around';

export interface RaceBoot {
  /** the race's code */
  race: string;
  /** the name this visitor goes by, null for a newcomer */
  you_name: string | null;
  signed_in: boolean;
  /** where the day's deal is whose counted game this is, null for any other race */
  day: string | null;
}

/** A replay: of one game, or of all games of a race. */
export interface GameBoot extends Around {
  /** in order of place */
  games: { game: number; name: string; you: boolean }[];
}

export function boot<Data>(): Data {
  return JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Data;
}
