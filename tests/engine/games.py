"""Plays games for the tests: at random, from a seed, with every kind of action in them."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from games.engine.actions import REDEAL, UNDO, Action
from games.engine.deals import deal
from games.engine.position import Position, play
from games.engine.rules import legal_actions

from .facts import PERFT, perft_position


def random_choice(position: Position, chance: random.Random, undos: float = 0.1) -> Action | None:
    """Choose a legal action: rarely a redeal, sometimes an undo; None where there is none."""
    if position.history and not position.won and chance.random() < undos:
        return UNDO
    moves = [action for action in legal_actions(position.table) if action is not REDEAL]
    if moves and chance.random() > 0.02:
        # Foundations first, or a random game would hardly ever get anywhere.
        home = [action for action in moves if action.kind == "pile_to_foundation"]
        return chance.choice(home if home and chance.random() < 0.6 else moves)
    if position.table.redeals_left and not position.won:
        return REDEAL
    return chance.choice(moves) if moves else None


def random_game(
    position: Position, chance: random.Random, length: int = 400, undos: float = 0.1
) -> Iterator[tuple[Position, Action, Position]]:
    """Play at random; yields each position, the action and the position after it."""
    for _ in range(length):
        action = random_choice(position, chance, undos)
        if action is None:
            return
        after = play(position, action).position
        yield position, action, after
        position = after


def dealt(number: int, redeals: int = 3) -> Position:
    """Give the start of a game on a deal of its own for each number."""
    return Position.of(deal(number.to_bytes(16, "big")), redeals)


MIDDLES = [perft_position(item) for item in PERFT]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position that play can lead to: from a deal, or from one of the hard middles."""
    chance = draw(st.randoms(use_true_random=False))
    if draw(st.booleans()):
        position = dealt(draw(st.integers(0, 2**64)), draw(st.sampled_from([3, 4])))
    else:
        position = draw(st.sampled_from(MIDDLES))
    for _, _, after in random_game(position, chance, draw(st.integers(0, 250))):
        position = after
    return position
