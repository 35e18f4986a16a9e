/** From a game that can't go on to the next one: the same options, a new deal of the same kind. */
import { ask, HttpProblem } from '../net/http';
import type { Room } from '../net/room';

/** What to ask for to get another deal of a kind. */
const WISH = { S: 'sealed', F: 'four', N: 'random' } as const;

/** Opens it and goes there; gives the reason where that fails. */
export async function newGame({ race, deal }: Room): Promise<string> {
  const { seats, openness, undo, start, time_limit_min } = race;
  const options = { deal: WISH[deal.kind], seats, openness, undo, start, time_limit_min };
  try {
    location.assign((await ask<{ url: string }>('POST', '/api/races', options)).url);
    return '';
  } catch (error) {
    return error instanceof HttpProblem ? error.reason : 'unavailable';
  }
}
