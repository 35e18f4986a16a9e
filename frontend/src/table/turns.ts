/**
 * One thing a frame. What a move changes on the page is drawn in turn, each in a frame of its own, so that
 * no frame has more to do than one of them; and a frame that has had its work already, because the player
 * acts in it or the server has answered, has only that.
 */

/** Draws something; false when there was nothing to draw and the frame may go to the next. */
export type Turn = () => boolean | void;

/** What moves and what the hand does comes first, what is read about it after. */
const first: Turn[] = [];
const rest: Turn[] = [];
/** Whoever is quicker than the page is drawn more a frame: nothing waits longer than this many frames. */
const LONGEST = 16;
/** A page that has fewer frames than sixty a second has as much to draw in a second. */
const FRAME_MS = 1000 / 60;

let frame = 0;
/** some turns wait, or are being drawn now */
let busy = false;
let before = Infinity;
/** the coming frame has its work already */
let taken = false;
/** the last one had: no two in a row are let go, else a busy race would never be drawn */
let passed = false;

/** Draws something after all else that waits; returned is how to call it off. */
export function inTurn(turn: Turn): () => void {
  return queue(rest, turn);
}

/** Draws something after whatever moves already, and before the rest. */
export function inFirstTurn(turn: Turn): () => void {
  return queue(first, turn);
}

/** The coming frame has its work: whatever waits, waits one more, unless it has just waited for another. */
export function takeFrame(): void {
  taken = true;
}

function queue(turns: Turn[], turn: Turn): () => void {
  // A page that is not seen has no frames.
  if (document.hidden) {
    turn();
    return () => undefined;
  }
  turns.push(turn);
  if (!busy) {
    taken = busy = true;
    frame = requestAnimationFrame(next);
    document.addEventListener('visibilitychange', rush);
  }
  return () => {
    const at = turns.indexOf(turn);
    if (at >= 0) turns.splice(at, 1);
  };
}

function next(now: number): void {
  const late = Math.max(1, Math.round((now - before) / FRAME_MS));
  passed = taken && !passed;
  taken = false;
  try {
    if (passed) return;
    before = now;
    draw(Math.max(late, Math.ceil((first.length + rest.length) / LONGEST)));
  } finally {
    // What goes wrong in one turn must not keep the others from theirs; and to ask for a frame takes time.
    if (first.length + rest.length > 0) frame = requestAnimationFrame(next);
    else stop();
  }
}

/** Draws so many of those that have something to draw. */
function draw(many: number): void {
  let left = many;
  while (left > 0 && first.length + rest.length > 0) {
    const turn = first.shift() ?? rest.shift();
    if (turn?.() !== false) left -= 1;
  }
}

function rush(): void {
  if (!document.hidden) return;
  draw(Infinity);
  stop();
}

function stop(): void {
  cancelAnimationFrame(frame);
  busy = false;
  before = Infinity;
  document.removeEventListener('visibilitychange', rush);
}
