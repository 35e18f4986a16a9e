"""Standings: the order of one race."""

from collections.abc import Iterable
from typing import Protocol


class Result(Protocol):
    """What an order is made from; a Game and a live game both are one."""

    @property
    def outcome(self) -> str | None:
        """Won, resigned, expired, or None while it is played."""

    @property
    def finished_ms(self) -> int | None:
        """Milliseconds from the start to the end of the game."""

    @property
    def home(self) -> int:
        """Cards on the foundations."""

    @property
    def moves(self) -> int:
        """Moves that stand."""


def places(results: Iterable[tuple[int, Result]]) -> dict[int, int]:
    """Give each racer (by id) a place from 1: finishers by time, equal milliseconds sharing one;
    then the others by cards home, then by fewer moves. After a shared place the next is skipped.
    """
    ordered = sorted(results, key=lambda item: _order(item[1]))
    given: dict[int, int] = {}
    before: tuple[int, int, int] | None = None
    place = 0
    for position, (racer, result) in enumerate(ordered, start=1):
        if _order(result) != before:
            before, place = _order(result), position
        given[racer] = place
    return given


def _order(result: Result) -> tuple[int, int, int]:
    if result.outcome == "won" and result.finished_ms is not None:
        return (0, result.finished_ms, 0)
    return (1, -result.home, result.moves)
