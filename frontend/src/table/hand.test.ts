import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Hand } from './hand.svelte';
import type { PlaceId } from './places';

const reaches: Record<string, PlaceId[]> = {
  a: ['b'],
  c: ['S+', 'd', 'e'],
  f: [],
  g: ['S-', 'S+'],
  'H+': ['H-'],
};
let played: string[] = [];
let told: (string | null)[] = [];
let hand: Hand;

beforeEach(() => {
  vi.useFakeTimers();
  played = [];
  told = [];
  hand = new Hand({
    destinations: (source) => reaches[source] ?? [],
    best: (source) => reaches[source]?.[0] ?? null,
    against: (source) => (source in reaches ? null : 'empty_source'),
    suit: () => 'S',
    play: (code) => {
      const [from = '', to = ''] = [code.charAt(0), code.charAt(1)];
      const places = code === 'H-' ? ['H-'] : (reaches[from] ?? []).map((place) => place.at(-1));
      if (!places.includes(to) && code !== 'H-') return 'wrong_rank';
      played.push(code);
      return null;
    },
    explain: (reason) => told.push(reason),
  });
});

describe('hand', () => {
  it('sends a card at once when exactly one place takes it', () => {
    hand.tap('a', 0);
    expect(played).toEqual(['ab']);
    expect(hand.selected).toBeNull();
  });

  it('selects a pile whose card has several places to go, and moves it on the next tap', () => {
    hand.tap('c', 0);
    expect([hand.selected, played]).toEqual(['c', []]);
    hand.tap('d', 1000);
    expect(played).toEqual(['cd']);
  });

  it('selects a pile whose card has nowhere to go', () => {
    hand.tap('f', 0);
    expect(hand.selected).toBe('f');
    expect(told.at(-1)).toBe('no_place');
  });

  it('lets go on a second, slow tap', () => {
    hand.tap('c', 0);
    hand.tap('c', 2000);
    expect([hand.selected, played]).toEqual([null, []]);
  });

  it('sends a card to its best place on a double tap', () => {
    hand.tap('c', 0);
    hand.doubleTap('c', 200);
    expect(played).toEqual(['c+']);
  });

  it('does not move the next card of a pile with the second half of a double tap', () => {
    hand.tap('a', 0);
    hand.doubleTap('a', 200);
    expect(played).toEqual(['ab']);
    hand.tap('a', 600);
    expect(played).toEqual(['ab', 'ab']);
  });

  it('shakes a wrong target, says why and keeps the selection', () => {
    hand.tap('c', 0);
    hand.tap('a', 1000);
    expect([hand.selected, hand.refused, told.at(-1)]).toEqual(['c', 'a', 'wrong_rank']);
  });

  it('takes a refused pile for the new source when it is tapped again', () => {
    hand.tap('c', 0);
    hand.tap('a', 1000);
    hand.tap('a', 1400);
    expect(played).toEqual(['ab']);
  });

  it('stops shaking after a moment', () => {
    hand.shake('a');
    vi.advanceTimersByTime(2000);
    expect(hand.refused).toBeNull();
  });

  it('drops anywhere in the foundation area on the foundation that takes the card', () => {
    hand.lift('c');
    expect(hand.drop('nest')).toBe(true);
    hand.lift('c');
    expect(hand.drop('D-')).toBe(true);
    expect(played).toEqual(['c+', 'c+']);
  });

  it('drops on the foundation aimed at when both take the card', () => {
    hand.lift('g');
    hand.drop('S+');
    hand.lift('g');
    hand.drop('S-');
    expect(played).toEqual(['g+', 'g-']);
  });

  it('plays nothing when a card is let go over nothing or its own place', () => {
    hand.lift('a');
    expect(hand.drop(null)).toBe(false);
    hand.lift('a');
    expect(hand.drop('a')).toBe(false);
    expect([played, hand.held]).toEqual([[], null]);
  });

  it('moves from foundation to foundation', () => {
    hand.tap('H+', 0);
    expect(played).toEqual(['H-']);
  });

  it('takes two letters for source and target, and the same letter twice for the best place', () => {
    hand.key('a');
    expect(hand.selected).toBe('a');
    hand.key('b');
    hand.key('c');
    hand.key('c');
    hand.key('g');
    hand.keyFoundation('-');
    expect(played).toEqual(['ab', 'c+', 'g-']);
  });
});

describe('where there is nothing to take', () => {
  it('a tap, a key and a drag get the reason and select nothing', () => {
    hand.tap('z', 0);
    hand.key('z');
    expect(hand.grab('z')).toBe(false);
    expect([told, played, hand.selected]).toEqual([
      ['empty_source', 'empty_source', 'empty_source'],
      [],
      null,
    ]);
  });

  it('a drop among the foundations is refused on the up foundation of the suit', () => {
    hand.lift('a');
    expect(hand.drop('nest')).toBe(false);
    expect([hand.refused, told.at(-1)]).toEqual(['S+', 'wrong_rank']);
  });
});
