"""Refusals in their order, what is legal, won and blocked, and the law of tables."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from games.engine.actions import ACTIONS, REDEAL, UNDO, parse_action
from games.engine.cards import CARDS, Card
from games.engine.position import Position, look, play
from games.engine.reasons import Reason
from games.engine.rules import apply, is_blocked, is_won, legal_actions, refusal
from games.engine.table import Table

from .facts import SOLVED
from .games import positions

WON = Table(
    tops=(None,) * 16,
    heights=(0,) * 16,
    up=tuple(Card("K" + suit) for suit in "SHDC"),
    down=tuple(Card("A" + suit) for suit in "SHDC"),
    redeals_left=2,
    moves=98,
    home=104,
    undo=12,
)


def table(
    piles: dict[str, tuple[str, int]],
    up: str = "AS AH AD AC",
    down: str = "KS KH KD KC",
    redeals_left: int = 3,
    undo: int = 0,
) -> Table:
    """Give a table from {"a": ("TS", 6)}; the other piles are empty."""
    tops, heights = [], []
    for pile in "abcdefghijklmnop":
        top, height = piles.get(pile, (None, 0))
        tops.append(None if top is None else Card(top))
        heights.append(height)
    return Table(
        tops=tuple(tops),
        heights=tuple(heights),
        up=tuple(map(Card, up.split())),
        down=tuple(map(Card, down.split())),
        redeals_left=redeals_left,
        moves=0,
        home=104 - sum(heights),
        undo=undo,
    )


TABLE = table(
    {
        "a": ("TS", 6),
        "b": ("JS", 6),
        "c": ("9S", 13),
        "d": ("8D", 13),
        "e": ("8D", 6),
        "f": ("TS", 6),
        "g": ("2S", 1),
        "h": ("QS", 13),
        "i": ("KH", 6),
        "j": ("AH", 6),
        "k": ("KC", 6),
    },
    up="AS AH 5D KC",
    down="KS KH 6D AC",
    redeals_left=0,
)

# Each code with its reason and, where several hold, those that must give way.
REFUSED = [
    ("pa", Reason.EMPTY_SOURCE, ""),
    ("pp", Reason.EMPTY_SOURCE, "same_place empty_pile"),
    ("po", Reason.EMPTY_SOURCE, "empty_pile"),
    ("pc", Reason.EMPTY_SOURCE, "pile_full"),
    ("p+", Reason.EMPTY_SOURCE, "wrong_rank"),
    ("p-", Reason.EMPTY_SOURCE, "wrong_rank"),
    ("S-", Reason.BASE_LOCKED, "wrong_rank"),
    ("S+", Reason.BASE_LOCKED, "wrong_rank"),
    ("H-", Reason.BASE_LOCKED, "wrong_rank"),
    ("aa", Reason.SAME_PLACE, "wrong_rank"),
    ("cc", Reason.SAME_PLACE, "pile_full wrong_rank"),
    ("ap", Reason.EMPTY_PILE, ""),
    ("cp", Reason.EMPTY_PILE, ""),
    ("ac", Reason.PILE_FULL, ""),
    ("ad", Reason.PILE_FULL, "wrong_suit wrong_rank"),
    ("gh", Reason.PILE_FULL, "wrong_rank"),
    ("id", Reason.PILE_FULL, "wrong_suit"),
    ("ae", Reason.WRONG_SUIT, "wrong_rank"),
    ("ik", Reason.WRONG_SUIT, "wrong_rank"),
    ("gj", Reason.WRONG_SUIT, ""),
    ("ga", Reason.WRONG_RANK, ""),
    ("af", Reason.WRONG_RANK, ""),
    ("a+", Reason.WRONG_RANK, ""),
    ("a-", Reason.WRONG_RANK, ""),
    ("k+", Reason.WRONG_RANK, ""),
    ("k-", Reason.WRONG_RANK, ""),
    ("**", Reason.NO_REDEALS, ""),
    ("<<", Reason.NOTHING_TO_UNDO, ""),
    ("ab", None, ""),
    ("ba", None, ""),
    ("ij", None, ""),
    ("ji", None, ""),
    ("g+", None, ""),
    ("ca", None, ""),
    ("D+", None, ""),
    ("D-", None, ""),
]


@pytest.mark.parametrize(
    ("code", "reason", "beaten"), REFUSED, ids=[code for code, _, _ in REFUSED]
)
def test_first_of_several_reasons_is_given(code: str, reason: Reason | None, beaten: str) -> None:
    assert refusal(TABLE, parse_action(code)) is reason
    order = list(Reason)
    for weaker in beaten.split():
        assert reason is not None
        assert order.index(reason) < order.index(Reason(weaker))


def test_every_reason_of_the_rules_is_tried() -> None:
    tried = {reason for _, reason, _ in REFUSED}
    assert set(Reason) - tried == {Reason.NOT_AN_ACTION, Reason.GAME_OVER, Reason.NO_UNDO}


@pytest.mark.parametrize("code", ACTIONS)
def test_won_game_refuses_everything_as_over(code: str) -> None:
    assert refusal(WON, parse_action(code)) is Reason.GAME_OVER


def test_won_game_has_no_action_and_is_not_blocked() -> None:
    for redeals_left in (0, 2):
        won = WON._replace(redeals_left=redeals_left)
        assert is_won(won)
        assert legal_actions(won) == ()
        assert not is_blocked(won)


def test_foundations_do_not_go_round() -> None:
    full = table({"a": ("AS", 6), "b": ("KS", 6)}, up="KS AH AD AC", down="AS KH KD KC")
    for code in ("a+", "a-", "b+", "b-"):
        assert refusal(full, parse_action(code)) is Reason.WRONG_RANK


def test_piles_go_round_both_ways() -> None:
    round_ = table({"a": ("AS", 6), "b": ("KS", 12)})
    for code in ("ab", "ba"):
        assert refusal(round_, parse_action(code)) is None


def test_pile_takes_a_thirteenth_card_and_no_fourteenth() -> None:
    assert refusal(table({"a": ("AS", 6), "b": ("KS", 12)}), parse_action("ab")) is None
    full = table({"a": ("AS", 6), "b": ("KS", 13)})
    assert refusal(full, parse_action("ab")) is Reason.PILE_FULL
    assert refusal(full, parse_action("ba")) is None


def test_a_card_goes_between_foundations_when_it_follows() -> None:
    split = table({"a": ("TS", 6)}, up="7S AH 6D AC", down="8S 3H 8D KC")
    legal = [action.code for action in legal_actions(split)]
    # Spades meet: the 8 follows the 7, and the 7 follows the 8. Diamonds do not meet.
    assert legal == ["S+", "S-", "**"]
    assert apply(split, parse_action("S+"), {}).up[0] == "8S"
    assert apply(split, parse_action("S+"), {}).down[0] == "9S"
    assert apply(split, parse_action("S-"), {}).up[0] == "6S"
    assert apply(split, parse_action("S-"), {}).down[0] == "7S"


def test_blocked_needs_no_move_and_no_redeal_and_undo_does_not_help() -> None:
    stuck = table({"a": ("TS", 6), "b": ("8S", 1)}, redeals_left=0, undo=3)
    assert is_blocked(stuck)
    assert legal_actions(stuck) == ()
    assert refusal(stuck, UNDO) is None
    assert not is_blocked(stuck._replace(redeals_left=1))
    assert not is_blocked(table({"a": ("TS", 6), "b": ("9S", 1)}, redeals_left=0))


def test_redeal_is_legal_even_if_it_changes_nothing() -> None:
    assert refusal(table({"a": ("TS", 1)}, redeals_left=1), REDEAL) is None


def test_legal_actions_come_in_the_documented_order() -> None:
    codes = [action.code for action in legal_actions(TABLE)]
    piles = [code for code in codes if code[0].islower()]
    assert piles == sorted(piles, key=lambda code: (code[0], "+-".find(code[1]), code[1]))
    assert codes == [*piles, "D+", "D-"]


def test_apply_does_not_take_an_undo() -> None:
    with pytest.raises(ValueError, match="undo"):
        apply(TABLE, UNDO, {})


@given(positions())
@settings(max_examples=150)
def test_legal_is_what_is_not_refused_for_every_code(position: Position) -> None:
    legal = set(legal_actions(position.table))
    for action in ACTIONS.values():
        if action is not UNDO:
            assert (action in legal) == (refusal(position.table, action) is None), action.code
    moves = legal - {REDEAL}
    assert position.blocked == (not moves and position.table.redeals_left == 0 and not position.won)


@given(positions())
@settings(max_examples=150)
def test_apply_knows_the_table_from_what_is_shown(position: Position) -> None:
    for action in legal_actions(position.table):
        after, shown = play(position, action)
        assert apply(position.table, action, shown) == after.table
        assert after.table == look(
            after.cards,
            after.piles,
            after.table.up,
            after.table.down,
            after.table.redeals_left,
            moves=after.table.moves,
            undo=len(after.history),
        )


def test_won_position_is_reached_by_the_last_card_only() -> None:
    position = Position.of(SOLVED[0]["layout"], 3)
    passed = [position]
    for code in SOLVED[0]["actions"].split():
        position = play(position, parse_action(code)).position
        passed.append(position)
    assert [step.won for step in passed] == [False] * (len(passed) - 1) + [True]
    assert all(before.table.home <= after.table.home for before, after in pairwise(passed))
    assert len(CARDS) * 2 == position.table.home
