"""Boards: which leaderboards there are, and what each is ordered by."""

from dataclasses import dataclass
from typing import Literal

from django.db.models import QuerySet

from games.models import Best
from games.services import periods

Order = Literal["time", "moves"]
Games = Literal["all", "first", "no_undo"]

ALL_DEALS = 0
DAYS_DEALS = -1
NO_DEAL = -2
"""The scopes beside the ids of deals; for the last, a deal that nobody has played, nothing
counts."""

COLUMNS: tuple[tuple[Order, Games], ...] = (
    ("time", "all"),
    ("time", "first"),
    ("time", "no_undo"),
    ("moves", "all"),
    ("moves", "first"),
    ("moves", "no_undo"),
)
"""The boards of one scope and period, in the order of the columns of Best."""

_COUNT_BITS, _MS_BITS = 18, 27


@dataclass(frozen=True, slots=True)
class Board:
    """Which board: over a deal (its id), all deals or the days' deals (ALL_DEALS, DAYS_DEALS), of a
    period (periods.py), of all games, first tries or those without undo, by time or by moves."""

    scope: int = ALL_DEALS
    period: int = periods.ALL_TIME
    games: Games = "all"
    by: Order = "time"

    @property
    def column(self) -> str:
        """The name of the column of Best that makes this board."""
        return f"{self.by}_{self.games}"

    @property
    def number(self) -> int:
        """The place of that column among COLUMNS."""
        return COLUMNS.index((self.by, self.games))

    @property
    def key(self) -> str:
        """The name of the key of Best that this board is ordered by."""
        return f"{self.by}_key"


def of_pair(scope: int, period: int) -> list[Board]:
    """Return the six boards of a scope and period, in the order of COLUMNS."""
    return [Board(scope, period, games, by) for by, games in COLUMNS]


def rows_of(board: Board) -> QuerySet[Best]:
    """Return the rows of a board, in no order."""
    return Best.objects.filter(scope=board.scope, period=board.period, **{board.column: True})


def time_key(*, finished_ms: int, moves: int) -> int:
    """Return a result by time as one number: time, then moves."""
    return _fit(finished_ms, _MS_BITS) << _COUNT_BITS | _fit(moves, _COUNT_BITS)


def moves_key(*, moves: int, undos: int, finished_ms: int) -> int:
    """Return a result by moves as one number of 63 bits: moves, then undos, then time."""
    counts = _fit(moves, _COUNT_BITS) << _COUNT_BITS | _fit(undos, _COUNT_BITS)
    return counts << _MS_BITS | _fit(finished_ms, _MS_BITS)


def _fit(value: int, bits: int) -> int:
    """Hold a value to its bits. In the longest race (3 hours, 20 actions a second) there is room
    for a fifth more actions and twelve times the milliseconds."""
    return min(value, (1 << bits) - 1)
