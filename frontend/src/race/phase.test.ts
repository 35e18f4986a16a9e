import { describe, expect, it } from 'vitest';
import type { RacerRow } from '../net/protocol.gen';
import type { Room } from '../net/room';
import { inOrder, nearest, phaseOf, placeNow } from './phase';

function row(racer: number, home: number, changes: Partial<RacerRow> = {}): RacerRow {
  const rest = {
    name: '',
    host: false,
    ready: true,
    online: true,
    moves: 0,
    redeals: 0,
    blocked: false,
    ghost: false,
  };
  return { ...rest, racer, home, outcome: null, at: null, place: null, ...changes };
}

function room(racers: RacerRow[], you: number | null = 1, changes: object = {}): Room {
  const race = { starts_at: null, closed_at: null };
  return { you, racers, race, stirred: {}, gone: false, closed: null, ...changes } as unknown as Room;
}

describe('phase', () => {
  it('follows from the times of the race', () => {
    const at = (starts_at: number | null, closed_at: number | null = null, gone = false): string =>
      phaseOf(room([], 1, { race: { starts_at, closed_at }, gone }), 1000);
    expect([at(null), at(1001), at(1000), at(500, 900)]).toEqual(['lobby', 'countdown', 'running', 'closed']);
  });

  it('believes go more than the own clock', () => {
    expect(phaseOf(room([], 1, { race: { starts_at: 1500, closed_at: null }, gone: true }), 1000)).toBe(
      'running',
    );
  });
});

describe('order', () => {
  const won = row(4, 104, { outcome: 'won', at: 9000 });
  const first = row(3, 104, { outcome: 'won', at: 8000 });
  const out = row(2, 90, { outcome: 'resigned', at: 100 });

  it('has winners by time, then cards home, then those who gave up', () => {
    const racers = [out, row(1, 30), won, row(5, 40), first];
    expect(inOrder(racers).map(({ racer }) => racer)).toEqual([3, 4, 5, 1, 2]);
    expect(placeNow(room(racers), 1)).toBe(4);
  });

  it('draws the rivals that are nearest', () => {
    const racers = [row(1, 50), row(2, 60), row(3, 40), row(4, 90), row(5, 10)];
    expect([...nearest(room(racers), 2)].toSorted()).toEqual([2, 3]);
    expect([...nearest(room(racers, null), 2)].toSorted()).toEqual([2, 4]);
  });
});
