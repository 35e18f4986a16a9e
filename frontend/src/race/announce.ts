/** The race in one sentence, for those who hear the page instead of seeing it. */
import { t } from '../locale';
import type { Room } from '../net/room';
import { inOrder } from './phase';

export function chatterFor(room: Room): string {
  const rivals = inOrder(room.racers, room.stirred).filter(({ racer }) => racer !== room.you);
  return rivals.map(({ name, home }) => t('said.rival', { name, home })).join('. ');
}
