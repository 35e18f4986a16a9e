/** What changes of a room a person in it must be told, besides seeing them. */
import type { Room } from '../net/room';
import { ownRow } from './phase';

export type News = 'called_off' | 'host_now';

/** What to tell of a change; null where the screen itself says it, or the person has done it. */
export function newsOf(before: Room | null, after: Room | null): News | null {
  if (!before || !after || after.race.starts_at !== null) return null;
  const [was, is] = [ownRow(before), ownRow(after)];
  if (before.race.starts_at !== null) return is?.host ? null : 'called_off';
  return was && is?.host && !was.host ? 'host_now' : null;
}
