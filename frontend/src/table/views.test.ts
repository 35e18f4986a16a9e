import { beforeEach, expect, test, vi } from 'vitest';
import type { WireTable } from '../net/protocol.gen';
import { lying } from './air.svelte';
import { PlaceViews } from './views.svelte';

let frames: ((now: number) => void)[] = [];
let now = 0;

/** One frame of the page. */
function frame(): void {
  const due = frames;
  frames = [];
  now += 1000 / 60;
  for (const each of due) each(now);
}

beforeEach(() => {
  frames = [];
  vi.stubGlobal('document', {
    hidden: false,
    documentElement: { lang: 'en' },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('requestAnimationFrame', (each: (now: number) => void) => frames.push(each));
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []));
});

function table(tops: Record<string, string>, heights: Record<string, number>): WireTable {
  return { tops, heights, up: {}, down: {}, redeals_left: 3, moves: 0, home: 8, undo: 0 };
}

/** The views of a table that changes, and how to read two of its piles. */
function board(first: WireTable) {
  let now = first;
  const views = new PlaceViews({
    table: () => now,
    lying: (place) => lying(now, place),
    marks: () => '',
  });
  const [a, b] = views.piles;
  return {
    views,
    read: () => [a?.top, a?.height, b?.top, b?.height],
    counts: () => [a?.count, b?.count],
    become(next: WireTable) {
      now = next;
      views.show();
      views.tell();
    },
  };
}

test('no frame draws more than one step of one place, and the labels come last', () => {
  const { become, read, counts } = board(table({ a: '7S', b: '8S' }, { a: 6, b: 6 }));
  expect(read()).toEqual(['7S', 6, '8S', 6]);
  become(table({ a: '2H', b: '7S' }, { a: 5, b: 7 }));
  const seen = [];
  for (let number = 0; number < 8; number++) {
    frame();
    seen.push([...read(), ...counts()].join(' '));
  }
  expect([...new Set(seen)]).toEqual([
    '7S 6 8S 6 6 6',
    '2H 6 8S 6 6 6',
    '2H 5 8S 6 6 6',
    '2H 5 7S 6 6 6',
    '2H 5 7S 7 6 6',
    '2H 5 7S 7 5 6',
    '2H 5 7S 7 5 7',
  ]);
});

test('a pile that empties never shows a card on nothing', () => {
  const { become, read } = board(table({ a: '7S', b: '8S' }, { a: 1, b: 6 }));
  become(table({ b: '7S' }, { b: 7 }));
  frame();
  frame();
  expect(read().slice(0, 2)).toEqual([null, 0]);
});
