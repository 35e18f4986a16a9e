"""What is legal, judged from the table alone, so that a browser can judge in the same way."""

from .actions import ACTIONS, REDEAL, Action
from .cards import (
    CARD_COUNT,
    NEIGHBOURS,
    NEXT_DOWN,
    NEXT_UP,
    PILE_LIMIT,
    PILES,
    SUIT_INDEX,
    SUITS,
    Card,
)
from .reasons import Reason
from .table import Table, apply

__all__ = ["apply", "is_blocked", "is_won", "legal_actions", "refusal"]

_ONTO_PILE = [[ACTIONS[source + target] for target in PILES] for source in PILES]
_ONTO_UP = [ACTIONS[source + "+"] for source in PILES]
_ONTO_DOWN = [ACTIONS[source + "-"] for source in PILES]
_ACROSS_UP = [ACTIONS[suit + "+"] for suit in SUITS]
_ACROSS_DOWN = [ACTIONS[suit + "-"] for suit in SUITS]


def is_won(table: Table) -> bool:
    """Whether all 104 cards lie on the foundations."""
    return table.home == CARD_COUNT


def is_blocked(table: Table) -> bool:
    """Whether the game isn't won, no move is possible and no redeal is left.

    An undo may still be possible; a blocked game isn't over.
    """
    return table.redeals_left == 0 and table.home != CARD_COUNT and not legal_actions(table)


def refusal(table: Table, action: Action) -> Reason | None:
    """Give the first reason that speaks against the action, or None where it is legal.

    That undo is off in a race and that a player has resigned are no matter of the table: see
    `log.GameLog.offer`.
    """
    kind = action.kind
    if table.home == CARD_COUNT:
        return Reason.GAME_OVER
    if kind == "pile_to_pile":
        return _pile_refusal(table, action)
    if kind == "pile_to_foundation":
        return _foundation_refusal(table, action)
    if kind == "foundation_to_foundation":
        return _across_refusal(table, action)
    if kind == "redeal":
        return None if table.redeals_left else Reason.NO_REDEALS
    return None if table.undo else Reason.NOTHING_TO_UNDO


def _pile_refusal(table: Table, action: Action) -> Reason | None:
    source, target = action.source, action.target
    card, onto = table.tops[source], table.tops[target]
    if card is not None and onto in NEIGHBOURS[card] and table.heights[target] < PILE_LIMIT:
        return None
    if card is None:
        return Reason.EMPTY_SOURCE
    if source == target:
        return Reason.SAME_PLACE
    if onto is None:
        return Reason.EMPTY_PILE
    if table.heights[target] >= PILE_LIMIT:
        return Reason.PILE_FULL
    return Reason.WRONG_RANK if card[1] == onto[1] else Reason.WRONG_SUIT


def _foundation_refusal(table: Table, action: Action) -> Reason | None:
    card = table.tops[action.source]
    if card is None:
        return Reason.EMPTY_SOURCE
    suit = SUIT_INDEX[card]
    wanted = NEXT_UP[table.up[suit]] if action.upward else NEXT_DOWN[table.down[suit]]
    return None if card == wanted else Reason.WRONG_RANK


def _across_refusal(table: Table, action: Action) -> Reason | None:
    up, down = table.up[action.suit], table.down[action.suit]
    if action.upward:
        if down[0] == "K":
            return Reason.BASE_LOCKED
        return None if NEXT_UP[up] == down else Reason.WRONG_RANK
    if up[0] == "A":
        return Reason.BASE_LOCKED
    return None if NEXT_DOWN[down] == up else Reason.WRONG_RANK


def legal_actions(table: Table) -> tuple[Action, ...]:
    """Give the legal moves and the redeal, in a fixed order; an undo is not among them.

    Pile by pile to the piles, to the up foundation, to the down one; then spades, hearts, diamonds,
    clubs from foundation to foundation, upward first; then the redeal. None on a won table.
    """
    if table.home == CARD_COUNT:
        return ()
    up, down = table.up, table.down
    up_wanted = [NEXT_UP[card] for card in up]
    down_wanted = [NEXT_DOWN[card] for card in down]
    actions: list[Action] = []
    places = _open_places(table)
    for source, card in enumerate(table.tops):
        if card is None:
            continue
        higher, lower = NEIGHBOURS[card]
        if higher in places or lower in places:
            onto = _ONTO_PILE[source]
            targets = places.get(higher, []) + places.get(lower, [])
            actions += [onto[target] for target in sorted(targets)]
        if card in up_wanted:
            actions.append(_ONTO_UP[source])
        if card in down_wanted:
            actions.append(_ONTO_DOWN[source])
    for suit in range(4):
        if up_wanted[suit] == down[suit] and down[suit][0] != "K":
            actions.append(_ACROSS_UP[suit])
        if down_wanted[suit] == up[suit] and up[suit][0] != "A":
            actions.append(_ACROSS_DOWN[suit])
    if table.redeals_left:
        actions.append(REDEAL)
    return tuple(actions)


def _open_places(table: Table) -> dict[Card, list[int]]:
    """Give the piles that take a card, by their top."""
    places: dict[Card, list[int]] = {}
    for target, (top, height) in enumerate(zip(table.tops, table.heights, strict=True)):
        if top is not None and height < PILE_LIMIT:
            places.setdefault(top, []).append(target)
    return places
