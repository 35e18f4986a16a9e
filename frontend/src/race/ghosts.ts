/** Which finished games can run along: the boards of a deal, and a link that somebody typed. */
import { ask } from '../net/http';

interface BoardRow {
  readonly game: number;
}
interface Board {
  readonly rows: readonly BoardRow[];
  readonly own: BoardRow | null;
}

export interface Candidates {
  /** the reader's best won game on the deal */
  readonly own: number | null;
  /** the best of all */
  readonly best: number | null;
}

/** @throws HttpProblem */
export async function candidates(deal: string): Promise<Candidates> {
  const { rows, own } = await ask<Board>('GET', `/api/deals/${deal}/leaderboard?by=time`);
  return { own: own?.game ?? null, best: rows[0]?.game ?? null };
}

/** A sealed deal has finished games only once it is open. */
export async function isRevealed(deal: string): Promise<boolean> {
  return (await ask<{ revealed: boolean }>('GET', `/api/deals/${deal}?cards=no`)).revealed;
}

/** The game that a link or a number means, or null. */
export function gameOf(typed: string): number | null {
  const text = typed.trim();
  const digits = /^#?(\d+)$/.exec(text)?.[1] ?? /\/games\/(\d+)(?:[/?#]|$)/.exec(text)?.[1];
  const game = Number(digits);
  return digits !== undefined && Number.isSafeInteger(game) ? game : null;
}
