import { describe, expect, it } from 'vitest';
import { advance, facesOf, rivalTable, START } from '../engine/rival';
import { refusal } from '../engine/rules';
import * as outboxes from './outbox';
import type { Outbox } from './outbox';
import type { WireTable } from './protocol.gen';

// The deal of the letters AAAAAAA: a layout known to both engines.
const LAYOUT =
  '9D9HQCTS2CAH7C8DQH9HTC3D6SKD7HASQH9S4C4H6H6S4DJD2HJD6C7S9S6D5S7D3CTDAD9C3H3C5DJH8S8H4S7CJC2SQDQS7H3H9D7D5CTHQCTH5C2D8CKC2D6C9C3S6H3S8HTD6DQD4S2S8S4H5HJH3DJS4DACJSQS8D2H8CTC7STS5HJC5SKH5DKS4C2C';
const FACES = facesOf(LAYOUT);

/** A server that has the whole deal and judges as docs/protocol.md says. */
class Server {
  codes: string[] = [];

  table(count = this.codes.length): WireTable {
    const {
      slots: _slots,
      unplaced: _unplaced,
      ...table
    } = rivalTable(advance(START, this.codes.slice(0, count).join('')), FACES, 3);
    return table;
  }

  take(
    seq: number,
    code: string,
  ): { acted: outboxes.Acted } | { refused: { seq: number; reason: string; expected: number } } {
    const expected = this.codes.length + 1;
    if (seq < expected && this.codes[seq - 1] === code) return { acted: this.answer(seq) };
    if (seq !== expected) return { refused: { seq, reason: seq < expected ? 'stale' : 'gap', expected } };
    const table = this.table();
    const reason = code === '<<' ? (table.undo > 0 ? null : 'nothing_to_undo') : refusal(table, code);
    if (reason !== null) return { refused: { seq, reason, expected } };
    this.codes.push(code);
    return { acted: this.answer(seq) };
  }

  private answer(seq: number): outboxes.Acted {
    const code = this.codes[seq - 1] ?? '';
    const after = this.table(seq);
    if (code === '<<') return { seq, code, table: after };
    const turned =
      code === '**'
        ? Object.keys(after.heights).filter((pile) => (after.heights[pile] ?? 0) > 1)
        : [code[0] ?? ''];
    const shown = Object.fromEntries(
      turned.flatMap((pile) => (after.tops[pile] ? [[pile, after.tops[pile]]] : [])),
    );
    return { seq, code, shown };
  }
}

function moves(table: WireTable): string[] {
  const piles = [...'abcdefghijklmnop'];
  const codes = piles.flatMap((from) => [...piles, '+', '-'].map((to) => from + to));
  return codes.filter((code) => refusal(table, code) === null);
}

function start(server: Server): Outbox {
  return outboxes.welcomed(outboxes.EMPTY, server.table(), server.codes.length);
}

function played(outbox: Outbox, code: string): Outbox {
  const { outbox: after, reason } = outboxes.play(outbox, code);
  expect(reason).toBeNull();
  return after;
}

function answer(outbox: Outbox, server: Server, seq: number): outboxes.Settled {
  const entry = outbox.pending.find((each) => each.seq === seq);
  const answered = server.take(seq, entry?.code ?? '');
  return 'acted' in answered
    ? outboxes.acted(outbox, answered.acted)
    : outboxes.refused(outbox, answered.refused);
}

const FIRST = moves(new Server().table())[0] ?? '';

