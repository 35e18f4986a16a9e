"""The notation of actions."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.actions import ACTIONS, NotAnAction, parse_action
from games.engine.cards import PILES, SUITS


def test_there_are_as_many_actions_as_the_notation_allows() -> None:
    assert len(ACTIONS) == 16 * 16 + 16 * 2 + 4 * 2 + 2


def test_every_code_is_read_and_written_back_the_same() -> None:
    for code, action in ACTIONS.items():
        assert str(parse_action(code)) == action.code == code
        assert parse_action(code) is action


def test_codes_mean_what_the_notation_says() -> None:
    for code, action in ACTIONS.items():
        first, second = code[0], code[1]
        if action.kind == "pile_to_pile":
            assert (PILES[action.source], PILES[action.target]) == (first, second)
        elif action.kind == "pile_to_foundation":
            assert PILES[action.source] == first
            assert action.upward == (second == "+")
        elif action.kind == "foundation_to_foundation":
            assert SUITS[action.suit] == first
            assert action.upward == (second == "+")
    assert parse_action("**").kind == "redeal"
    assert parse_action("<<").kind == "undo"
    assert not parse_action("**").is_move
    assert not parse_action("<<").is_move
    assert parse_action("S-").is_move


def test_a_copied_action_is_the_same_object() -> None:
    action = parse_action("ab")
    assert copy.deepcopy(action) is action
    assert pickle.loads(pickle.dumps(action)) is action


@given(st.text(max_size=4))
def test_any_other_text_is_not_an_action(text: str) -> None:
    if text in ACTIONS:
        return
    with pytest.raises(NotAnAction) as caught:
        parse_action(text)
    assert caught.value.text == text
    assert caught.value.reason == "not_an_action"


@pytest.mark.parametrize(
    "text", ["", "a", "abc", "AB", "aq", "s+", "S*", "*", "<", "> ", "+a", "a＋"]
)
def test_near_misses_are_not_actions(text: str) -> None:
    with pytest.raises(NotAnAction):
        parse_action(text)
