/** What the address of a replay says: the moment, and which racer is large. */

export interface Asked {
  /** milliseconds since the start */
  readonly at: number;
  /** the number of a game, null: not said */
  readonly racer: number | null;
}

export function read(search: string): Asked {
  const words = new URLSearchParams(search);
  const racer = Number(words.get('racer'));
  return { at: Math.max(0, Number(words.get('at')) || 0), racer: racer > 0 ? racer : null };
}

export function write({ at, racer }: Asked): string {
  const words = new URLSearchParams();
  const moment = Math.round(at);
  if (moment > 0) words.set('at', String(moment));
  if (racer !== null) words.set('racer', String(racer));
  const text = words.toString();
  return text && `?${text}`;
}
