/**
 * What is drawn on a card, as path data in a box of 100 × 140. Every card has the same four paths, some of
 * them empty: to show another card is to set four attributes, and the page gains no node.
 */
import { outline } from './outlines';

export interface Face {
  /** the rank, stroked */
  readonly rank: string;
  /** every pip, filled */
  readonly pip: string;
  /** a court card's emblem, tinted and stroked; of a back its field */
  readonly emblem: string;
  /** what lies on the emblem: a queen's eye; of a back its crescent */
  readonly eye: string;
}

const BACK: Face = {
  rank: '',
  pip: '',
  emblem: 'M14 7h72a7 7 0 0 1 7 7v112a7 7 0 0 1-7 7H14a7 7 0 0 1-7-7V14a7 7 0 0 1 7-7Z',
  eye: 'M61 42a30 30 0 1 0 0 56 24.5 24.5 0 1 1 0-56Z',
};
/** Ranks whose glyph is another letter in Ukrainian: Т К Д В. */
const LETTERS = 'AKQJ';
/** Where a court card has its emblem, and its scale; its pip within: left, top, scale. */
const EMBLEM = [20, 62, 0.6] as const;
const COURT_PIP: Readonly<Record<string, readonly [number, number, number]>> = {
  K: [21, 28.2, 0.18],
  Q: [19.2, 19.2, 0.216],
  J: [18.6, 16.8, 0.228],
};

const known = new Map<string, Face>();

/**
 * The face of a card such as `TS`, or a back where it is null.
 * @param large wide enough for a court card's emblem, from 72 px
 */
export function faceOf(code: string | null, large: boolean, ukrainian: boolean): Face {
  if (code === null) return BACK;
  const key = `${code}${large}${ukrainian}`;
  let face = known.get(key);
  if (!face) {
    face = draw(code.charAt(0), code.charAt(1), large, ukrainian);
    known.set(key, face);
  }
  return face;
}

function draw(rank: string, suit: string, large: boolean, ukrainian: boolean): Face {
  const glyph = `rank-${ukrainian && LETTERS.includes(rank) ? 'uk-' : ''}${rank}`;
  const pip = (by: number, x: number, y: number): string => outline(`pip-${suit}`, by, x, y);
  if (!large) {
    return { rank: outline(glyph, 0.75, 15, 17), pip: pip(0.56, 35, 73), emblem: '', eye: '' };
  }
  const index = { rank: outline(glyph, 35 / 64, 14, 16), emblem: '', eye: '' };
  const corner = pip(0.25, 65, 13);
  const court = COURT_PIP[rank];
  if (!court) return { ...index, pip: corner + (rank === 'A' ? pip(0.62, 19, 62) : pip(0.44, 28, 71)) };
  const [left, top, by] = EMBLEM;
  const [x, y, size] = court;
  return {
    ...index,
    pip: corner + pip(size, left + x, top + y) + outline(`court-${rank}-dots`, by, left, top),
    emblem: outline(`court-${rank}`, by, left, top),
    eye: outline(`court-${rank}-eye`, by, left, top),
  };
}
