/**
 * Actions played and not yet acknowledged. What the player sees is the confirmed table with these applied.
 *
 * An undo is drawn when it is answered, never before: only the server knows the table it leads to. While one
 * is unanswered, further undos may be sent ahead, and every other action is held until the answers are there.
 */
import { refusal } from '../engine/rules';
import { apply } from '../engine/table';
import type { WireTable } from './protocol.gen';

export const UNDO = '<<';

export interface Pending {
  readonly seq: number;
  readonly code: string;
}

export interface Outbox {
  /** the last table the server vouched for; null before the start and for watchers */
  readonly confirmed: WireTable | null;
  /** the last action the server vouched for; 0: none */
  readonly seq: number;
  readonly pending: readonly Pending[];
}

export const EMPTY: Outbox = { confirmed: null, seq: 0, pending: [] };

/** What the outbox makes of an answer; `sync`: it can't know without asking for everything again. */
export interface Settled {
  readonly outbox: Outbox;
  readonly sync: boolean;
  /** the refusal to tell the player about */
  readonly refused?: { readonly code: string; readonly reason: string };
  /** everything from here on is to be sent again */
  readonly resendFrom?: number;
}

const known = new WeakMap<Outbox, WireTable | null>();

/**
 * The table to draw: all pending actions applied, up to the first that only the server can answer. The same
 * outbox gives the same table.
 */
export function drawn(outbox: Outbox): WireTable | null {
  let table = known.get(outbox);
  if (table === undefined) known.set(outbox, (table = applied(outbox)));
  return table;
}

function applied(outbox: Outbox): WireTable | null {
  let table = outbox.confirmed;
  for (const { code } of outbox.pending) {
    if (!table || code === UNDO || refusal(table, code) !== null) break;
    table = apply(table, code, {});
  }
  return table;
}

/** True while an undo is unanswered: then only further undos are taken. */
export function isHeld(outbox: Outbox): boolean {
  return outbox.pending.some(({ code }) => code === UNDO);
}

/** How many moves can still be taken back, those already asked for not counted. */
export function undoLeft(outbox: Outbox): number {
  const asked = outbox.pending.filter(({ code }) => code === UNDO).length;
  return (drawn(outbox)?.undo ?? 0) - asked;
}

/** Takes an action, or gives the reason why not; `held` is no reason of the rules: the input waits. */
export function play(outbox: Outbox, code: string): { outbox: Outbox; reason: string | null } {
  const table = drawn(outbox);
  if (!table) return { outbox, reason: 'not_started' };
  if (code === UNDO) {
    if (undoLeft(outbox) <= 0) return { outbox, reason: 'nothing_to_undo' };
  } else {
    if (isHeld(outbox)) return { outbox, reason: 'held' };
    const reason = refusal(table, code);
    if (reason !== null) return { outbox, reason };
  }
  const seq = (outbox.pending.at(-1)?.seq ?? outbox.seq) + 1;
  const played = { ...outbox, pending: [...outbox.pending, { seq, code }] };
  if (outbox.pending.length === 0 && code !== UNDO) known.set(played, apply(table, code, {}));
  return { outbox: played, reason: null };
}

export interface Acted {
  seq: number;
  code: string;
  shown?: Record<string, string> | null;
  table?: WireTable | null;
}

/** The server took an action. One that is already confirmed is an answer to a resend and says nothing new. */
export function acted(outbox: Outbox, answer: Acted): Settled {
  if (answer.seq <= outbox.seq) return { outbox, sync: false };
  if (answer.seq !== outbox.seq + 1 || !outbox.confirmed) return { outbox, sync: true };
  let confirmed: WireTable;
  if (answer.table) confirmed = answer.table;
  else if (answer.code === UNDO) return { outbox, sync: true };
  else confirmed = apply(outbox.confirmed, answer.code, answer.shown ?? {});
  const first = outbox.pending[0];
  // Another tab of this player may have played: then what was drawn on top of it means nothing any more.
  const ours = !first || (first.seq === answer.seq && first.code === answer.code);
  const pending = ours ? outbox.pending.slice(1) : [];
  return { outbox: { confirmed, seq: answer.seq, pending }, sync: false };
}

/** The server refused an action: the outbox empties, except after a jump, where the rest is sent again. */
export function refused(outbox: Outbox, answer: { seq: number; reason: string; expected: number }): Settled {
  const entry = outbox.pending.find(({ seq }) => seq === answer.seq);
  if (!entry) return { outbox, sync: false };
  if (answer.reason === 'gap' && outbox.pending.some(({ seq }) => seq === answer.expected)) {
    return { outbox, sync: false, resendFrom: answer.expected };
  }
  const emptied = { ...outbox, pending: [] };
  const sync = answer.expected !== outbox.seq + 1;
  if (answer.reason === 'gap') return { outbox: emptied, sync: true };
  return { outbox: emptied, sync, refused: { code: entry.code, reason: answer.reason } };
}

/** Everything anew: what the server already has is dropped, the rest is sent again. */
export function welcomed(outbox: Outbox, table: WireTable | null, seq: number): Outbox {
  const rest = outbox.pending.filter((entry) => entry.seq > seq);
  const follows = rest[0]?.seq === seq + 1;
  return { confirmed: table, seq, pending: table && follows ? rest : [] };
}
