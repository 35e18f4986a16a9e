import { describe, expect, it } from 'vitest';
import { again, answered, due, rested, tooFast } from './courier';
import { EMPTY, type Outbox } from './outbox';

function outboxOf(count: number, seq = 0): Outbox {
  return {
    ...EMPTY,
    seq,
    pending: Array.from({ length: count }, (_, index) => ({ seq: seq + index + 1, code: '**' })),
  };
}

describe('courier', () => {
  it('sends what is new, once', () => {
    const first = due(rested(0), outboxOf(2), 0);
    expect(first.send.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(due(first.courier, outboxOf(2), 10).send).toEqual([]);
    expect(due(first.courier, outboxOf(3), 20).send.map(({ seq }) => seq)).toEqual([3]);
  });

  it('sends at most forty at once and fifteen a second', () => {
    let { courier, send, wait } = due(rested(0), outboxOf(100), 0);
    expect(send).toHaveLength(40);
    expect(wait).toBe(67);
    let total = send.length;
    for (let now = 0; now <= 1010; now += 10) {
      ({ courier, send, wait } = due(courier, outboxOf(100), now));
      total += send.length;
    }
    expect(total).toBe(55);
  });

  it('sends everything again on a new connection', () => {
    const { courier } = due(rested(0), outboxOf(3), 0);
    expect(due(again(courier, 0), outboxOf(3), 1).send).toHaveLength(3);
    expect(due(again(courier, 1), outboxOf(3), 1).send.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('rests after too_fast and then sends again what was dropped', () => {
    const { courier } = due(rested(0), outboxOf(3), 0);
    const quiet = tooFast(courier, outboxOf(3), 100);
    expect(due(quiet, outboxOf(3), 200)).toMatchObject({ send: [], wait: 1400 });
    expect(due(quiet, outboxOf(3), 1_700).send).toHaveLength(3);
  });

  it('sends once more what stays without an answer for five seconds', () => {
    const { courier, wait } = due(rested(0), outboxOf(1), 0);
    expect(wait).toBe(5_000);
    expect(due(courier, outboxOf(1), 4_999).send).toEqual([]);
    expect(due(courier, outboxOf(1), 5_000).send).toHaveLength(1);
    expect(due(answered(courier, 3_000), outboxOf(1), 5_000).send).toEqual([]);
  });

  it('wants nothing while the outbox is empty', () => {
    expect(due(rested(0), EMPTY, 9)).toMatchObject({ send: [], wait: null });
  });
});
