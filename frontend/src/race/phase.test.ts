import { describe, expect, it } from 'vitest';
import type { RacerRow } from '../net/protocol.gen';
import type { Room } from '../net/room';
import { newsOf } from './news';
import {
  figure,
  inOrder,
  inResults,
  minutesLeft,
  nearest,
  phaseOf,
  placeNow,
  untilTick,
  winners,
} from './phase';

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

describe('news', () => {
  const starting = { race: { starts_at: 1500, closed_at: null } };

  it('tell everybody but the host that a start was called off', () => {
    const told = (host: boolean): string | null =>
      newsOf(room([row(1, 8, { host })], 1, starting), room([row(1, 8, { host })]));
    expect([told(false), told(true)]).toEqual(['called_off', null]);
    expect(newsOf(room([], null, starting), room([], null))).toBe('called_off');
    expect(newsOf(room([row(1, 8)]), room([row(1, 8)], 1, starting))).toBeNull();
  });

  it('tell whoever has become the host, and nobody who has just come', () => {
    const hosting = room([row(1, 8, { host: true })]);
    expect(newsOf(room([row(1, 8)]), hosting)).toBe('host_now');
    expect(newsOf(hosting, hosting)).toBeNull();
    expect(newsOf(room([], null), hosting)).toBeNull();
    expect(newsOf(null, hosting)).toBeNull();
  });
});

describe('time', () => {
  it('is said to run out in its last five minutes', () => {
    const minute = 60_000;
    expect([0, 55 * minute - 1, 55 * minute].map((ms) => minutesLeft(60, ms))).toEqual([null, null, 5]);
    expect([56 * minute - 1, 56 * minute].map((ms) => minutesLeft(60, ms))).toEqual([5, 4]);
    expect([59 * minute, 60 * minute, 61 * minute].map((ms) => minutesLeft(60, ms))).toEqual([1, 1, 1]);
  });
});

describe('countdown', () => {
  it('changes its figure at whole seconds before the start, and is drawn just then', () => {
    expect([5000, 4001, 4000, 3999, 1, 0].map((left) => figure(10_000 - left, 10_000))).toEqual([
      5, 5, 4, 4, 1, 1,
    ]);
    expect(untilTick(10_000 - 4030, 10_000)).toBe(31);
    expect(untilTick(10_000 - 4500, 10_000)).toBe(100);
    expect(untilTick(10_000, 10_000)).toBe(251);
    expect(untilTick(10_980, 10_000)).toBe(21);
    expect(untilTick(0, null)).toBe(100);
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

  it('lets racers that are equally far share a place', () => {
    const racers = [row(1, 8), row(2, 8), row(3, 9), row(4, 7)];
    expect(racers.map(({ racer }) => placeNow(room(racers), racer))).toEqual([2, 2, 1, 4]);
  });

  it('draws the rivals that are nearest', () => {
    const racers = [row(1, 50), row(2, 60), row(3, 40), row(4, 90), row(5, 10)];
    expect([...nearest(room(racers), 2)].toSorted()).toEqual([2, 3]);
    expect([...nearest(room(racers, null), 2)].toSorted()).toEqual([2, 4]);
    // A table on which nothing will happen any more makes room for one that is played.
    const over = racers.map((each) => (each.racer === 2 ? { ...each, outcome: 'resigned' as const } : each));
    expect([...nearest(room(over), 2)].toSorted()).toEqual([3, 4]);
  });

  it('gives a ghost a line in the order and no place', () => {
    const ghost = row(9, 70, { ghost: true });
    const racers = [ghost, row(1, 50), row(2, 60)];
    expect(inOrder(racers).map(({ racer }) => racer)).toEqual([9, 2, 1]);
    expect([placeNow(room(racers), 2), placeNow(room(racers), 1)]).toEqual([1, 2]);
  });

  it('follows the places of the server once the race is over', () => {
    const placed = [
      row(1, 30, { outcome: 'resigned', place: 3 }),
      row(2, 40, { outcome: 'resigned', place: 2 }),
      row(3, 104, { outcome: 'won', at: 8000, place: 1 }),
      row(9, 104, { outcome: 'won', at: 9000, ghost: true }),
    ];
    expect(inResults(room(placed), true).map(({ racer }) => racer)).toEqual([3, 9, 2, 1]);
  });

  it('has two winners where one millisecond is theirs, and no ghost among them', () => {
    const ghost = row(9, 104, { outcome: 'won', at: 100, ghost: true });
    const equal = row(5, 104, { outcome: 'won', at: 8000 });
    expect(winners(room([won, equal, first, ghost])).map(({ racer }) => racer)).toEqual([3, 5]);
  });
});
