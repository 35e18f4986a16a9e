import { describe, expect, it } from 'vitest';
import { emoteOf, SHOWN_MS, wavedSince, type Emotes } from './emotes';

const emotes: Emotes = { 1: { id: 'clap', at: 1000 }, 2: { id: 'wow', at: 3000 } };

describe('emotes', () => {
  it('are seen for a while, each racer’s own', () => {
    expect(emoteOf(emotes, 1, 1000)?.id).toBe('clap');
    expect(emoteOf(emotes, 1, 1000 + SHOWN_MS - 1)?.id).toBe('clap');
    expect(emoteOf(emotes, 1, 1000 + SHOWN_MS)).toBeNull();
    expect(emoteOf(emotes, 3, 1000)).toBeNull();
  });

  it('are told once, the latest first', () => {
    expect(wavedSince(emotes, 0).map(([racer]) => racer)).toEqual([2, 1]);
    expect(wavedSince(emotes, 1000).map(([racer]) => racer)).toEqual([2]);
    expect(wavedSince(emotes, 3000)).toEqual([]);
  });
});
