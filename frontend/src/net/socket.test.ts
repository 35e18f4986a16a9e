import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FINAL_CODES, pause, RoomSocket, type Line } from './socket';

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: { type: string; heard?: number }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    FakeSocket.made.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }
  close(): void {
    this.readyState = 3;
  }
}

let lines: Line[] = [];
let heard: string[] = [];
let room: RoomSocket;

function socket(): FakeSocket {
  const last = FakeSocket.made.at(-1);
  if (!last) throw new Error('no socket yet');
  return last;
}

beforeEach(() => {
  vi.useFakeTimers();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.made = [];
  lines = [];
  heard = [];
  room = new RoomSocket('ws://x/ws/races/A/', {
    message: (message) => heard.push(message.type),
    line: (line) => lines.push(line),
  });
  room.connect();
});

afterEach(() => {
  room.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('pause', () => {
  it('grows from attempt to attempt and stops growing at 15 seconds', () => {
    expect([0, 1, 2, 3].map((attempt) => pause(attempt, 1))).toEqual([400, 800, 1600, 3200]);
    expect(pause(50, 1)).toBe(15_000);
  });

  it('spreads clients over the second half of the pause', () => {
    expect(pause(3, 0)).toBe(1600);
    expect(pause(3, 0.5)).toBe(2400);
  });
});

describe('socket', () => {
  it('offers the subprotocol and passes messages on', () => {
    socket().open();
    socket().hear({ type: 'welcome' });
    expect(socket().protocols).toEqual(['crescent.1']);
    expect(heard).toEqual(['welcome']);
    expect(lines.map(({ state }) => state)).toEqual(['connecting', 'open']);
  });

  it('tells in its pings how many frames it has received', () => {
    socket().open();
    socket().hear({ type: 'welcome' });
    socket().hear({ type: 'moved', moves: [] });
    vi.advanceTimersByTime(500);
    expect(socket().sent.at(-1)).toMatchObject({ type: 'ping', heard: 2 });
  });

  it('comes back after a lost connection, and counts frames anew', () => {
    socket().open();
    socket().hear({ type: 'welcome' });
    socket().onclose?.({ code: 1006 });
    expect(lines.at(-1)?.state).toBe('waiting');
    vi.advanceTimersByTime(400);
    expect(FakeSocket.made).toHaveLength(2);
    socket().open();
    vi.advanceTimersByTime(1);
    expect(socket().sent.at(-1)).toMatchObject({ heard: 0 });
  });

  it('waits longer each time while nobody welcomes it', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      const before = performance.now();
      socket().onclose?.({ code: 1006 });
      const line = lines.at(-1);
      if (line?.state === 'waiting') waits.push(Math.round(line.at - before));
      vi.advanceTimersByTime(10_000);
    }
    expect(waits).toEqual([400, 800, 1600]);
  });

  it.each(FINAL_CODES)('does not come back by itself after %i', (code) => {
    socket().open();
    socket().onclose?.({ code });
    expect(lines.at(-1)).toEqual({ state: 'ended', code });
    vi.advanceTimersByTime(60_000);
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.made).toHaveLength(1);
    room.connect();
    expect(FakeSocket.made).toHaveLength(2);
  });

  it('takes silence after a ping for a dead connection', () => {
    socket().open();
    vi.advanceTimersByTime(4_999);
    expect(lines.at(-1)?.state).toBe('open');
    vi.advanceTimersByTime(2);
    expect(lines.at(-1)?.state).toBe('waiting');
  });

  it('stays as long as anything is heard', () => {
    socket().open();
    for (let i = 0; i < 60; i++) {
      vi.advanceTimersByTime(1_000);
      socket().hear({ type: 'moved', moves: [] });
    }
    expect(lines.at(-1)?.state).toBe('open');
  });

  it('asks at once after the phone slept, and does not wait long', () => {
    socket().open();
    socket().hear({ type: 'welcome' });
    vi.advanceTimersByTime(2_600);
    socket().hear({ type: 'pong' });
    const before = socket().sent.length;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(socket().sent).toHaveLength(before + 1);
    vi.advanceTimersByTime(2_501);
    expect(lines.at(-1)?.state).toBe('waiting');
  });

  it('does not wait for the end of its pause when the network is back', () => {
    socket().onclose?.({ code: 1006 });
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.made).toHaveLength(2);
  });

  it('gives up a connection that does not open', () => {
    vi.advanceTimersByTime(10_001);
    expect(lines.at(-1)?.state).toBe('waiting');
  });

  it('measures the clock closely once a countdown begins', () => {
    socket().open();
    vi.advanceTimersByTime(4_000);
    const before = socket().sent.length;
    room.measure();
    vi.advanceTimersByTime(800);
    expect(socket().sent.length - before).toBe(5);
  });
});
