"""Playing with all the cards in view: cards are kept, refusals change nothing, undo restores."""

import random
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.actions import ACTIONS, REDEAL, UNDO, parse_action
from games.engine.cards import CARDS, RANKS, SUITS, Card
from games.engine.deals import BadLayout
from games.engine.position import Illegal, Position, play
from games.engine.rules import legal_actions, refusal

from .facts import PERFT, perft_position
from .games import dealt, positions, random_game


def all_cards(position: Position) -> Counter[Card]:
    """Count every card in the piles and, as these are built in order, on the foundations."""
    cards = Counter(card for pile in range(16) for card in position.pile(pile))
    for suit, up, down in zip(SUITS, position.table.up, position.table.down, strict=True):
        cards.update(Card(rank + suit) for rank in RANKS[: RANKS.index(up[0]) + 1])
        cards.update(Card(rank + suit) for rank in RANKS[RANKS.index(down[0]) :])
    return cards


@given(positions())
@settings(max_examples=150)
def test_there_are_always_104_cards_two_of_each(position: Position) -> None:
    assert all_cards(position) == dict.fromkeys(CARDS, 2)
    slots = b"".join(position.piles)
    assert len(set(slots)) == len(slots)
    assert len(slots) + position.table.home == 104


@given(positions())
@settings(max_examples=60)
def test_refused_action_changes_nothing(position: Position) -> None:
    before = (position.piles, position.table, position.history, position.cards)
    copies = tuple(tuple(part) for part in before)
    for action in ACTIONS.values():
        reason = refusal(position.table, action)
        if reason is not None:
            with pytest.raises(Illegal) as caught:
                play(position, action)
            assert (caught.value.reason, caught.value.code) == (reason, action.code)
    assert tuple(tuple(part) for part in before) == copies


@given(positions())
@settings(max_examples=100)
def test_undo_restores_all_but_nothing_more(position: Position) -> None:
    for action in legal_actions(position.table):
        after = play(position, action).position
        if action is REDEAL or after.won:
            assert action is not REDEAL or after.table.undo == 0
            continue
        back, shown = play(after, UNDO)
        assert shown == {}
        assert (back.cards, back.piles) == (position.cards, position.piles)
        full = position.table.undo == 100
        assert back.table == position.table._replace(undo=99 if full else position.table.undo)


@given(positions())
@settings(max_examples=100)
def test_shown_is_the_uncovered_tops_and_no_other_card(position: Position) -> None:
    for action in legal_actions(position.table):
        after, shown = play(position, action)
        for pile, card in shown.items():
            assert after.table.tops["abcdefghijklmnop".index(pile)] == card
        if action is REDEAL:
            turned = {
                pile
                for pile, slots in zip("abcdefghijklmnop", after.piles, strict=True)
                if len(slots) > 1
            }
            assert shown.keys() == turned
        elif action.source >= 0 and after.piles[action.source]:
            assert shown.keys() == {action.code[0]}
        else:
            assert shown == {}


def test_redeal_puts_the_bottom_card_on_top_of_piles_of_two_or_more() -> None:
    position = perft_position(next(item for item in PERFT if item["name"] == "mid-transfers"))
    after, shown = play(position, REDEAL)
    for index, pile in enumerate(position.piles):
        assert after.piles[index] == pile[1:] + pile[:1]
    assert after.pile(4) == ("8S", "TH")
    assert shown["e"] == "TH"
    assert "d" not in shown
    assert "c" not in shown
    assert after.table.redeals_left == position.table.redeals_left - 1
    assert after.table.moves == position.table.moves


def test_redeals_are_counted_down_and_undo_never_crosses_one() -> None:
    for redeals in (3, 4):
        position = dealt(7, redeals)
        move = next(action for action in legal_actions(position.table) if action.is_move)
        position = play(position, move).position
        assert position.table.undo == 1
        for left in range(redeals - 1, -1, -1):
            position = play(position, REDEAL).position
            assert (position.table.redeals_left, position.table.undo) == (left, 0)
            with pytest.raises(Illegal, match="nothing_to_undo"):
                play(position, UNDO)
        with pytest.raises(Illegal, match="no_redeals"):
            play(position, REDEAL)
        assert position.table.moves == 1


def there_and_back() -> Position:
    """A position where a card can go from pile to pile and back without end."""
    piles = [[Card(card) for card in pile.split()] for pile in PERFT[2]["piles"]]
    return Position.from_piles(
        piles,
        [Card(PERFT[2]["up"][suit] + suit) for suit in SUITS],
        [Card(PERFT[2]["down"][suit] + suit) for suit in SUITS],
        1,
    )


def test_hundred_of_150_moves_can_be_taken_back_and_playing_on_makes_more() -> None:
    position = there_and_back()
    piles = []
    for count in range(150):
        code = "S+" if count % 2 == 0 else "S-"
        piles.append(position.table)
        position = play(position, parse_action(code)).position
        assert position.table.undo == min(count + 1, 100)
    for count in range(100):
        position = play(position, UNDO).position
        assert position.table.undo == 99 - count
        assert position.table.moves == 149 - count
    assert position.table.up == piles[50].up
    with pytest.raises(Illegal, match="nothing_to_undo"):
        play(position, UNDO)
    position = play(position, parse_action("S+")).position
    assert position.table.undo == 1
    assert play(position, UNDO).position.table.up == piles[50].up


@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_undoing_everything_leads_back_to_the_last_redeal(
    number: int, chance: random.Random
) -> None:
    start = position = dealt(number)
    for _, action, after in random_game(position, chance, 90, undos=0.0):
        position = after
        if action is REDEAL:
            start = after
    if position.won:
        return
    while position.history:
        position = play(position, UNDO).position
    assert position == start


def test_memory_of_a_position_does_not_grow_with_the_game() -> None:
    position = there_and_back()
    for count in range(1000):
        position = play(position, parse_action("S+" if count % 2 == 0 else "S-")).position
    assert len(position.history) == 100
    assert sys.getsizeof(position.history) < 2000


def test_layout_of_a_start_is_given_back() -> None:
    position = dealt(1)
    assert Position.of(position.layout, 3) == position
    assert position.piles[0] == bytes(range(6))
    assert position.piles[15] == bytes(range(90, 96))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda piles, up, down: piles[0].append(Card("2S")), "two of 2S, not 3"),
        (lambda piles, up, down: piles[0].pop(), "two of 9S, not 1"),
        (lambda piles, up, down: piles.pop(), "16 piles"),
        (lambda piles, up, down: piles[0].extend([Card("2S")] * 13), "at most 13"),
        (lambda piles, up, down: piles[0].append(Card("1S")), "not all cards"),
        (lambda piles, up, down: up.reverse(), "each suit"),
        (lambda piles, up, down: down.pop(), "each suit"),
        (lambda piles, up, down: up.__setitem__(0, Card("2S")), "two of 2S, not 3"),
    ],
)
def test_position_of_other_cards_than_the_game_has_is_refused(change: object, says: str) -> None:
    piles = [list(dealt(3).pile(index)) for index in range(16)]
    piles[0][-1], other = Card("9S"), piles[0][-1]
    for pile in piles[1:]:
        if "9S" in pile:
            pile[pile.index(Card("9S"))] = other
            break
    up = [Card("A" + suit) for suit in SUITS]
    down = [Card("K" + suit) for suit in SUITS]
    Position.from_piles(piles, up, down, 3)
    assert callable(change)
    change(piles, up, down)
    with pytest.raises(BadLayout, match=says):
        Position.from_piles(piles, up, down, 3)
