/** The games that the Python engine wrote down, for the tests. */
import type { Shown, Table } from './table.ts';

export interface Step {
  readonly code: string;
  readonly refusal?: string;
  readonly shown?: Shown;
  readonly legal?: string;
  readonly table?: Table;
}

export interface Game {
  readonly about: string;
  readonly layout?: string;
  readonly redeals: number;
  readonly start: Table;
  readonly legal: string;
  readonly won: boolean;
  readonly blocked: boolean;
  /** slots uncovered at the end */
  readonly seen: readonly number[];
  readonly steps: readonly Step[];
}

/** Every game by the name of its file. */
export const GAMES: readonly (readonly [string, Game])[] = Object.entries(
  import.meta.glob<Game>('../../../tests/vectors/*.json', { eager: true, import: 'default' }),
).map(([path, game]) => [path.replace(/^.*\/|\.json$/g, ''), game]);
