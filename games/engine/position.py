"""A position: full knowledge of a game, and how an action changes it. For the server only.

A card's **slot** is its place in the layout, 0-95: pile 1 bottom is 0, pile 1 top 5, pile 2 bottom
6. Slots tell the two copies of a card apart and name a card without telling its face.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .actions import ACTIONS, Action
from .cards import (
    CARD_COUNT,
    CARDS,
    DOWN_BASES,
    PILE_LIMIT,
    PILES,
    RANK_INDEX,
    SUIT_INDEX,
    SUITS,
    UNDER_DOWN,
    UNDER_UP,
    UP_BASES,
    Card,
    is_card,
)
from .deals import read_layout
from .errors import BadLayout, Illegal
from .rules import is_blocked, is_won, refusal
from .table import UNDO_LIMIT, Shown, Table, apply, crossed, with_top

__all__ = ["Illegal", "Played", "Position", "Undoable", "look", "play"]

_NOTHING: dict[str, Card] = {}
_BACK = {suit + sign: ACTIONS[suit + other] for suit in SUITS for sign, other in ("+-", "-+")}
"""The move across foundations that takes back another, by the code of the other."""


class Undoable(NamedTuple):
    """A move that can be taken back; `slot` is what it moved, -1 across foundations."""

    action: Action
    slot: int


class Position(NamedTuple):
    """All the cards of a game. A named tuple, for it is made anew at every action.

    `cards` are the faces by slot; `piles` hold slots, bottom to top, one byte a slot; `table` is
    what the player sees of it, foundations included; `history` the moves that can be taken back,
    the last one last.
    """

    cards: tuple[Card, ...]
    piles: tuple[bytes, ...]
    table: Table
    history: tuple[Undoable, ...] = ()

    @classmethod
    def of(cls, layout: str, redeals: int) -> "Position":
        """Give the start of a game on a layout (192 characters) with so many redeals (3 or 4).

        :raises BadLayout: if the text isn't the 96 cards of a deal.
        """
        cards = read_layout(layout)
        piles = tuple(bytes(range(first, first + 6)) for first in range(0, 96, 6))
        return cls(cards, piles, look(cards, piles, UP_BASES, DOWN_BASES, redeals))

    @classmethod
    def from_piles(
        cls,
        piles: Sequence[Sequence[Card]],
        up: Sequence[Card],
        down: Sequence[Card],
        redeals_left: int,
        moves: int = 0,
    ) -> "Position":
        """Give any position in mid-game, with no history.

        Takes 16 piles, bottom to top, and the tops of the foundations in the order of SUITS. Slots
        number the cards in the order given, and `layout` is those cards only.

        :raises BadLayout: if these aren't the 104 cards of the game.
        """
        cards = tuple(card for pile in piles for card in pile)
        _check(piles, cards, up, down)
        slots, first = [], 0
        for pile in piles:
            slots.append(bytes(range(first, first + len(pile))))
            first += len(pile)
        table = look(cards, tuple(slots), tuple(up), tuple(down), redeals_left, moves=moves)
        return cls(cards, tuple(slots), table)

    @property
    def layout(self) -> str:
        """The faces by slot, two characters each."""
        return "".join(self.cards)

    @property
    def won(self) -> bool:
        """Whether all cards lie on the foundations."""
        return is_won(self.table)

    @property
    def blocked(self) -> bool:
        """Whether no move is possible and no redeal is left."""
        return is_blocked(self.table)

    def pile(self, index: int) -> tuple[Card, ...]:
        """The cards of pile `index` (0-15), bottom to top."""
        return tuple(self.cards[slot] for slot in self.piles[index])


class Played(NamedTuple):
    """What an action leads to: the position after it, and the tops it uncovers by pile letter."""

    position: Position
    shown: Shown


def play(position: Position, action: Action) -> Played:
    """Play an action.

    `shown` of the answer has the new top of the pile a card left, unless that is empty now, or the
    new top of every pile of two or more cards for a redeal; it is empty for an undo.

    :raises Illegal: if the rules refuse the action; the position is as it was.
    """
    reason = refusal(position.table, action)
    if reason is not None:
        raise Illegal(reason, action.code)
    kind = action.kind
    if kind == "redeal":
        return _redeal(position, action)
    if kind == "undo":
        return Played(_undo(position), _NOTHING)
    cards, piles, table, history = position
    shown = _NOTHING
    if kind == "foundation_to_foundation":
        after, slot = piles, -1
    else:
        source = action.source
        changed = list(piles)
        pile = changed[source]
        slot = pile[-1]
        rest = pile[:-1]
        changed[source] = rest
        if rest:
            shown = {PILES[source]: cards[rest[-1]]}
        if kind == "pile_to_pile":
            changed[action.target] += pile[-1:]
        after = tuple(changed)
    if len(history) >= UNDO_LIMIT:
        history = history[1 - UNDO_LIMIT :]
    return Played(
        Position(
            cards,
            after,
            apply(table, action, shown),
            (*history, Undoable(action, slot)),
        ),
        shown,
    )


def _redeal(position: Position, action: Action) -> Played:
    cards = position.cards
    piles = tuple([pile[1:] + pile[:1] for pile in position.piles])
    shown = {
        letter: cards[pile[-1]] for letter, pile in zip(PILES, piles, strict=True) if len(pile) > 1
    }
    return Played(Position(cards, piles, apply(position.table, action, shown)), shown)


def _undo(position: Position) -> Position:
    cards, piles, table, history = position
    action, slot = history[-1]
    changed, tops, heights = list(piles), list(table.tops), list(table.heights)
    up, down, home = table.up, table.down, table.home
    source, target = action.source, action.target
    if action.kind == "foundation_to_foundation":
        up, down = crossed(up, down, _BACK[action.code])
    else:
        changed[source] += bytes((slot,))
        tops[source] = cards[slot]
        heights[source] += 1
        if action.kind == "pile_to_pile":
            rest = changed[target][:-1]
            changed[target] = rest
            tops[target] = cards[rest[-1]]
            heights[target] -= 1
        else:
            home -= 1
            up, down = _taken_back(up, down, cards[slot], action.upward)
    before = Table(
        tuple(tops),
        tuple(heights),
        up,
        down,
        table.redeals_left,
        table.moves - 1,
        home,
        len(history) - 1,
    )
    return Position(cards, tuple(changed), before, history[:-1])


def _taken_back(
    up: tuple[Card, ...], down: tuple[Card, ...], card: Card, upward: bool
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Give the tops of the foundations after the top card of one is taken away again."""
    suit = SUIT_INDEX[card]
    if upward:
        return with_top(up, suit, UNDER_UP[card]), down
    return up, with_top(down, suit, UNDER_DOWN[card])


