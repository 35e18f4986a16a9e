/** Reasons, places and outcomes in the player's words. */
import { known, lang, t } from '../locale';
import type { RacerRow } from '../net/protocol.gen';

const ENGLISH_ORDINALS = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' } as const;
const english = new Intl.PluralRules('en', { type: 'ordinal' });

/** 2nd, 2-ге, hạng 2 */
export function ordinal(place: number): string {
  if (lang() === 'en') return `${place}${ENGLISH_ORDINALS[english.select(place)]}`;
  return t('place.short', { place });
}

/** What to tell a player about a reason; `code` is the refused action. */
export function reasonText(reason: string, code = ''): string {
  const home = /[+-]$/.test(code);
  const key = reason === 'wrong_rank' && home ? 'reason.wrong_rank_home' : `reason.${reason}`;
  return known(key) ? t(key) : t('reason.other');
}

export function outcomeText(row: RacerRow): string {
  if (row.outcome === 'resigned') return t('outcome.resigned');
  return row.outcome === 'expired' ? t('outcome.expired') : '';
}
