/** The time axis that the chart and the time line under it share, so that a moment is in one column. */

const NARROW = 600;

export interface Margins {
  readonly narrow: boolean;
  readonly left: number;
  readonly right: number;
}

/** What is kept free of `width` pixels beside the axis: for its figures, and for names at the ends of lines. */
export function margins(width: number, names: boolean): Margins {
  const narrow = width < NARROW;
  return { narrow, left: narrow ? 28 : 34, right: names ? (narrow ? 58 : 84) : narrow ? 10 : 24 };
}
