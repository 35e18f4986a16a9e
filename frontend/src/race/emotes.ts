/** What each emote says. */
import type { Key } from '../locale';
import type { EmoteId } from '../net/emotes';

export const EMOTE_TEXT: Record<EmoteId, Key> = {
  wave: 'emote.wave',
  luck: 'emote.luck',
  clap: 'emote.clap',
  wow: 'emote.wow',
  think: 'emote.think',
  oops: 'emote.oops',
  hurry: 'emote.hurry',
  thanks: 'emote.thanks',
};
