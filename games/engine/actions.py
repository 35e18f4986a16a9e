"""What a player can do: the two-character action code, parsed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .cards import PILES, SUITS
from .errors import NotAnAction

__all__ = ["ACTIONS", "REDEAL", "UNDO", "Action", "Kind", "NotAnAction", "parse_action"]

Kind = Literal["pile_to_pile", "pile_to_foundation", "foundation_to_foundation", "redeal", "undo"]


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One action. There is one object per code, so `is` compares; get it from `parse_action`.

    `source` and `target` are pile indices 0-15, or -1 where the place is no pile. `suit` is an
    index in SUITS between foundations, else -1. `upward` says that the target is an up foundation.
    """

    code: str
    kind: Kind
    source: int = -1
    target: int = -1
    suit: int = -1
    upward: bool = False

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[Callable[[str], "Action"], tuple[str]]:
        """Copies and pickles give the one object again."""
        return parse_action, (self.code,)

    @property
    def is_move(self) -> bool:
        """Whether the move counter goes up by it: neither a redeal nor an undo."""
        return self.kind not in ("redeal", "undo")


REDEAL = Action("**", "redeal")
UNDO = Action("<<", "undo")

ACTIONS: dict[str, Action] = {
    action.code: action
    for action in (
        *(
            Action(PILES[source] + PILES[target], "pile_to_pile", source, target)
            for source in range(16)
            for target in range(16)
        ),
        *(
            Action(PILES[source] + sign, "pile_to_foundation", source, upward=sign == "+")
            for source in range(16)
            for sign in "+-"
        ),
        *(
            Action(SUITS[suit] + sign, "foundation_to_foundation", suit=suit, upward=sign == "+")
            for suit in range(4)
            for sign in "+-"
        ),
        REDEAL,
        UNDO,
    )
}
"""Every action that can be written, by code."""


def parse_action(code: str) -> Action:
    """Read an action code: upper and lower case differ.

    :raises NotAnAction: for any other text.
    """
    action = ACTIONS.get(code)
    if action is None:
        raise NotAnAction(code)
    return action
