/** The race room as the server told it: one immutable value, changed by one message at a time. */
import { advance, START, uncovered, type Rival } from '../engine/rival';
import type { Emotes } from './emotes';
import * as outboxes from './outbox';
import type { Outbox } from './outbox';
import type { DealRow, MovedRow, RaceRow, RacerRow, ServerMessage, WireTable } from './protocol.gen';

export interface Closed {
  readonly layout: string | null;
  readonly seed: string | null;
  readonly replays: Readonly<Record<string, string>>;
}

export interface Room {
  readonly you: number | null;
  readonly race: RaceRow;
  readonly deal: DealRow;
  readonly racers: readonly RacerRow[];
  readonly outbox: Outbox;
  /** codes of each game, two characters an action, as far as openness allows */
  readonly logs: Readonly<Record<string, string>>;
  /** faces this player has uncovered, by slot of the layout */
  readonly seen: Readonly<Record<string, string>>;
  /** under *cards*: what anybody has uncovered */
  readonly faces: Readonly<Record<string, string>> | null;
  /** each game as far as its codes are known: where its slots lie */
  readonly games: Readonly<Record<string, Rival>>;
  /** the last seq heard of each game */
  readonly seqs: Readonly<Record<string, number>>;
  /** when each racer last acted, in milliseconds since the start */
  readonly stirred: Readonly<Record<string, number>>;
  /** who waved, and when */
  readonly emotes: Emotes;
  /** whoever is at a game on these cards elsewhere is told of the others as in a race that shows progress alone */
  readonly withheld: boolean;
  /** true once `go` or a table came: from zero on */
  readonly gone: boolean;
  readonly closed: Closed | null;
  /** what `version` counts that `logs` does not tell; null until the first pong after a welcome */
  readonly unheard: number | null;
  /** how many pongs running told another version than was heard */
  readonly mismatches: number;
}

export type Effect =
  | { do: 'say'; reason: string; code?: string }
  | { do: 'sync' }
  | { do: 'resend'; from: number }
  | { do: 'rest' }
  | { do: 'unseated' }
  | { do: 'won' };

export interface Step {
  readonly room: Room | null;
  readonly effects: readonly Effect[];
}

const QUIET: readonly Effect[] = [];

/**
 * The room after a message. Before the first `welcome` there is no room, and nothing else means anything.
 * @param now the server's Unix time in milliseconds at which the message came
 */
export function receive(room: Room | null, message: ServerMessage, now = 0): Step {
  if (message.type === 'welcome') return { room: welcomed(room, message), effects: QUIET };
  if (!room)
    return { room, effects: message.type === 'fault' ? [{ do: 'say', reason: message.reason }] : QUIET };
  switch (message.type) {
    case 'racer': {
      const { type: _type, left, ...row } = message;
      if (!left) return quiet({ ...room, racers: placed(room.racers, row) });
      const rest = { ...room, racers: without(room.racers, row.racer) };
      // From now on this is a watcher's socket.
      if (row.racer !== room.you) return quiet(rest);
      return { room: { ...rest, you: null, outbox: outboxes.EMPTY }, effects: [{ do: 'unseated' }] };
    }
    case 'race': {
      const { type: _type, ...changes } = message;
      return quiet({ ...room, race: { ...room.race, ...changes } });
    }
    case 'go':
      return quiet({
        ...room,
        gone: true,
        outbox: outboxes.welcomed(room.outbox, message.table, room.outbox.seq),
        seen: { ...room.seen, ...uncovered(START, message.table?.tops ?? {}) },
      });
    case 'acted':
      return actedOn(room, message);
    case 'refused': {
      const settled = outboxes.refused(room.outbox, message);
      return { room: { ...room, outbox: settled.outbox }, effects: effectsOf(settled) };
    }
    case 'moved':
      return quiet(message.moves.reduce(moved, room));
    case 'finished': {
      const { racer, outcome, at, moves, place } = message;
      const racers = room.racers.map((row) =>
        row.racer === racer ? { ...row, outcome, at, moves, place } : row,
      );
      const won: readonly Effect[] = racer === room.you && outcome === 'won' ? [{ do: 'won' }] : QUIET;
      return { room: { ...room, racers }, effects: won };
    }
    case 'closed': {
      const { standings, layout, seed, replays } = message;
      // The standings are of those who took a place; ghosts have none and stay where they are.
      const racers = [...standings, ...room.racers.filter(({ ghost }) => ghost)];
      return quiet({ ...room, racers, closed: { layout, seed, replays: replays ?? {} } });
    }
    case 'emote': {
      const { racer, id } = message;
      return quiet({ ...room, emotes: { ...room.emotes, [racer]: { id, at: now } } });
    }
    case 'pong':
      return checked(room, message.version);
    case 'fault': {
      const rest: readonly Effect[] = [{ do: 'rest' }];
      return {
        room,
        effects: message.reason === 'too_fast' ? rest : [{ do: 'say', reason: message.reason }],
      };
    }
  }
}

/** The version this client heard of: the race's and the sum of its games' seq. */
export function heardVersion(room: Room): number {
  const own = room.you === null ? 0 : room.outbox.seq;
  const others = room.racers
    .filter(({ racer, ghost }) => racer !== room.you && !ghost)
    .reduce((sum, { racer }) => sum + (room.seqs[racer] ?? 0), 0);
  return room.race.version + own + others;
}

/** Whether rivals are told of by counts alone: the race's openness says so, or this reader plays elsewhere. */
export function countsAlone(room: Room): boolean {
  return room.race.openness === 'progress' || room.withheld;
}

