/** The rivals' small tables: their codes move slots, and only slots this player has uncovered show faces. */
import { rivalTable, START, type Rival } from '../engine/rival';
import { countsAlone, type Room } from '../net/room';
import type { MiniView } from '../table/mini';
import { nearest } from './phase';

interface Drawn {
  readonly game: Rival;
  readonly faces: Room['seen'];
  readonly view: MiniView;
}

/** How many rivals are drawn; the others are lines. */
const DRAWN = 3;
const WATCHED = 12;

export class RivalViews {
  #drawn = new Map<number, Drawn>();

  /** The views of the nearest rivals, made anew only where their game or the known faces have changed. */
  of(room: Room): ReadonlyMap<number, MiniView> {
    const views = new Map<number, MiniView>();
    if (countsAlone(room)) return views;
    const faces = room.faces ?? room.seen;
    for (const racer of nearest(room, room.you === null ? WATCHED : DRAWN)) {
      const game = room.games[racer] ?? START;
      let drawn = this.#drawn.get(racer);
      if (drawn?.game !== game || drawn.faces !== faces) {
        drawn = { game, faces, view: viewOf(game, faces, room.deal.kind === 'F' ? 4 : 3) };
        this.#drawn.set(racer, drawn);
      }
      views.set(racer, drawn.view);
    }
    return views;
  }
}

export function viewOf(game: Rival, faces: Room['seen'], redeals: number): MiniView {
  const { tops, heights, up, down, unplaced } = rivalTable(game, faces, redeals);
  return { tops, heights, up, down, rest: unplaced };
}
