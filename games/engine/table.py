"""The table: what a player sees of a game, and how an action changes it."""

from collections.abc import Mapping
from typing import NamedTuple

from .actions import Action
from .cards import PILES, SUIT_INDEX, UNDER_DOWN, UNDER_UP, Card

UNDO_LIMIT = 100
"""The most moves that can be taken back."""

Shown = Mapping[str, Card]
"""The tops that an action uncovers, by pile letter."""


class Table(NamedTuple):
    """What a player sees. A named tuple, for it is made anew at every action.

    `tops` and `heights` are of piles 1-16: a top is None where the pile is empty. `up` and `down`
    are the top cards of the foundations in the order of SUITS. `home` counts the cards on the
    foundations, bases included (104 is won); `undo` the moves that can be taken back.
    """

    tops: tuple[Card | None, ...]
    heights: tuple[int, ...]
    up: tuple[Card, ...]
    down: tuple[Card, ...]
    redeals_left: int
    moves: int
    home: int
    undo: int


def apply(table: Table, action: Action, shown: Shown) -> Table:
    """Give the table after a legal move or redeal, knowing only the cards it uncovers.

    `shown` has the new top of the pile a card left, unless that is empty now, or the new top of
    every pile of two or more cards for a redeal. An undo can't be applied so: it is answered with
    the table itself. The action is not judged here: see `rules.refusal`.

    :raises ValueError: for an undo, or where there is no card to move.
    """
    kind = action.kind
    if kind == "pile_to_pile":
        return _onto_pile(table, action, shown)
    if kind == "pile_to_foundation":
        return _onto_foundation(table, action, shown)
    if kind == "foundation_to_foundation":
        return _across(table, action)
    if kind == "redeal":
        return table._replace(
            tops=tuple(
                [
                    shown.get(pile) if height > 1 else top
                    for pile, top, height in zip(PILES, table.tops, table.heights, strict=True)
                ]
            ),
            redeals_left=table.redeals_left - 1,
            undo=0,
        )
    raise ValueError("an undo is not applied: it is answered with the table")


def _onto_pile(table: Table, action: Action, shown: Shown) -> Table:
    source, target = action.source, action.target
    tops, heights = list(table.tops), list(table.heights)
    tops[target] = tops[source]
    tops[source] = shown.get(PILES[source])
    heights[target] += 1
    heights[source] -= 1
    undo = table.undo
    return Table(
        tuple(tops),
        tuple(heights),
        table.up,
        table.down,
        table.redeals_left,
        table.moves + 1,
        table.home,
        undo + 1 if undo < UNDO_LIMIT else UNDO_LIMIT,
    )


def _onto_foundation(table: Table, action: Action, shown: Shown) -> Table:
    source = action.source
    tops, heights = list(table.tops), list(table.heights)
    card = tops[source]
    if card is None:
        raise ValueError(f"{action} moves no card")
    tops[source] = shown.get(PILES[source])
    heights[source] -= 1
    up, down = table.up, table.down
    suit = SUIT_INDEX[card]
    if action.upward:
        up = with_top(up, suit, card)
    else:
        down = with_top(down, suit, card)
    undo = table.undo
    return Table(
        tuple(tops),
        tuple(heights),
        up,
        down,
        table.redeals_left,
        table.moves + 1,
        table.home + 1,
        undo + 1 if undo < UNDO_LIMIT else UNDO_LIMIT,
    )


def _across(table: Table, action: Action) -> Table:
    up, down = crossed(table.up, table.down, action)
    undo = min(table.undo + 1, UNDO_LIMIT)
    return table._replace(up=up, down=down, moves=table.moves + 1, undo=undo)


def crossed(
    up: tuple[Card, ...], down: tuple[Card, ...], action: Action
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Give the tops of the foundations after a move from one foundation to the other.

    As a foundation is built in order, what lies under its top is known: the card before it.
    """
    suit = action.suit
    if action.upward:
        card = down[suit]
        return with_top(up, suit, card), with_top(down, suit, UNDER_DOWN[card])
    card = up[suit]
    return with_top(up, suit, UNDER_UP[card]), with_top(down, suit, card)


def with_top(tops: tuple[Card, ...], suit: int, card: Card) -> tuple[Card, ...]:
    """Give the tops of four foundations with another card as the top of one (0-3)."""
    return (*tops[:suit], card, *tops[suit + 1 :])
