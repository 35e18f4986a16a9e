/** The server's clock as the browser sees it, estimated from the fastest ping; for drawing only. */

interface Sample {
  readonly offset: number;
  readonly trip: number;
}

/** How many of the last pings are compared: old ones are forgotten, since clocks drift apart. */
const KEPT = 12;

export interface Clock {
  readonly samples: readonly Sample[];
}

export const UNSET: Clock = { samples: [] };

/**
 * The clock after `welcome` or `go`, which carry the server's time but not how long they travelled.
 * @param now the server's Unix time in milliseconds
 * @param received local monotonic milliseconds; never the wall clock, which may be an hour wrong
 */
export function greeted(now: number, received: number): Clock {
  return { samples: [{ offset: now - received, trip: Infinity }] };
}

/** The clock after a pong: `sent` and `received` are local monotonic, `now` is the server's. */
export function ponged(clock: Clock, sent: number, now: number, received: number): Clock {
  const trip = Math.max(0, received - sent);
  return { samples: [...clock.samples, { offset: now + trip / 2 - received, trip }].slice(-KEPT) };
}

/** The server's Unix time in milliseconds at the local monotonic moment `local`. */
export function serverTime(clock: Clock, local: number): number {
  let best: Sample | undefined;
  for (const sample of clock.samples) if (!best || sample.trip <= best.trip) best = sample;
  return local + (best?.offset ?? 0);
}

/** The round trip of the fastest recent ping in milliseconds, or null before the first. */
export function fastestTrip(clock: Clock): number | null {
  const trip = Math.min(Infinity, ...clock.samples.map((sample) => sample.trip));
  return Number.isFinite(trip) ? trip : null;
}
