"""Cards, piles and what follows what: the vocabulary of the game.

A card is its two-character notation, rank then suit: "TS" is the ten of spades. The two copies of
a card are the same value; where it matters which copy it is, a slot (see `position`) tells.
"""

from typing import Literal, NewType, get_args

Card = NewType("Card", str)
Suit = Literal["S", "H", "D", "C"]
Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]

SUITS = "SHDC"
RANKS = "A23456789TJQK"
SUIT_LIST: tuple[Suit, ...] = get_args(Suit)
RANK_LIST: tuple[Rank, ...] = get_args(Rank)

PILES = "abcdefghijklmnop"
"""The letters of piles 1-16."""

PILE_LIMIT = 13
"""The most cards a pile holds."""

CARD_COUNT = 104
SLOT_COUNT = 96

CARDS: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 different cards, suit by suit."""

DECK: tuple[Card, ...] = tuple(
    Card(rank + suit) for suit in SUITS for rank in RANKS for _ in range(1 if rank in "AK" else 2)
)
"""The 96 cards that are dealt, in the order of step 3 of the deal function."""

UP_BASES: tuple[Card, ...] = tuple(Card("A" + suit) for suit in SUITS)
DOWN_BASES: tuple[Card, ...] = tuple(Card("K" + suit) for suit in SUITS)

SUIT_INDEX: dict[Card, int] = {card: SUITS.index(card[1]) for card in CARDS}
"""Where a card's suit stands in SUITS, 0-3."""

RANK_INDEX: dict[Card, int] = {card: RANKS.index(card[0]) for card in CARDS}
"""Where a card's rank stands in RANKS, 0 (ace) to 12 (king)."""

NEXT_UP: dict[Card, Card | None] = {
    card: None if card[0] == "K" else Card(RANKS[RANK_INDEX[card] + 1] + card[1]) for card in CARDS
}
"""The card that an up foundation takes on this one; none on a king."""

NEXT_DOWN: dict[Card, Card | None] = {
    card: None if card[0] == "A" else Card(RANKS[RANK_INDEX[card] - 1] + card[1]) for card in CARDS
}
"""The card that a down foundation takes on this one; none on an ace."""

UNDER_UP: dict[Card, Card] = {card: under for card, under in NEXT_DOWN.items() if under}
"""The card under this one in an up foundation, which is built in order; a base has none."""

UNDER_DOWN: dict[Card, Card] = {card: under for card, under in NEXT_UP.items() if under}
"""The card under this one in a down foundation; a base has none."""

NEIGHBOURS: dict[Card, tuple[Card, Card]] = {
    card: (
        Card(RANKS[(RANK_INDEX[card] + 1) % 13] + card[1]),
        Card(RANKS[RANK_INDEX[card] - 1] + card[1]),
    )
    for card in CARDS
}
"""The two cards that may be put on this one in a pile: ranks go round from king to ace."""


def is_card(text: str) -> bool:
    """Whether the text is the notation of a card."""
    return text in SUIT_INDEX


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards written one after the other, such as "TS8D".

    :raises ValueError: where two characters are not a card.
    """
    cards = tuple(text[place : place + 2] for place in range(0, len(text), 2))
    for place, card in enumerate(cards):
        if card not in SUIT_INDEX:
            raise ValueError(f"{card!r}, card {place + 1} of the text, is not a card")
    return tuple(Card(card) for card in cards)
