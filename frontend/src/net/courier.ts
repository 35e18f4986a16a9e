/** Carries the outbox to the server, no faster than the server takes it. */
import type { Outbox, Pending } from './outbox';

/** The server takes 20 a second and 60 at once; pings and the rest need their share. */
const RATE_PER_SECOND = 15;
const BURST = 40;
/** How long to be quiet after the server said that it was too fast. */
const REST_MS = 1_500;
/** An action that is this long without an answer on a live connection is sent once more. */
const UNANSWERED_MS = 5_000;

export interface Courier {
  /** the last action sent on this connection */
  readonly sent: number;
  readonly tokens: number;
  /** when `tokens` was counted, local monotonic milliseconds */
  readonly at: number;
  readonly quietUntil: number;
  /** when an action last went out or was answered */
  readonly stirred: number;
}

export function rested(at: number): Courier {
  return { sent: 0, tokens: BURST, at, quietUntil: 0, stirred: at };
}

export interface Errand {
  readonly courier: Courier;
  readonly send: readonly Pending[];
  /** milliseconds until the courier wants to be asked again; null: when something changes */
  readonly wait: number | null;
}

/** What to send at the moment `now`. */
export function due(courier: Courier, outbox: Outbox, now: number): Errand {
  const filled = courier.tokens + ((now - courier.at) * RATE_PER_SECOND) / 1000;
  let tokens = Math.min(BURST, filled);
  let { sent, stirred } = courier;
  if (now < courier.quietUntil) return { courier, send: [], wait: courier.quietUntil - now };
  const first = outbox.pending[0];
  if (!first) return { courier: { ...courier, tokens, at: now, stirred: now }, send: [], wait: null };
  if (first.seq <= sent && now - stirred >= UNANSWERED_MS) sent = first.seq - 1;
  const send: Pending[] = [];
  for (const entry of outbox.pending) {
    if (entry.seq <= sent) continue;
    if (tokens < 1) break;
    tokens -= 1;
    sent = entry.seq;
    stirred = now;
    send.push(entry);
  }
  const more = outbox.pending.some(({ seq }) => seq > sent);
  const wait = more ? Math.ceil(((1 - tokens) * 1000) / RATE_PER_SECOND) : UNANSWERED_MS - (now - stirred);
  return { courier: { ...courier, tokens, at: now, sent, stirred }, send, wait };
}

/** On a new connection, or when the server asks for it: everything after `seq` is to be sent again. */
export function again(courier: Courier, seq: number): Courier {
  return { ...courier, sent: seq };
}

/** The server was in a hurry to refuse (`fault too_fast`): wait, then send again what it dropped. */
export function tooFast(courier: Courier, outbox: Outbox, now: number): Courier {
  return { ...courier, sent: outbox.seq, tokens: 1, at: now, quietUntil: now + REST_MS };
}

/** An answer came. */
export function answered(courier: Courier, now: number): Courier {
  return { ...courier, stirred: now };
}
