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

export function ownRow(room: Room): RacerRow | null {
  return room.racers.find(({ racer }) => racer === room.you) ?? null;
}

/** Racers in the order of the race: the winners by time, then who has most cards home, the rest last. */
export function inOrder(
  racers: readonly RacerRow[],
  stirred: Readonly<Record<string, number>> = {},
): RacerRow[] {
  const group = (row: RacerRow): number => (row.outcome === 'won' ? 0 : row.outcome === null ? 1 : 2);
  return [...racers].sort(
    (a, b) =>
      group(a) - group(b) ||
      (a.outcome === 'won' ? (a.at ?? 0) - (b.at ?? 0) : b.home - a.home) ||
      (stirred[a.racer] ?? 0) - (stirred[b.racer] ?? 0) ||
      a.racer - b.racer,
  );
}

/** The place of a racer now, from 1. */
export function placeNow(room: Room, racer: number): number {
  return inOrder(room.racers, room.stirred).findIndex((row) => row.racer === racer) + 1;
}

/** The rivals in order, nearest to the own place first among those to be drawn. */
export function nearest(room: Room, count: number): ReadonlySet<number> {
  const order = inOrder(room.racers, room.stirred);
  const own = order.findIndex(({ racer }) => racer === room.you);
  const rivals = order.map((row, index) => ({ row, distance: own < 0 ? index : Math.abs(index - own) }));
  return new Set(
    rivals
      .filter(({ row }) => row.racer !== room.you)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, count)
      .map(({ row }) => row.racer),
  );
}
