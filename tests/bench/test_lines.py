"""The lines that load a server are legal from end to end and never end a game."""

import pytest

from bench.lines import HOME_LIMIT, legal_line
from games.engine.actions import parse_action
from games.engine.deals import DealCode, layout_of
from games.engine.position import Position, play

LENGTH = 1500


def _codes(line: str) -> list[str]:
    return [line[at : at + 2] for at in range(0, len(line), 2)]


@pytest.mark.parametrize("number", [0, 1, 26**7 - 1, 31_415_926, 2_718_281_828])
def test_a_line_is_legal_throughout_and_leaves_the_game_unfinished(number: int) -> None:
    layout = layout_of(DealCode.of_number("N", number))
    position = Position.of(layout, 3)
    codes = _codes(legal_line(layout, redeals=3, length=LENGTH, seed=number))
    assert len(codes) == LENGTH
    for code in codes:
        position = play(position, parse_action(code)).position  # raises Illegal where it is not
        assert position.table.home <= HOME_LIMIT
    assert not position.blocked


def test_a_line_is_moves_and_not_mostly_undos() -> None:
    layout = layout_of(DealCode.of_number("N", 1))
    codes = _codes(legal_line(layout, redeals=3, length=LENGTH, seed=1))
    assert codes.count("<<") < LENGTH // 10


def test_the_same_seed_gives_the_same_line_and_another_seed_another() -> None:
    layout = layout_of(DealCode.of_number("N", 1))
    first, again, other = (
        legal_line(layout, redeals=3, length=100, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