function quiet(room: Room): Step {
  return { room, effects: QUIET };
}

function welcomed(room: Room | null, message: Extract<ServerMessage, { type: 'welcome' }>): Room {
  const { you, race, deal, racers, seq, table, seen, logs } = message;
  const before = room?.you === you ? (room?.outbox ?? outboxes.EMPTY) : outboxes.EMPTY;
  return {
    you,
    race,
    deal,
    racers,
    outbox: outboxes.welcomed(before, table, seq),
    logs,
    games: Object.fromEntries(Object.entries(logs).map(([racer, log]) => [racer, advance(START, log)])),
    seen,
    faces: message.faces ?? null,
    withheld:
      race.openness !== 'progress' &&
      (race.starts_at ?? Infinity) <= message.now &&
      racers.some(({ racer, ghost }) => !ghost && !(racer in logs)),
    seqs: Object.fromEntries(Object.entries(logs).map(([racer, log]) => [racer, log.length / 2])),
    stirred: room?.stirred ?? {},
    emotes: room?.emotes ?? {},
    gone: table !== null || Object.values(logs).some((log) => log !== ''),
    closed: room?.closed ?? null,
    unheard: null,
    mismatches: 0,
  };
}

function actedOn(room: Room, message: Extract<ServerMessage, { type: 'acted' }>): Step {
  const settled = outboxes.acted(room.outbox, message);
  if (settled.outbox === room.outbox || room.you === null) return { room, effects: effectsOf(settled) };
  const logs = { ...room.logs, [room.you]: (room.logs[room.you] ?? '') + message.code };
  const racers = room.racers.map((row) =>
    row.racer === room.you
      ? {
          ...row,
          ...countsOf(settled.outbox.confirmed, row),
          redeals: row.redeals + (message.code === '**' ? 1 : 0),
        }
      : row,
  );
  const game = advance(room.games[room.you] ?? START, message.code);
  const faces = uncovered(game, message.shown ?? {});
  const after: Room = {
    ...room,
    outbox: settled.outbox,
    logs,
    games: { ...room.games, [room.you]: game },
    seen: { ...room.seen, ...faces },
    faces: room.faces && { ...room.faces, ...faces },
    racers,
    stirred: { ...room.stirred, [room.you]: message.at },
  };
  return { room: after, effects: effectsOf(settled) };
}

function countsOf(table: WireTable | null, row: RacerRow): Pick<RacerRow, 'home' | 'moves'> {
  return { home: table?.home ?? row.home, moves: table?.moves ?? row.moves };
}

function moved(room: Room, row: MovedRow): Room {
  const [racer, seq, code, at, home, moves, redeals, shown] = row;
  const heard = room.seqs[racer];
  // Own moves are heard by `acted`; a row with a known seq was in the snapshot already.
  if (racer === room.you || (heard !== undefined && seq <= heard)) return room;
  const log = room.logs[racer] ?? '';
  const ghost = room.racers.some((each) => each.racer === racer && each.ghost);
  // After a lost frame the codes do not follow; the next pongs show it, and a sync brings the whole log.
  const follows = code !== null && log.length === (seq - 1) * 2;
  const game = follows ? advance(room.games[racer] ?? START, code) : undefined;
  return {
    ...room,
    racers: room.racers.map((each) =>
      each.racer === racer ? { ...each, home, moves, redeals, blocked: false } : each,
    ),
    logs: game ? { ...room.logs, [racer]: log + (code ?? '') } : room.logs,
    games: game ? { ...room.games, [racer]: game } : room.games,
    faces: room.faces && game && shown ? { ...room.faces, ...uncovered(game, shown) } : room.faces,
    withheld: room.withheld || (code === null && !ghost && room.race.openness !== 'progress'),
    seqs: { ...room.seqs, [racer]: seq },
    stirred: { ...room.stirred, [racer]: at },
    // A game whose log is kept from us was counted as 0 until now; all but this action had been before.
    // A ghost's actions are no part of the version.
    unheard: heard === undefined && room.unheard !== null && !ghost ? room.unheard - (seq - 1) : room.unheard,
  };
}

function checked(room: Room, version: number): Step {
  // With *progress* a welcome does not tell the rivals' seq, so the first pong after it sets the measure.
  const secret = room.racers.some(
    ({ racer, ghost }) => racer !== room.you && !ghost && room.seqs[racer] === undefined,
  );
  const unheard = room.unheard ?? (secret ? version - heardVersion(room) : 0);
  if (heardVersion(room) + unheard === version) return quiet({ ...room, unheard, mismatches: 0 });
  if (room.mismatches === 0) return quiet({ ...room, unheard, mismatches: 1 });
  return { room: { ...room, unheard, mismatches: 0 }, effects: [{ do: 'sync' }] };
}

function effectsOf(settled: outboxes.Settled): readonly Effect[] {
  const effects: Effect[] = [];
  if (settled.refused) effects.push({ do: 'say', ...settled.refused });
  if (settled.resendFrom !== undefined) effects.push({ do: 'resend', from: settled.resendFrom });
  if (settled.sync) effects.push({ do: 'sync' });
  return effects;
}

function placed(racers: readonly RacerRow[], row: RacerRow): readonly RacerRow[] {
  const known = racers.some(({ racer }) => racer === row.racer);
  return known ? racers.map((each) => (each.racer === row.racer ? row : each)) : [...racers, row];
}

function without(racers: readonly RacerRow[], racer: number): readonly RacerRow[] {
  return racers.filter((row) => row.racer !== racer);
}
