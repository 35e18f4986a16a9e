// Made from games/protocol.py by `make types`. Do not edit.

export interface WireTable { tops: Record<string, string>; heights: Record<string, number>; up: Record<string, string>; down: Record<string, string>; redeals_left: number; moves: number; home: number; undo: number; }

export interface RaceRow { code: string; host: number | null; seats: number; openness: 'progress' | 'moves' | 'cards'; undo: boolean; start: 'host' | 'all_ready'; time_limit_min: number; listed: boolean; starts_at: number | null; closed_at: number | null; next: string | null; version: number; }

export interface DealRow { code: string; kind: 'N' | 'F' | 'S'; commitment: string | null; }

export interface RacerRow { racer: number; name: string; host: boolean; ready: boolean; online: boolean; home: number; moves: number; redeals: number; blocked: boolean; ghost: boolean; outcome: 'won' | 'resigned' | 'expired' | null; at: number | null; place: number | null; }

export type MovedRow = [number, number, string | null, number, number, number, number] | [number, number, string | null, number, number, number, number, Record<string, string>];

export type ClientMessage =
  | { type: 'act'; seq: number; code: string; }
  | { type: 'ready'; ready: boolean; }
  | { type: 'start'; }
  | { type: 'call_off'; }
  | { type: 'options'; seats?: number; openness?: 'progress' | 'moves' | 'cards'; undo?: boolean; start?: 'host' | 'all_ready'; time_limit_min?: number; listed?: boolean; }
  | { type: 'host'; racer: number; }
  | { type: 'kick'; racer: number; }
  | { type: 'leave'; }
  | { type: 'resign'; }
  | { type: 'unresign'; }
  | { type: 'rematch'; agree: boolean; }
  | { type: 'emote'; id: 'wave' | 'clap' | 'wow' | 'think' | 'oops' | 'hurry' | 'luck' | 'thanks'; }
  | { type: 'ghost'; game: number; }
  | { type: 'sync'; }
  | { type: 'ping'; sent: number; heard: number; };

export type ServerMessage =
  | { type: 'welcome'; you: number | null; race: RaceRow; deal: DealRow; racers: RacerRow[]; seq: number; table: WireTable | null; seen: Record<string, string>; logs: Record<string, string>; now: number; faces?: Record<string, string>; }
  | { type: 'racer'; racer: number; name: string; host: boolean; ready: boolean; online: boolean; home: number; moves: number; redeals: number; blocked: boolean; ghost: boolean; outcome: 'won' | 'resigned' | 'expired' | null; at: number | null; place: number | null; left?: boolean; }
  | { type: 'race'; code?: string; host?: number | null; seats?: number; openness?: 'progress' | 'moves' | 'cards'; undo?: boolean; start?: 'host' | 'all_ready'; time_limit_min?: number; listed?: boolean; starts_at?: number | null; closed_at?: number | null; next?: string | null; version?: number; }
  | { type: 'go'; table: WireTable | null; now: number; }
  | { type: 'acted'; seq: number; code: string; at: number; moves: number; shown?: Record<string, string>; table?: WireTable; }
  | { type: 'refused'; seq: number; reason: string; expected: number; }
  | { type: 'moved'; moves: MovedRow[]; }
  | { type: 'finished'; racer: number; outcome: 'won' | 'resigned' | 'expired'; at: number; moves: number; place: number | null; }
  | { type: 'closed'; standings: RacerRow[]; layout: string | null; seed: string | null; replays: Record<string, string>; }
  | { type: 'emote'; racer: number; id: 'wave' | 'clap' | 'wow' | 'think' | 'oops' | 'hurry' | 'luck' | 'thanks'; }
  | { type: 'pong'; sent: number; now: number; version: number; }
  | { type: 'fault'; reason: string; };
