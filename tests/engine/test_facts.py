"""Holds the engine against what is known of the game from elsewhere."""

from typing import Any

import pytest

from games.engine.actions import REDEAL, parse_action
from games.engine.cards import PILES, Card
from games.engine.log import replay
from games.engine.rules import apply, is_blocked, is_won, legal_actions, refusal

from .facts import SOLVED, published_table, read_facts

PUBLISHED = read_facts("published-game")


@pytest.mark.parametrize("solved", SOLVED, ids=range(len(SOLVED)))
def test_known_solutions_win(solved: dict[str, Any]) -> None:
    log = replay(solved["layout"], 3, True, ((code, 0) for code in solved["actions"].split()))
    assert log.over
    assert is_won(log.table)
    assert not is_blocked(log.table)
    assert legal_actions(log.table) == ()
    assert (log.table.moves, log.redeals) == (solved["moves"], solved["redeals"])
    assert log.table.up == ("KS", "KH", "KD", "KC")
    assert log.table.down == ("AS", "AH", "AD", "AC")
    assert log.table.tops == (None,) * 16


def test_published_tenth_move_puts_an_ace_on_a_king() -> None:
    table = published_table(PUBLISHED["before_move_10"], 3)
    assert sum(table.heights) == PUBLISHED["before_move_10"]["cards_in_piles"]
    move = parse_action(PUBLISHED["move_10"]["action"])
    assert table.tops[move.source] == PUBLISHED["move_10"]["card"]
    assert table.tops[move.target] == PUBLISHED["move_10"]["onto"]
    assert refusal(table, move) is None
    after = apply(table, move, {"j": Card("9D")})
    assert after.tops[move.target] == "AS"
    assert after.moves == 10


def test_published_moves_10_to_16_lead_to_the_published_table() -> None:
    # Which of piles 10, 15 and 16 held which jack or ten isn't published, nor the order: this is
    # one way it can have been.
    table = published_table(PUBLISHED["before_move_10"], 3)
    for code, shown in (
        ("jn", "JS"),
        ("j-", "9D"),
        ("e-", "5H"),
        ("pk", "JH"),
        ("p-", "7S"),
        ("op", "TH"),
        ("o-", "KH"),
    ):
        action = parse_action(code)
        assert refusal(table, action) is None, code
        table = apply(table, action, {code[0]: Card(shown)})
    expected = published_table(PUBLISHED["before_first_redeal"], 3)
    assert table == expected._replace(undo=table.undo)


def test_published_redeal_changes_tops_only() -> None:
    before = published_table(PUBLISHED["before_first_redeal"], 3)
    after = published_table(PUBLISHED["after_first_redeal"], 2)
    assert refusal(before, REDEAL) is None
    shown = {pile: top for pile, top in zip(PILES, after.tops, strict=True) if top is not None}
    assert apply(before, REDEAL, shown) == after._replace(moves=before.moves, undo=0)
