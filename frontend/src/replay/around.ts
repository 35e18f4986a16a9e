/** What surrounds the games of a replay. */
import { resultText } from '../locale/time';
import type { Track } from './track';

/** A finished game that another can be compared with. */
export interface Other {
  readonly game: number;
  readonly name: string;
  /** when it was won, in milliseconds since its start; null where it wasn't */
  readonly won: number | null;
  /** cards home at its end */
  readonly home: number;
}

export interface Around {
  /** the code of the race they were played in, null for a game played alone */
  readonly race: string | null;
  /** whether everybody may have the cards, and so a file of each game */
  readonly open: boolean;
  /** whether its games may run along as ghosts */
  readonly ghost: boolean;
  /** other games of the deal that a single game can be compared with */
  readonly others: readonly Other[];
}

export function otherOf(track: Track): Other {
  const { data, name, end, times } = track;
  return {
    game: data.game,
    name,
    won: data.outcome === 'won' ? end : null,
    home: track.homeAfter(times.length),
  };
}

/** Its time where it was won, else how many cards were home. */
export function resultOf({ won, home }: Other): string {
  return won === null ? `${home} / 104` : resultText(won);
}