def look(
    cards: tuple[Card, ...],
    piles: Sequence[bytes],
    up: tuple[Card, ...],
    down: tuple[Card, ...],
    redeals_left: int,
    *,
    moves: int = 0,
    undo: int = 0,
) -> Table:
    """Give the table that all the cards make: what `Position.table` must equal at any time."""
    heights = tuple(len(pile) for pile in piles)
    return Table(
        tops=tuple(cards[pile[-1]] if pile else None for pile in piles),
        heights=heights,
        up=up,
        down=down,
        redeals_left=redeals_left,
        moves=moves,
        home=CARD_COUNT - sum(heights),
        undo=undo,
    )


def _check(
    piles: Sequence[Sequence[Card]],
    cards: tuple[Card, ...],
    up: Sequence[Card],
    down: Sequence[Card],
) -> None:
    if len(piles) != len(PILES) or max(map(len, piles)) > PILE_LIMIT:
        raise BadLayout(f"there must be 16 piles of at most {PILE_LIMIT} cards")
    if [card[1:] for card in up] != list(SUITS) or [card[1:] for card in down] != list(SUITS):
        raise BadLayout("the foundations must have a card of each suit, in the order of SUITS")
    if not all(map(is_card, (*cards, *up, *down))):
        raise BadLayout("that are not all cards")
    counts = Counter(cards)
    for card in CARDS:
        suit, rank = SUIT_INDEX[card], RANK_INDEX[card]
        counts[card] += (rank <= RANK_INDEX[up[suit]]) + (rank >= RANK_INDEX[down[suit]])
        if counts[card] != 2:
            raise BadLayout(f"there must be two of {card}, not {counts[card]}")
