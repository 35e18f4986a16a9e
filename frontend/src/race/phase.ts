/** What stage a race is in, who leads it, and who sees what: derived, never stored. */
import type { Room } from '../net/room';
import type { RacerRow } from '../net/protocol.gen';

export type Phase = 'lobby' | 'countdown' | 'running' | 'closed';

/** @param now the server's Unix time in milliseconds */
export function phaseOf(room: Room, now: number): Phase {
  if (room.race.closed_at !== null || room.closed) return 'closed';
  if (room.race.starts_at === null) return 'lobby';
  return room.gone || now >= room.race.starts_at ? 'running' : 'countdown';
}

const MINUTE_MS = 60_000;
const LAST_MINUTES = 5;

/** In fewer than how many minutes time is up, once it is five or less; null before. */
export function minutesLeft(limitMin: number, elapsedMs: number): number | null {
  const left = Math.ceil((limitMin * MINUTE_MS - elapsedMs) / MINUTE_MS);
  return left > LAST_MINUTES ? null : Math.max(1, left);
}

const TICK_MS = 100;
/** A running clock shows whole seconds, and every look at it takes time from the cards. */
const RUNNING_TICK_MS = 250;

/**
 * Milliseconds until the screen is to be drawn again: just after each whole second to the start, so that the
 * countdown changes its figure on every screen at once, just after each quarter of a second from then on.
 */
export function untilTick(now: number, startsAt: number | null): number {
  if (startsAt === null) return TICK_MS;
  if (now >= startsAt) return RUNNING_TICK_MS - ((now - startsAt) % RUNNING_TICK_MS) + 1;
  return Math.min(TICK_MS, ((startsAt - now) % 1000) + 1);
}

/** The figure of the countdown: 5, 4, 3, 2, 1. */
export function figure(now: number, startsAt: number): number {
  return Math.max(1, Math.ceil((startsAt - now) / 1000));
}

export function ownRow(room: Room): RacerRow | null {
  return room.racers.find(({ racer }) => racer === room.you) ?? null;
}

/** Those who take part: a ghost runs along and takes no place. */
export function people(room: Room): RacerRow[] {
  return room.racers.filter(({ ghost }) => !ghost);
}

/** What decides between two racers: less is ahead, and equals share a place. */
function ahead(a: RacerRow, b: RacerRow): number {
  const group = (row: RacerRow): number => (row.outcome === 'won' ? 0 : row.outcome === null ? 1 : 2);
  return group(a) - group(b) || (a.outcome === 'won' ? (a.at ?? 0) - (b.at ?? 0) : b.home - a.home);
}

/** Racers in the order of the race: the winners by time, then who has most cards home, the rest last. */
export function inOrder(
  racers: readonly RacerRow[],
  stirred: Readonly<Record<string, number>> = {},
): RacerRow[] {
  return [...racers].sort(
    (a, b) => ahead(a, b) || (stirred[a.racer] ?? 0) - (stirred[b.racer] ?? 0) || a.racer - b.racer,
  );
}

/** The place of a racer now, from 1, shared with whoever is as far; ghosts are not counted. */
export function placeNow(room: Room, racer: number): number {
  const [own, all] = [room.racers.find((row) => row.racer === racer), people(room)];
  return own ? all.filter((row) => ahead(row, own) < 0).length + 1 : 0;
}

/** The rows of the results: by the places the server gave once the race is closed, until then by the order now. */
export function inResults(room: Room, closed: boolean): RacerRow[] {
  const order = inOrder(room.racers, room.stirred);
  if (!closed) return order;
  // A sort is stable: who shares a place stays in order, and ghosts go where their result would be.
  const [placed, ghosts] = [order.filter(({ ghost }) => !ghost), order.filter(({ ghost }) => ghost)];
  const rows = placed.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity));
  for (const ghost of ghosts) {
    const behind = rows.findIndex((row) => inOrder([ghost, row])[0] === ghost);
    rows.splice(behind < 0 ? rows.length : behind, 0, ghost);
  }
  return rows;
}

/** Those who brought all cards home first: several where the same millisecond is theirs. */
export function winners(room: Room): RacerRow[] {
  const won = inOrder(people(room)).filter(({ outcome }) => outcome === 'won');
  return won.filter(({ at }) => at === won[0]?.at);
}

/** The rivals to be drawn: those who still play and are nearest to the own place, then the others. A ghost shows progress, never a table. */
export function nearest(room: Room, count: number): ReadonlySet<number> {
  const order = inOrder(people(room), room.stirred);
  const own = order.findIndex(({ racer }) => racer === room.you);
  const rivals = order.map((row, index) => ({ row, distance: own < 0 ? index : Math.abs(index - own) }));
  return new Set(
    rivals
      .filter(({ row }) => row.racer !== room.you)
      .sort(
        (a, b) => Number(a.row.outcome !== null) - Number(b.row.outcome !== null) || a.distance - b.distance,
      )
      .slice(0, count)
      .map(({ row }) => row.racer),
  );
}
