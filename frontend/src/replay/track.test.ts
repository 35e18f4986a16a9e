import { describe, expect, it } from 'vitest';
import { seriesOf } from './series';
import { Track } from './track';

const LAYOUT = `${'2S3S4S5S6S7S'}${'??'.repeat(90)}`;
const data = {
  game: 1,
  deal: 'CR1-N-AAAAAAA',
  layout: LAYOUT,
  actions: [
    ['**', 500],
    ['a+', 1_000],
    ['<<', 2_000],
    ['a+', 2_000],
  ] as [string, number][],
  uncovered: [],
  outcome: null,
};

describe('track', () => {
  const track = new Track(data, 'Oksana', false);

  it('finds the step of a moment, all actions of that moment included', () => {
    expect([0, 499, 500, 1_500, 2_000, 9_999].map((at) => track.stepAt(at))).toEqual([0, 0, 1, 2, 4, 4]);
  });

  it('shows known faces and leaves the others face down', () => {
    const table = track.tableAfter(1);
    expect(table.tops['a']).toBe('2S');
    expect(table.tops['b']).toBeUndefined();
    expect(track.tableAfter(2).up['S']).toBe('2S');
    expect(track.tableAfter(3).up['S']).toBe('AS');
  });

  it('draws the line of cards home with redeals, undos and long thinks', () => {
    expect(seriesOf(data, 'Oksana', false)).toMatchObject({
      points: [
        [0, 8],
        [1_000, 9],
        [2_000, 8],
        [2_000, 9],
      ],
      redeals: [500],
      undos: [2_000],
      thinks: [],
    });
  });
});
