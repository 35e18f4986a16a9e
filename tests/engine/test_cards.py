"""Cards and the order they follow each other in."""

from collections import Counter

import pytest

from games.engine.cards import (
    CARDS,
    DECK,
    NEIGHBOURS,
    NEXT_DOWN,
    NEXT_UP,
    RANKS,
    UNDER_DOWN,
    UNDER_UP,
    Card,
    read_cards,
)


def test_deck_and_bases_make_two_packs() -> None:
    assert len(DECK) == 96
    bases = [Card(rank + suit) for rank in "AK" for suit in "SHDC"]
    assert Counter([*DECK, *bases]) == dict.fromkeys(CARDS, 2)


def test_ranks_go_round_in_piles_and_stop_on_foundations() -> None:
    assert set(NEIGHBOURS[Card("AS")]) == {"KS", "2S"}
    assert set(NEIGHBOURS[Card("KD")]) == {"AD", "QD"}
    assert NEXT_UP[Card("KH")] is None
    assert NEXT_DOWN[Card("AH")] is None
    assert (NEXT_UP[Card("9C")], NEXT_DOWN[Card("TC")]) == ("TC", "9C")


def test_being_a_neighbour_is_mutual_and_never_of_itself() -> None:
    for card in CARDS:
        for other in NEIGHBOURS[card]:
            assert card in NEIGHBOURS[other]
            assert card[1] == other[1]
            assert (RANKS.index(card[0]) - RANKS.index(other[0])) % 13 in {1, 12}


def test_what_lies_under_a_card_is_what_it_was_put_on() -> None:
    for card in CARDS:
        if up := NEXT_UP[card]:
            assert UNDER_UP[up] == card
        if down := NEXT_DOWN[card]:
            assert UNDER_DOWN[down] == card
    assert not {Card("AS"), Card("AC")} & UNDER_UP.keys()
    assert not {Card("KS"), Card("KC")} & UNDER_DOWN.keys()


@pytest.mark.parametrize("text", ["T", "TSX", "1S", "tS", "10S", "SA", "A♠"])
def test_what_is_no_card_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        read_cards(text)
