/** Emotes: who waved when. Whether one is still to be seen follows from the time, so no timer can be lost. */
import type { ServerMessage } from './protocol.gen';

export type EmoteId = Extract<ServerMessage, { type: 'emote' }>['id'];

/** The fixed set, in the order in which it is offered. */
export const EMOTES = [
  'wave',
  'luck',
  'clap',
  'wow',
  'think',
  'oops',
  'hurry',
  'thanks',
] as const satisfies readonly EmoteId[];

export interface Emote {
  readonly id: EmoteId;
  /** when it came, in the server's Unix milliseconds */
  readonly at: number;
}

/** The last emote of each racer. */
export type Emotes = Readonly<Record<number, Emote>>;

/** How long an emote is shown. */
export const SHOWN_MS = 4_000;
/** The server takes one a second of each racer; two may come closer together than they were sent. */
export const PAUSE_MS = 1_200;

/** The emote to draw beside a racer at the moment `now`, or null. */
export function emoteOf(emotes: Emotes, racer: number, now: number): Emote | null {
  const emote = emotes[racer];
  return emote && now - emote.at < SHOWN_MS ? emote : null;
}

/** The racers who have waved after the moment `since`, the latest first. */
export function wavedSince(emotes: Emotes, since: number): [racer: number, emote: Emote][] {
  return Object.entries(emotes)
    .filter(([, { at }]) => at > since)
    .sort(([, a], [, b]) => b.at - a.at)
    .map(([racer, emote]) => [Number(racer), emote]);
}
