import { describe, expect, it } from 'vitest';
import { seriesOf } from './series';
import { read, write } from './address';
import { leadersAt, momentsOf, Track } from './track';

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

describe('several tracks', () => {
  const line = (name: string, ...times: number[]): Track =>
    new Track(
      {
        ...data,
        layout: null,
        actions: ['a+', 'b+', 'ca'].slice(0, times.length).map((code, n) => [code, times[n] ?? 0]),
      },
      name,
      false,
    );
  const tracks = [line('Anh', 1_000, 4_000), line('Oksana', 1_000, 2_000, 3_000), line('Minh')];

  it('have all their moments on one line', () => {
    expect(momentsOf(tracks)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  it('are led by who has most cards home, then by who has moved less, and by nobody where all are equal', () => {
    expect([0, 1_000, 2_000, 4_000].map((at) => leadersAt(tracks, at))).toEqual([[], [0, 1], [1], [0]]);
  });
});

describe('the address of a replay', () => {
  it('says the moment and who is large, and is read back', () => {
    expect(write({ at: 1_234.6, racer: 42 })).toBe('?at=1235&racer=42');
    expect(write({ at: 0, racer: null })).toBe('');
    expect(read('?at=1235&racer=42')).toEqual({ at: 1_235, racer: 42 });
  });

  it('is the start where it says nothing that can be read', () => {
    for (const search of ['', '?at=', '?at=soon&racer=me', '?at=-5&racer=-1', '?at=NaN']) {
      expect(read(search)).toEqual({ at: 0, racer: null });
    }
  });
});
