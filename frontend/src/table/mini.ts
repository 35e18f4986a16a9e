/** What is known of somebody's game, as a small table draws it. */
export interface MiniView {
  /** tops by pile letter; null where the face is not known */
  readonly tops: Readonly<Record<string, string | null>>;
  readonly heights: Readonly<Record<string, number>>;
  /** the highest known card of each foundation by suit */
  readonly up: Readonly<Record<string, string>>;
  readonly down: Readonly<Record<string, string>>;
  /** cards home whose foundation is not known */
  readonly rest: number;
}
