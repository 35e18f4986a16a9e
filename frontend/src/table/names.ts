/** Cards and places as a screen reader says them. */
import { t, type Key } from '../locale';
import type { WireTable } from '../net/protocol.gen';
import { isPile, pileNumber, topOf, type PlaceId } from './places';

/** "six of spades"; for a card that is not known yet, "a face-down card". */
export function cardName(card: string | null): string {
  if (!card) return t('card.unknown');
  const rank = t(`rank.${card.charAt(0)}` as Key);
  const suit = t(`suit.${card.charAt(1)}` as Key);
  return t('card.name', { rank, suit });
}

/** "pile 8, 6 cards, six of spades on top" */
export function placeName(place: PlaceId, top: string | null, n: number): string {
  const card = cardName(top);
  if (!isPile(place)) {
    const suit = t(`suit.${place.charAt(0)}` as Key);
    return t(place.endsWith('+') ? 'place.up' : 'place.down', { suit, n, card });
  }
  const pile = pileNumber(place);
  return n ? t('place.pile', { pile, n, card }) : t('place.empty', { pile });
}

/** "six of spades to pile 9", for the line that screen readers hear after a move. */
export function moveSentence(card: string | null, to: PlaceId): string {
  return isPile(to)
    ? t('said.to_pile', { card: cardName(card), pile: pileNumber(to) })
    : t(to.endsWith('+') ? 'said.to_up' : 'said.to_down', { card: cardName(card) });
}

/** "seven of hearts uncovered on pile 3" */
export function uncoveredSentence(table: WireTable, pile: PlaceId): string {
  return t('said.uncovered', { card: cardName(topOf(table, pile)), pile: pileNumber(pile) });
}
