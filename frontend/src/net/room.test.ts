import { describe, expect, it } from 'vitest';
import { countsAlone, heardVersion, receive, type Effect, type Room } from './room';
import type { RacerRow, ServerMessage, WireTable } from './protocol.gen';

type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

const table: WireTable = {
  tops: { a: '2S', b: '5H', c: '3S' },
  heights: { ...Object.fromEntries([...'abcdefghijklmnop'].map((pile) => [pile, 6])) },
  up: { S: 'AS', H: 'AH', D: 'AD', C: 'AC' },
  down: { S: 'KS', H: 'KH', D: 'KD', C: 'KC' },
  redeals_left: 3,
  moves: 0,
  home: 8,
  undo: 0,
};

function racer(id: number, changes: Partial<RacerRow> = {}): RacerRow {
  return {
    racer: id,
    name: `Racer ${id}`,
    host: id === 1,
    ready: true,
    online: true,
    home: 8,
    moves: 0,
    redeals: 0,
    blocked: false,
    ghost: false,
    outcome: null,
    at: null,
    place: null,
    ...changes,
  };
}

function welcome(changes: Partial<Welcome> = {}): Welcome {
  return {
    type: 'welcome',
    you: 1,
    race: {
      code: 'K7QM2',
      host: 1,
      seats: 3,
      openness: 'moves',
      undo: true,
      start: 'host',
      time_limit_min: 60,
      listed: false,
      starts_at: 1000,
      closed_at: null,
      next: null,
      version: 7,
    },
    deal: { code: 'CR1-S-QKZMWAB', kind: 'S', commitment: 'ab' },
    racers: [racer(1), racer(2)],
    seq: 0,
    table,
    seen: { '5': '2S', '11': '5H', '17': '3S' },
    logs: { '1': '', '2': '' },
    now: 2000,
    ...changes,
  };
}

function after(...messages: ServerMessage[]): { room: Room; effects: Effect[] } {
  let room: Room | null = null;
  const effects: Effect[] = [];
  for (const message of messages) {
    const step = receive(room, message);
    room = step.room;
    effects.push(...step.effects);
  }
  if (!room) throw new Error('no welcome');
  return { room, effects };
}

const pong = (version: number): ServerMessage => ({ type: 'pong', sent: 0, now: 0, version });

