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

/** What a racer's line must say at once: given up, out of time, cut off, blocked; else nothing. */
export function stateText(row: RacerRow): string {
  if (row.outcome) return outcomeText(row);
  if (!row.online && !row.ghost) return t('rival.offline');
  return row.blocked ? t('rival.blocked') : '';
}

/** How long ago something was: 12 s ago, 3 min ago. */
export function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60
    ? t('rival.seconds_ago', { n: seconds })
    : t('rival.minutes_ago', { n: Math.floor(seconds / 60) });
}

/** Names in a row: Anh, Oksana and Minh. */
export function list(names: readonly string[]): string {
  return new Intl.ListFormat(lang() === 'en' ? 'en-GB' : lang(), { type: 'conjunction' }).format(names);
}
