"""Long legal lines of play that never end a game, to load a server with."""

import random
from collections.abc import Iterator

from games.engine.actions import REDEAL, UNDO, Action
from games.engine.cards import NEIGHBOURS, PILE_LIMIT
from games.engine.position import Position, play
from games.engine.rules import legal_actions

HOME_LIMIT = 48
"""The most cards that a line brings onto the foundations, the bases included (104 would win)."""

FOUNDATION_SHARE = 0.05
"""How often a card goes onto a foundation where one can."""

UNDO_SHARE = 0.03
"""How often a move is taken back although others are left."""

REDEAL_SHARE = 0.005
"""How often the piles are redealt, as long as a redeal is left."""


def legal_line(layout: str, *, redeals: int, length: int, seed: int) -> str:
    """Give a random legal line of `length` actions on a layout, two characters each.

    Cards wander from pile to pile; now and then one goes onto a foundation, a move is taken back or
    the piles are redealt. Where no move is left the last one is taken back, until a position is
    found that `_goes_on`; from then on only actions that lead to another such are taken, so a line
    is nearly all moves however long it is.

    :raises ValueError: if nothing at all can be played on the layout.
    """
    chance = random.Random(seed)
    position = Position.of(layout, redeals)
    codes: list[str] = []
    while len(codes) < length:
        tried = list(_in_order_of_preference(position, chance))
        if not tried:
            raise ValueError("nothing can be played on this layout")
        action = next(
            (action for action in tried if _goes_on(_after(position, action))),
            next((action for action in tried if action is not REDEAL), REDEAL),
        )
        position = _after(position, action)
        codes.append(action.code)
    return "".join(codes)


def _in_order_of_preference(position: Position, chance: random.Random) -> Iterator[Action]:
    """Give what may be played, as chance has it; an undo last unless chance wants it first."""
    table = position.table
    wandering: list[Action] = []
    homing: list[Action] = []
    for action in legal_actions(table):
        if action.kind == "pile_to_pile":
            wandering.append(action)
        elif action.kind == "pile_to_foundation" and table.home < HOME_LIMIT:
            homing.append(action)
    chance.shuffle(wandering)
    chance.shuffle(homing)
    undos = [UNDO] if table.undo else []
    redeals = [REDEAL] if table.redeals_left else []
    if undos and chance.random() < UNDO_SHARE:
        yield UNDO
    if redeals and chance.random() < REDEAL_SHARE:
        yield REDEAL
    if chance.random() < FOUNDATION_SHARE:
        yield from homing
    yield from wandering
    yield from homing
    yield from undos or redeals


def _after(position: Position, action: Action) -> Position:
    return play(position, action).position


def _goes_on(position: Position) -> bool:
    """Whether a card can go to and fro between two piles, for then the line can go on for ever.

    Such a card lies on a neighbour of its own suit and could go onto another.
    """
    cards, piles, table, _ = position
    takes = {
        top for top, pile in zip(table.tops, piles, strict=True) if top and len(pile) < PILE_LIMIT
    }
    for top, pile in zip(table.tops, piles, strict=True):
        if top is not None and len(pile) > 1:
            neighbours = NEIGHBOURS[top]
            if cards[pile[-2]] in neighbours and not takes.isdisjoint(neighbours):
                return True
    return False
