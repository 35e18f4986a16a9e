/** A live race room: ties the socket, the clock, the outbox and the room's state together for the screens. */
import * as clocks from '../net/clock';
import * as couriers from '../net/courier';
import { ask, HttpProblem } from '../net/http';
import * as outboxes from '../net/outbox';
import type { ClientMessage, ServerMessage, WireTable } from '../net/protocol.gen';
import { receive, type Effect, type Room } from '../net/room';
import { RoomSocket, type Line } from '../net/socket';
import { newsOf } from './news';
import { sound } from './sound';
import { inFirstTurn, inTurn, takeFrame } from '../table/turns';
import { ownRow, phaseOf, untilTick, type Phase } from './phase';

export interface Notice {
  readonly reason: string;
  /** the refused action, for which the text differs between piles and foundations */
  readonly code: string;
}

const NOTICE_MS = 4_000;
const SYNC_EVERY_MS = 2_000;

export class Session {
  /** the room as it is drawn: some frames behind what is known, which judges what the hand does */
  room = $state.raw<Room | null>(null);
  line = $state.raw<Line>({ state: 'connecting' });
  /** the server's Unix time in milliseconds, for drawing */
  now = $state(0);
  notice = $state.raw<Notice | null>(null);

  /** the actions and the table as they are drawn */
  #outbox = $state.raw(outboxes.EMPTY);
  readonly table: WireTable | null = $derived(outboxes.drawn(this.#outbox));
  readonly phase: Phase | null = $derived(this.room && phaseOf(this.room, this.now));
  readonly own = $derived(this.room && ownRow(this.room));
  /** milliseconds since the start, not before zero */
  readonly elapsed: number = $derived(Math.max(0, this.now - (this.room?.race.starts_at ?? this.now)));
  readonly undoLeft: number = $derived(
    this.room?.race.undo && !this.own?.outcome ? outboxes.undoLeft(this.#outbox) : 0,
  );
  /** milliseconds since this player resigned; Infinity when they did not */
  readonly resignedAgo: number = $derived(
    this.own?.outcome === 'resigned' && this.own.at !== null ? this.elapsed - this.own.at : Infinity,
  );
  readonly held: boolean = $derived(outboxes.isHeld(this.#outbox));
  readonly unsent: number = $derived(this.#outbox.pending.length);

  #known: Room | null = null;
  #time = 0;
  #socket: RoomSocket;
  #clock = clocks.UNSET;
  #courier = couriers.rested(performance.now());
  #sending: ReturnType<typeof setTimeout> | undefined;
  #fading: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setTimeout> | undefined;
  #synced = 0;
  #autoStarted = false;
  #leaving = false;

  /** a lone player's race waits for them to start it, instead of starting by itself */
  waits: boolean = $state(false);

  constructor(url: string, { waits }: { waits: boolean }) {
    this.waits = waits;
    this.#socket = new RoomSocket(url, {
      message: (message, received) => this.#hear(message, received),
      line: (line) => (this.line = line),
    });
    this.#tick();
    this.#socket.connect();
  }

  /** Connects anew, for instance after taking a seat: a socket acts for the seat it found. */
  reconnect(): void {
    this.#socket.connect();
  }

  /** Gives the seat up; one may go on watching, or come back. */
  async leave(): Promise<void> {
    this.#leaving = true;
    try {
      await ask('DELETE', `/api/races/${this.room?.race.code ?? ''}/seat`);
    } catch (error) {
      this.say(error instanceof HttpProblem ? error.reason : 'unavailable');
    }
    this.#leaving = false;
    this.reconnect();
  }

  close(): void {
    clearTimeout(this.#ticking);
    this.#socket.close();
  }

  /** Sends what needs no answer kept: ready, start, emotes and so on. False, and said so, without a connection. */
  send(message: ClientMessage): boolean {
    const sent = this.#socket.send(message);
    if (!sent) this.say('offline');
    return sent;
  }

  /** The own table with everything that was played, drawn or not; null before the start. */
  get latest(): WireTable | null {
    return this.#known && outboxes.drawn(this.#known.outbox);
  }

  /** Why no card may be touched now, or null. */
  against(): string | null {
    const room = this.#known;
    if (!room || this.#over(room)) return 'game_over';
    if (phaseOf(room, this.#time) !== 'running' || !room.outbox.confirmed) return 'not_started';
    return outboxes.isHeld(room.outbox) ? 'held' : null;
  }

  /** Plays an action of the table; the reason it is refused, or null. Sent as soon as may be. */
  play(code: string): string | null {
    const room = this.#known;
    if (!room || this.#over(room)) return 'game_over';
    if (code === outboxes.UNDO && !room.race.undo) return 'no_undo';
    const played = outboxes.play(room.outbox, code);
    if (played.reason !== null) return played.reason;
    this.#put({ ...room, outbox: played.outbox });
    this.notice = null;
    sound(code === '**' ? 'redeal' : 'card');
    this.#deliver();
    return null;
  }

  /** Shows a reason for four seconds; that the seat is gone stays, for what follows can't be understood without it. */
  say(reason: string, code = ''): void {
    clearTimeout(this.#fading);
    this.notice = { reason, code };
    if (reason !== 'unseated') this.#fading = setTimeout(() => (this.notice = null), NOTICE_MS);
  }

  hush(): void {
    clearTimeout(this.#fading);
    this.notice = null;
  }

  #hear(message: ServerMessage, received: number): void {
    takeFrame();
    if (message.type === 'go') sound('go');
    if (message.type === 'race' && message.starts_at) this.#socket.measure();
    if (message.type === 'welcome') this.#clock = clocks.greeted(message.now, received);
    else if (message.type === 'pong') {
      this.#clock = clocks.ponged(this.#clock, message.sent, message.now, received);
    }
    this.#time = clocks.serverTime(this.#clock, received);
    const step = receive(this.#known, message, this.#time);
    const news = newsOf(this.#known, step.room);
    if (news) this.say(news);
    this.#put(step.room);
    if (message.type === 'welcome') {
      this.#courier = couriers.again(couriers.rested(received), message.seq);
      this.#startAlone();
    } else if (message.type === 'acted' || message.type === 'refused') {
      this.#courier = couriers.answered(this.#courier, received);
    }
    for (const effect of step.effects) this.#do(effect);
    this.#deliver();
  }

  #do(effect: Effect): void {
    if (effect.do === 'say') {
      this.say(effect.reason, effect.code);
      this.waits ||= this.#autoStarted && this.#known?.race.starts_at === null;
    }
    if (effect.do === 'won') sound('won');
    else if (effect.do === 'unseated' && !this.#leaving) this.say('unseated');
    else if (effect.do === 'sync') this.#sync();
    else if (effect.do === 'resend') this.#courier = couriers.again(this.#courier, effect.from - 1);
    else if (effect.do === 'rest' && this.#known) {
      this.#courier = couriers.tooFast(this.#courier, this.#known.outbox, performance.now());
    }
  }

  #deliver(): void {
    clearTimeout(this.#sending);
    if (this.line.state !== 'open' || !this.#known?.outbox.confirmed) return;
    const errand = couriers.due(this.#courier, this.#known.outbox, performance.now());
    this.#courier = errand.courier;
    for (const { seq, code } of errand.send) this.#socket.send({ type: 'act', seq, code });
    if (errand.wait !== null) this.#sending = setTimeout(() => this.#deliver(), Math.max(20, errand.wait));
  }

  #sync(): void {
    const now = performance.now();
    if (now - this.#synced < SYNC_EVERY_MS) return;
    if (this.#socket.send({ type: 'sync' })) this.#synced = now;
  }

  #over(room: Room): boolean {
    return phaseOf(room, this.#time) === 'closed' || Boolean(ownRow(room)?.outcome);
  }

  #put(room: Room | null): void {
    this.#known = room;
    this.#draw();
  }

  /** Shows what is known: at once where nothing was to be seen, else in its turn, the table first. */
  #draw(): void {
    if (!this.room) {
      this.#showTable();
      this.#showRoom();
    } else {
      inFirstTurn(() => this.#showTable());
      inTurn(() => this.#showRoom());
    }
  }

  #showTable(): boolean {
    const before = this.#outbox;
    this.#outbox = this.#known?.outbox ?? outboxes.EMPTY;
    return before !== this.#outbox;
  }

  /** False where nothing of it is seen to change. */
  #showRoom(): boolean {
    const [room, second] = [this.room, Math.floor(this.elapsed / 1000)];
    this.#showTable();
    this.room = this.#known;
    this.now = this.#time;
    return room !== this.room || second !== Math.floor(this.elapsed / 1000);
  }

  #tick(): void {
    this.#time = clocks.serverTime(this.#clock, performance.now());
    this.#draw();
    const room = this.#known;
    this.#ticking = setTimeout(() => this.#tick(), untilTick(this.#time, room?.race.starts_at ?? null));
    if (!room || this.line.state !== 'open') return;
    // Zero has passed and nobody said go: the frame was lost, or this socket came in between.
    const late = room.race.starts_at !== null && this.#time > room.race.starts_at + 300;
    if (late && !room.gone && room.race.closed_at === null && !room.closed) this.#sync();
  }

  /** A lone player has nobody to wait for: the race starts as soon as the host is there. */
  #startAlone(): void {
    const room = this.#known;
    if (!room || this.#autoStarted || room.race.seats !== 1 || room.race.starts_at !== null) return;
    if (!ownRow(room)?.host || this.waits) return;
    this.#autoStarted = true;
    this.#socket.send({ type: 'start' });
  }
}
