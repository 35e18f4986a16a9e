"""Leaderboards: the best won games of a deal, by time and by moves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from games.models import Deal, Game, Openness, Outcome, Player

Order = Literal["time", "moves"]
_Key = Callable[[Game], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """A player's best game on a board; `rank` from 1, shared by equals, the next one skipped."""

    rank: int
    game: Game


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The first rows of a board, and the row of whoever reads it wherever that is."""

    rows: tuple[Row, ...]
    own: Row | None


def of_deal(*, deal: Deal, by: Order, reader: Player | None, limit: int = 50) -> Leaderboard:
    """Rank the won games of a deal, one row a player, none played with openness cards.

    By time: time, then moves; equal (time, moves) share a rank. By moves: moves, then undos, then
    time; equal (moves, undos, time) share one.
    """
    if not deal.pk:
        return Leaderboard((), None)
    won = (
        Game.objects.filter(race__deal=deal, outcome=Outcome.WON, removed_at=None)
        .exclude(race__openness=Openness.CARDS)
        .select_related("player")
    )
    key = _by_time if by == "time" else _by_moves
    ranked = _rank(sorted(won, key=lambda game: (*key(game), game.pk)), key)
    own = next((row for row in ranked if reader and row.game.player_id == reader.pk), None)
    return Leaderboard(tuple(ranked[:limit]), own)


def _rank(games: list[Game], key: _Key) -> list[Row]:
    rows: list[Row] = []
    listed: set[int] = set()
    for game in games:
        if game.player_id in listed:
            continue
        listed.add(game.player_id)
        equal = rows and key(rows[-1].game) == key(game)
        rows.append(Row(rows[-1].rank if equal else len(rows) + 1, game))
    return rows


def _by_time(game: Game) -> tuple[int, ...]:
    return (game.finished_ms or 0, game.moves)


def _by_moves(game: Game) -> tuple[int, ...]:
    return (game.moves, game.undos, game.finished_ms or 0)
