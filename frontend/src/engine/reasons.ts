/** Every refusal of the rules, in the order in which they are given when several hold. */

export const REASONS = [
  'not_an_action', // it can't be read as an action
  'game_over', // the game is finished
  'no_undo', // the race is played without undo
  'empty_source', // there is no card on the source pile
  'base_locked', // the card to move is a foundation's base
  'same_place', // the source is the target
  'empty_pile', // nothing may be put on an empty pile
  'pile_full', // the target pile has 13 cards
  'wrong_suit', // the same suit is needed
  'wrong_rank', // the neighbouring rank (pile) or the next (foundation) is needed
  'no_redeals', // the redeals are used up
  'nothing_to_undo', // no move since the start or the last redeal is left
] as const;

export type Reason = (typeof REASONS)[number];

/** The top in question is not known yet. It is told to nobody: the answer is on its way. */
export const PENDING = 'pending';

export type Refusal = Reason | typeof PENDING;