describe('outbox', () => {
  it('draws a move before its answer, with the uncovered card pending', () => {
    const outbox = played(start(new Server()), FIRST);
    const table = outboxes.drawn(outbox);
    expect(table?.moves).toBe(1);
    expect(table?.tops[FIRST.charAt(0)]).toBeUndefined();
    expect(table?.heights[FIRST.charAt(0)]).toBe(5);
    expect(outbox.confirmed?.moves).toBe(0);
  });

  it('learns the uncovered card from the answer', () => {
    const server = new Server();
    const outbox = played(start(server), FIRST);
    const settled = answer(outbox, server, 1);
    expect(settled.outbox).toEqual({ confirmed: server.table(), seq: 1, pending: [] });
  });

  it('takes no action before the start', () => {
    expect(outboxes.play(outboxes.EMPTY, FIRST).reason).toBe('not_started');
  });

  it('refuses what the rules refuse and changes nothing', () => {
    const outbox = start(new Server());
    expect(outboxes.play(outbox, 'aa')).toEqual({ outbox, reason: 'same_place' });
  });

  it('does not draw an undo before its answer, takes further undos and holds everything else', () => {
    const server = new Server();
    let outbox = start(server);
    for (let i = 0; i < 2; i++) outbox = played(outbox, moves(outboxes.drawn(outbox) as WireTable)[0] ?? '');
    const before = outboxes.drawn(outbox);
    outbox = played(outbox, '<<');
    expect(outboxes.drawn(outbox)).toEqual(before);
    expect(outboxes.isHeld(outbox)).toBe(true);
    expect(outboxes.play(outbox, '**').reason).toBe('held');
    outbox = played(outbox, '<<');
    expect(outboxes.undoLeft(outbox)).toBe(0);
    expect(outboxes.play(outbox, '<<').reason).toBe('nothing_to_undo');
    for (const seq of [1, 2, 3, 4]) outbox = answer(outbox, server, seq).outbox;
    expect(outbox).toEqual({ confirmed: server.table(0), seq: 4, pending: [] } satisfies Outbox);
    expect(outboxes.isHeld(outbox)).toBe(false);
  });

  it('empties itself when an action is refused, and says why', () => {
    const server = new Server();
    let outbox = played(played(start(server), FIRST), '**');
    const settled = outboxes.refused(outbox, { seq: 1, reason: 'game_over', expected: 1 });
    outbox = settled.outbox;
    expect(settled.refused).toEqual({ code: FIRST, reason: 'game_over' });
    expect(settled.sync).toBe(false);
    expect(outbox.pending).toEqual([]);
    expect(outboxes.drawn(outbox)).toEqual(server.table());
    // the answer to the second one comes too late to matter
    expect(outboxes.refused(outbox, { seq: 2, reason: 'gap', expected: 1 })).toEqual({ outbox, sync: false });
  });

  it('sends the rest again after a gap', () => {
    const outbox = played(played(start(new Server()), FIRST), '**');
    const settled = outboxes.refused(outbox, { seq: 2, reason: 'gap', expected: 1 });
    expect(settled).toEqual({ outbox, sync: false, resendFrom: 1 });
  });

  it('asks for everything when the server expects what it no longer has', () => {
    const server = new Server();
    let outbox = played(start(server), FIRST);
    outbox = answer(outbox, server, 1).outbox;
    outbox = played(outbox, '**');
    const settled = outboxes.refused(outbox, { seq: 2, reason: 'gap', expected: 1 });
    expect(settled.sync).toBe(true);
    expect(settled.outbox.pending).toEqual([]);
  });

  it('asks for everything when another tab has played', () => {
    const outbox = played(start(new Server()), FIRST);
    const settled = outboxes.refused(outbox, { seq: 1, reason: 'stale', expected: 3 });
    expect(settled.sync).toBe(true);
    expect(settled.refused?.reason).toBe('stale');
  });

  it('ignores an answer it has had already', () => {
    const server = new Server();
    let outbox = played(start(server), FIRST);
    const again = server.take(1, FIRST);
    outbox = outboxes.acted(outbox, 'acted' in again ? again.acted : { seq: 0, code: '' }).outbox;
    expect(outboxes.acted(outbox, { seq: 1, code: FIRST, shown: {} })).toEqual({ outbox, sync: false });
  });

  it('asks for everything after an answer that skips one', () => {
    const outbox = start(new Server());
    expect(outboxes.acted(outbox, { seq: 2, code: FIRST, shown: {} })).toEqual({ outbox, sync: true });
  });

  it('drops what the server has when it is welcomed, and keeps the rest', () => {
    const server = new Server();
    const outbox = played(played(start(server), FIRST), '**');
    server.take(1, FIRST);
    const back = outboxes.welcomed(outbox, server.table(), 1);
    expect(back.pending).toEqual([{ seq: 2, code: '**' }]);
    expect(outboxes.drawn(back)?.redeals_left).toBe(2);
  });

  it('drops everything when what it has does not follow', () => {
    const outbox: Outbox = { confirmed: new Server().table(), seq: 4, pending: [{ seq: 6, code: '**' }] };
    expect(outboxes.welcomed(outbox, new Server().table(), 4).pending).toEqual([]);
  });

  it('never draws past an action that can no longer be played', () => {
    const outbox = played(start(new Server()), FIRST);
    const bare = { ...new Server().table(), tops: {} };
    expect(outboxes.drawn(outboxes.welcomed(outbox, bare, 0))).toEqual(bare);
  });

  it('ends with the server’s game whatever is lost, repeated or delayed', () => {
    let seed = 20_261_130;
    const chance = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
    for (let game = 0; game < 40; game++) {
      const server = new Server();
      let outbox = start(server);
      let sent = 0;
      for (let turn = 0; turn < 60; turn++) {
        const table = outboxes.drawn(outbox) as WireTable;
        const codes = [...moves(table), '<<', ...(chance() < 0.05 ? ['**'] : [])];
        outbox = outboxes.play(outbox, codes[Math.floor(chance() * codes.length)] ?? '<<').outbox;
        for (const { seq, code } of outbox.pending.filter((entry) => entry.seq > sent)) {
          if (chance() < 0.2) break; // lost with everything behind it
          sent = seq;
          const answered = server.take(seq, code);
          if (chance() < 0.2) continue; // the answer is lost
          const settled =
            'acted' in answered
              ? outboxes.acted(outbox, answered.acted)
              : outboxes.refused(outbox, answered.refused);
          outbox = settled.outbox;
          if (settled.resendFrom !== undefined) sent = settled.resendFrom - 1;
          if (settled.sync) outbox = outboxes.welcomed(outbox, server.table(), server.codes.length);
        }
        if (chance() < 0.15) {
          outbox = outboxes.welcomed(outbox, server.table(), server.codes.length);
          sent = outbox.seq;
        }
      }
      outbox = outboxes.welcomed(outbox, server.table(), server.codes.length);
      for (const { seq } of outbox.pending) outbox = answer(outbox, server, seq).outbox;
      expect(outbox).toEqual({ confirmed: server.table(), seq: server.codes.length, pending: [] });
    }
  });
});
