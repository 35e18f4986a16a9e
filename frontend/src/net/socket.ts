/** One WebSocket to a race room that reconnects by itself and notices when it is dead. */
import type { ClientMessage, ServerMessage } from './protocol.gen';

export const SUBPROTOCOL = 'crescent.1';

/** After these close codes a client does not come back by itself. */
export const FINAL_CODES = [4401, 4403, 4404, 4409, 4426] as const;
export type FinalCode = (typeof FINAL_CODES)[number];

export type Line =
  | { state: 'connecting' }
  | { state: 'open' }
  /** `at`: when the next attempt begins, in local monotonic milliseconds */
  | { state: 'waiting'; at: number }
  | { state: 'ended'; code: FinalCode };

export interface Hooks {
  message(message: ServerMessage, received: number): void;
  line(line: Line): void;
}

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;
const PING_EVERY = 5_000;
/** After opening, pings come close together: the countdown wants a good clock. */
const EARLY_PINGS = [0, 400, 1200, 2500];
/** When a start is set: the fastest of these says best what time it is, also on a busy machine. */
const COUNTDOWN_PINGS = [0, 150, 300, 500, 700, 1500, 2500];
/** Silence after a ping that proves the connection dead; shorter after a sleep, when it probably is. */
const PATIENCE = 5_000;
const PATIENCE_AWAKE = 2_500;
const PATIENCE_CONNECT = 10_000;

/**
 * The pause before the n-th attempt (n from 0) in milliseconds: doubling up to 15 s, and each client with
 * its own share of chance, so that a thousand of them do not return in the same moment.
 */
export function pause(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
  return Math.round(full * (0.5 + chance / 2));
}

export class RoomSocket {
  #url: string;
  #hooks: Hooks;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #heard = 0;
  #stopped = false;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(url: string, hooks: Hooks) {
    this.#url = url;
    this.#hooks = hooks;
    document.addEventListener('visibilitychange', this.#woke);
    window.addEventListener('online', this.#woke);
    window.addEventListener('pageshow', this.#woke);
  }

  /** Connects, or connects anew: a socket acts for the seat its session had when it connected. */
  connect(): void {
    this.#drop();
    this.#stopped = false;
    this.#hooks.line({ state: 'connecting' });
    const socket = new WebSocket(this.#url, [SUBPROTOCOL]);
    this.#socket = socket;
    this.#later(PATIENCE_CONNECT, () => {
      if (socket.readyState === WebSocket.CONNECTING) this.#lost(socket, 1006);
    });
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#heard = 0;
      this.#hooks.line({ state: 'open' });
      for (const delay of EARLY_PINGS) this.#later(delay, () => this.#ping());
      this.#beat();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return;
      const received = performance.now();
      this.#heard += 1;
      const message = JSON.parse(event.data) as ServerMessage;
      // Only a greeting proves that the room took us: a server that closes at once must not be hammered.
      if (message.type === 'welcome') this.#attempt = 0;
      this.#hooks.message(message, received);
    };
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  /** Sends now; false when there is no open connection. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Measures the server's clock anew, for a countdown that all are to see alike. */
  measure(): void {
    for (const delay of COUNTDOWN_PINGS) this.#later(delay, () => this.#ping());
  }

  close(): void {
    this.#stopped = true;
    this.#drop();
    document.removeEventListener('visibilitychange', this.#woke);
    window.removeEventListener('online', this.#woke);
    window.removeEventListener('pageshow', this.#woke);
  }

  #ping(patience = PATIENCE): void {
    const socket = this.#socket;
    const heard = this.#heard;
    if (!socket || !this.send({ type: 'ping', sent: Math.round(performance.now()), heard })) return;
    this.#later(patience, () => {
      if (socket === this.#socket && this.#heard === heard) this.#lost(socket, 1006);
    });
  }

  #beat(): void {
    this.#later(PING_EVERY, () => {
      this.#ping();
      this.#beat();
    });
  }

  #woke = (): void => {
    if (document.visibilityState === 'hidden' || this.#stopped) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(PATIENCE_AWAKE);
    else if (this.#socket === null) this.connect();
  };

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#drop();
    const final = FINAL_CODES.find((known) => known === code);
    if (final) {
      this.#stopped = true;
      this.#hooks.line({ state: 'ended', code: final });
      return;
    }
    if (this.#stopped) return;
    // 1013 and 4429 ask for patience: start with a longer pause.
    if (code === 1013 || code === 4429) this.#attempt = Math.max(this.#attempt, 2);
    const wait = pause(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#hooks.line({ state: 'waiting', at: performance.now() + wait });
    this.#later(wait, () => this.connect());
  }

  #drop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #later(delay: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delay);
    this.#timers.add(timer);
  }
}
