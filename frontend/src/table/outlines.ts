/** The outlines of the cards' sprite, to be drawn anywhere at any size without a reference to it. */
import sprite from './cards.svg?raw';

const OUTLINES: ReadonlyMap<string, string> = new Map(
  [...sprite.matchAll(/<symbol id="([^"]+)"[^>]*><path d="([^"]+)"/g)].map(
    ([, id = '', outline = '']): [string, string] => [id, outline],
  ),
);

/** How many numbers each command of a path takes; the last two are a point, but for H, V and Z. */
const NUMBERS: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 };
const TOKEN = /[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)/g;

/** A symbol of the sprite as path data, scaled by `by` and then moved by (x, y); empty where there is none. */
export function outline(id: string, by: number, x: number, y: number): string {
  return moved(OUTLINES.get(id) ?? '', by, x, y);
}

/** Path data scaled by `by` and then moved by (x, y). */
export function moved(path: string, by: number, x: number, y: number): string {
  let drawn = '';
  let command = '';
  let numbers: number[] = [];
  for (const token of path.match(TOKEN) ?? []) {
    if (/[A-Za-z]/.test(token)) {
      command = token;
      if (NUMBERS[command.toUpperCase()] === 0) drawn += command;
      continue;
    }
    numbers.push(Number(token));
    if (numbers.length < (NUMBERS[command.toUpperCase()] ?? 1)) continue;
    drawn += command + numbers.map((value, at) => place(command, value, at, by, x, y)).join(' ');
    numbers = [];
    // What follows a first point without a command of its own is a line.
    if (command === 'M') command = 'L';
    if (command === 'm') command = 'l';
  }
  return drawn;
}

/** One number of a command: a radius grows, an angle or a flag does not, an absolute coordinate moves too. */
function place(command: string, value: number, at: number, by: number, x: number, y: number): number {
  const arc = command === 'A' || command === 'a';
  if (arc && at > 1 && at < 5) return value;
  const absolute = command < 'a' && !(arc && at < 2);
  const upright = command === 'V' || (command !== 'H' && at % 2 === (arc ? 0 : 1));
  const shift = absolute ? (upright ? y : x) : 0;
  return Math.round((value * by + shift) * 100) / 100;
}