describe('room', () => {
  it('is nothing before a welcome', () => {
    expect(receive(null, { type: 'go', table, now: 0 }).room).toBeNull();
  });

  it('inserts, replaces and removes rows of the roster', () => {
    const { room } = after(
      welcome(),
      { type: 'racer', ...racer(3) },
      { type: 'racer', ...racer(2, { ready: false }) },
      { type: 'racer', ...racer(3), left: true },
    );
    expect(room.racers).toEqual([racer(1), racer(2, { ready: false })]);
  });

  it('is a watcher’s from when the own seat is gone', () => {
    const { room, effects } = after(welcome(), { type: 'racer', ...racer(1), left: true });
    expect(room.you).toBeNull();
    expect(room.outbox.confirmed).toBeNull();
    expect(room.racers).toEqual([racer(2)]);
    expect(effects).toEqual([{ do: 'unseated' }]);
    expect(after(welcome(), { type: 'racer', ...racer(2), left: true }).effects).toEqual([]);
  });

  it('knows when rivals are told of by counts alone though the race is more open than that', () => {
    const told = (...more: ServerMessage[]): boolean => countsAlone(after(...more).room);
    const shy = { ...welcome().race, openness: 'progress' as const };
    const early = { ...welcome().race, starts_at: 9000 };
    const counts: ServerMessage = { type: 'moved', moves: [[2, 1, null, 500, 9, 1, 0]] };
    expect(told(welcome())).toBe(false);
    expect(told(welcome({ race: shy }))).toBe(true);
    expect(told(welcome({ logs: { '1': '' } }))).toBe(true);
    expect(told(welcome({ race: early, logs: {} }))).toBe(false);
    expect(told(welcome(), counts)).toBe(true);
    expect(told(welcome(), counts, welcome())).toBe(false);
    expect(told(welcome({ racers: [racer(1), racer(2, { ghost: true })] }), counts)).toBe(false);
  });

  it('merges what changed of the race', () => {
    const { room } = after(welcome(), { type: 'race', seats: 4, version: 8 });
    expect(room.race).toMatchObject({ seats: 4, version: 8, code: 'K7QM2' });
  });

  it('gets its table and its first faces at go', () => {
    const { room } = after(welcome({ table: null, seen: {}, logs: {} }), { type: 'go', table, now: 1000 });
    expect(room.gone).toBe(true);
    expect(room.outbox.confirmed).toEqual(table);
    expect(room.seen).toMatchObject({ 5: '2S', 11: '5H', 17: '3S' });
  });

  it('adds an own answered move to the log, and the uncovered card to the known faces', () => {
    const { room } = after(welcome(), {
      type: 'acted',
      seq: 1,
      code: 'a+',
      at: 900,
      moves: 1,
      shown: { a: '9D' },
    });
    expect(room.logs['1']).toBe('a+');
    expect(room.seen['4']).toBe('9D');
    expect(room.outbox.seq).toBe(1);
    expect(room.racers[0]).toMatchObject({ home: 9, moves: 1 });
    expect(room.stirred['1']).toBe(900);
  });

  it('follows the moves of rivals, and ignores rows it has had', () => {
    const moved: ServerMessage = { type: 'moved', moves: [[2, 1, 'a+', 700, 9, 1, 0]] };
    const { room } = after(welcome(), moved, moved);
    expect(room.logs['2']).toBe('a+');
    expect(room.games['2']?.piles[0]).toHaveLength(5);
    expect(room.racers[1]).toMatchObject({ home: 9, moves: 1, redeals: 0 });
    expect(room.seen).toEqual(welcome().seen);
  });

  it('does not draw moves that do not follow', () => {
    const { room } = after(welcome(), { type: 'moved', moves: [[2, 3, 'a+', 700, 9, 3, 0]] });
    expect(room.logs['2']).toBe('');
    expect(room.racers[1]?.moves).toBe(3);
  });

  it('learns every face under cards', () => {
    const { room } = after(welcome({ faces: {} }), {
      type: 'moved',
      moves: [[2, 1, 'a+', 700, 9, 1, 0, { a: '9D' }]],
    });
    expect(room.faces).toEqual({ 4: '9D' });
    expect(room.seen['4']).toBeUndefined();
  });

  it('keeps results of racers as they finish, and the order once the race is closed', () => {
    const row = racer(2, { outcome: 'won', at: 5000, place: 1, home: 104 });
    const { room, effects } = after(
      welcome(),
      { type: 'finished', racer: 2, outcome: 'won', at: 5000, moves: 99, place: 1 },
      { type: 'closed', standings: [row, racer(1)], layout: 'x', seed: null, replays: { '2': '/games/2/' } },
    );
    expect(room.racers[0]).toEqual(row);
    expect(room.closed?.replays).toEqual({ 2: '/games/2/' });
    expect(effects).toEqual([]);
  });

  it('tells when the own game is won', () => {
    const { effects } = after(welcome(), {
      type: 'finished',
      racer: 1,
      outcome: 'won',
      at: 5,
      moves: 9,
      place: 1,
    });
    expect(effects).toEqual([{ do: 'won' }]);
  });

  it('asks for everything when two pongs running tell of something unheard', () => {
    expect(after(welcome(), pong(7), pong(8)).effects).toEqual([]);
    expect(after(welcome(), pong(8), pong(7), pong(8)).effects).toEqual([]);
    expect(after(welcome(), pong(8), pong(8)).effects).toEqual([{ do: 'sync' }]);
  });

  it('counts own and rivals’ actions in the version', () => {
    const { room } = after(
      welcome(),
      { type: 'acted', seq: 1, code: 'a+', at: 1, moves: 1, shown: {} },
      { type: 'moved', moves: [[2, 1, 'a+', 1, 9, 1, 0]] },
    );
    expect(heardVersion(room)).toBe(9);
  });

  it('measures from the first pong where the rivals’ logs are kept secret', () => {
    const secret = welcome({ logs: { '1': '' }, race: { ...welcome().race, openness: 'progress' } });
    const moved: ServerMessage = { type: 'moved', moves: [[2, 31, null, 1, 9, 31, 0]] };
    expect(after(secret, pong(37), moved, pong(38), pong(38)).effects).toEqual([]);
    expect(after(secret, pong(37), pong(38), pong(38)).effects).toEqual([{ do: 'sync' }]);
  });

  it('passes refusals on with the action they are about', () => {
    const { room } = after(welcome());
    const waiting = { ...room, outbox: { ...room.outbox, pending: [{ seq: 1, code: 'ab' }] } };
    const step = receive(waiting, { type: 'refused', seq: 1, reason: 'wrong_suit', expected: 1 });
    expect(step.effects).toEqual([{ do: 'say', code: 'ab', reason: 'wrong_suit' }]);
  });

  it('rests when it was too fast, and says other faults', () => {
    expect(after(welcome(), { type: 'fault', reason: 'too_fast' }).effects).toEqual([{ do: 'rest' }]);
    expect(after(welcome(), { type: 'fault', reason: 'not_host' }).effects).toEqual([
      { do: 'say', reason: 'not_host' },
    ]);
  });

  it('keeps what was played through a reconnect', () => {
    const { room } = after(welcome());
    const waiting = {
      ...room,
      outbox: {
        ...room.outbox,
        pending: [
          { seq: 1, code: 'a+' },
          { seq: 2, code: '**' },
        ],
      },
    };
    const step = receive(waiting, welcome({ seq: 1, logs: { '1': 'a+', '2': '' } }));
    expect(step.room?.outbox.pending).toEqual([{ seq: 2, code: '**' }]);
  });

  it('never counts what a ghost does in the version, whenever it is first heard', () => {
    const haunted = welcome({ racers: [racer(1), racer(2), racer(9, { ghost: true })] });
    const ghostly: ServerMessage = { type: 'moved', moves: [[9, 31, null, 1, 40, 31, 0]] };
    const { room, effects } = after(haunted, pong(7), ghostly, pong(7), pong(7));
    expect(effects).toEqual([]);
    expect(room.racers[2]).toMatchObject({ home: 40, moves: 31 });
    expect(after(haunted, ghostly, pong(7), pong(7)).effects).toEqual([]);
  });

  it('keeps the ghosts when the race is closed, though they take no place', () => {
    const ghost = racer(9, { ghost: true, home: 60 });
    const { room } = after(welcome({ racers: [racer(1), racer(2), ghost] }), {
      type: 'closed',
      standings: [racer(2, { place: 1 }), racer(1, { place: 2 })],
      layout: null,
      seed: null,
      replays: {},
    });
    expect(room.racers.map(({ racer }) => racer)).toEqual([2, 1, 9]);
  });

  it('knows who waved and when, also after a reconnect', () => {
    const { room } = after(welcome());
    const waved = receive(room, { type: 'emote', racer: 2, id: 'clap' }, 5000).room;
    expect(waved?.emotes).toEqual({ 2: { id: 'clap', at: 5000 } });
    expect(receive(waved, welcome(), 6000).room?.emotes).toEqual(waved?.emotes);
  });
});
