import { beforeEach, expect, test, vi } from 'vitest';

let callbacks: ((now: number) => void)[] = [];
let now = 0;
let hidden = false;
let seen: () => void = () => undefined;

/** One frame of the page, so many milliseconds after the last. */
function frame(after = 1000 / 60): void {
  const due = callbacks;
  callbacks = [];
  now += after;
  for (const each of due) each(now);
}

/** The turns of a page that has just been opened. */
async function opened(): Promise<typeof import('./turns')> {
  vi.resetModules();
  return import('./turns');
}

beforeEach(() => {
  callbacks = [];
  hidden = false;
  vi.stubGlobal('requestAnimationFrame', (each: (now: number) => void) => callbacks.push(each));
  vi.stubGlobal('cancelAnimationFrame', () => (callbacks = []));
  vi.stubGlobal('document', {
    get hidden() {
      return hidden;
    },
    addEventListener: (_: string, listener: () => void) => (seen = listener),
    removeEventListener: () => undefined,
  });
});

test('the frame of the player has nothing but what the player did, and each one after it one thing', async () => {
  const { inTurn } = await opened();
  const drawn: string[] = [];
  for (const each of ['a', 'b']) inTurn(() => void drawn.push(each));
  frame();
  expect(drawn).toEqual([]);
  frame();
  expect(drawn).toEqual(['a']);
  frame();
  expect(drawn).toEqual(['a', 'b']);
  expect(callbacks).toEqual([]);
});

test('cards come before what is read about them, and nothing is called that was called off', async () => {
  const { inFirstTurn, inTurn } = await opened();
  const drawn: string[] = [];
  inTurn(() => void drawn.push('label'));
  const off = inTurn(() => void drawn.push('called off'));
  inFirstTurn(() => void drawn.push('card'));
  off();
  for (let number = 0; number < 4; number++) frame();
  expect(drawn).toEqual(['card', 'label']);
});

test('what has nothing to draw costs no frame', async () => {
  const { inTurn } = await opened();
  const drawn: string[] = [];
  inTurn(() => false);
  inTurn(() => void drawn.push('a'));
  frame();
  frame();
  expect(drawn).toEqual(['a']);
});

test('a race in which something happens in every frame is drawn in every other', async () => {
  const { inTurn, takeFrame } = await opened();
  const drawn: number[] = [];
  for (let number = 0; number < 3; number++) inTurn(() => void drawn.push(number));
  for (let number = 0; number < 6; number++) {
    takeFrame();
    frame();
  }
  expect(drawn).toEqual([0, 1, 2]);
});

test('whoever is quicker than the page does not leave it ever further behind', async () => {
  const { inTurn } = await opened();
  let drawn = 0;
  for (let number = 0; number < 200; number++) {
    for (let each = 0; each < 10; each++) inTurn(() => void (drawn += 1));
    frame();
  }
  expect(2000 - drawn).toBeLessThan(300);
});

test('a page that has few frames is drawn as soon as one that has many', async () => {
  const { inTurn } = await opened();
  let drawn = 0;
  for (let number = 0; number < 12; number++) inTurn(() => void (drawn += 1));
  for (let number = 0; number < 5; number++) frame(50);
  expect(drawn).toBe(1 + 3 * 3);
});

test('a page that is not seen waits for no frame', async () => {
  const { inTurn } = await opened();
  const drawn: string[] = [];
  inTurn(() => void drawn.push('a'));
  hidden = true;
  seen();
  inTurn(() => void drawn.push('b'));
  expect(drawn).toEqual(['a', 'b']);
});

test('a turn that fails keeps no other from its own, and no frame is asked for after the last', async () => {
  const { inTurn } = await opened();
  const drawn: string[] = [];
  inTurn(() => {
    throw new Error('broken');
  });
  inTurn(() => void drawn.push('b'));
  frame();
  expect(() => frame()).toThrow('broken');
  expect(callbacks).toHaveLength(1);
  frame();
  expect(drawn).toEqual(['b']);
  expect(callbacks).toEqual([]);
});
