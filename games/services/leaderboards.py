"""Leaderboards: pages of a board and the reader's own row, read without scanning the board."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from games.models import Best, Deal, Game, Player, Stretch
from games.services import boards, periods
from games.services.boards import Board, Games, Order
from games.services.denied import Denial, Denied

PAGE_SIZE = 50

# Each is one statement, so it sees one moment of the board. A board is a partial index over (scope,
# period, key, ended_at, game_id); where its stretches begin is asked for in scalar subqueries, so
# that the rows still come in the order of the index.
_BOARD = "scope = %(scope)s AND period = %(period)s"
_ROWS = f"{Best._meta.db_table} WHERE {_BOARD} AND {{column}}"
_STRETCHES = f'{Stretch._meta.db_table} WHERE {_BOARD} AND "column" = %(number)s'

_TOTAL = f"""
    SELECT coalesce((SELECT sum(count) FROM {_STRETCHES}), (SELECT count(*) FROM {_ROWS}))
"""  # noqa: S608

_PAGE = f"""
    WITH spread AS (
        SELECT low, sum(count) OVER (ORDER BY low) - count AS before FROM {_STRETCHES}
    ), start AS (
        SELECT coalesce(max(low), 0) AS low, coalesce(max(before), 0) AS before
        FROM spread WHERE before <= %(offset)s
    )
    SELECT game_id, (SELECT before FROM start) + rank() OVER (ORDER BY {{key}})
    FROM {_ROWS} AND {{key}} >= (SELECT low FROM start)
    ORDER BY {{key}}, ended_at, game_id
    LIMIT %(size)s OFFSET %(offset)s - (SELECT before FROM start)
"""  # noqa: S608

_OWN = f"""
    WITH own AS (
        SELECT game_id, {{key}} AS key FROM {_ROWS} AND player_id = %(player)s
    ), start AS (
        SELECT coalesce(max(low), 0) AS low FROM {_STRETCHES} AND low <= (SELECT key FROM own)
    )
    SELECT game_id, 1
        + (SELECT coalesce(sum(count), 0) FROM {_STRETCHES} AND low < (SELECT low FROM start))
        + (SELECT count(*) FROM {_ROWS}
            AND {{key}} >= (SELECT low FROM start) AND {{key}} < (SELECT key FROM own))
    FROM own
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Row:
    """A player's best game on a board; `rank` from 1, shared by equals, the next one skipped."""

    rank: int
    game: Game


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a board, and the row of whoever reads it wherever that is. `total` are the rows
    of the whole board, `page` counts from 1 to `pages`."""

    rows: tuple[Row, ...] = ()
    own: Row | None = None
    total: int = 0
    page: int = 1
    pages: int = 1


def board_of(
    *, scope: int = boards.ALL_DEALS, period: str = "all", games: str = "all", by: str = "time"
) -> Board:
    """Return the board that words name: a period as periods.read takes it, games "all", "first" or
    "no-undo", by "time" or "moves".

    :raises Denied: bad_option.
    """
    for column_by, column_games in boards.COLUMNS:
        if (by, games) == (column_by, word_of(column_games)):
            return Board(scope, periods.read(period), column_games, column_by)
    raise Denied(
        Denial.BAD_OPTION, "by must be time or moves, games must be all, first or no-undo."
    )


def word_of(games: Games) -> str:
    """Return how a selection of games is written in an address."""
    return games.replace("_", "-")


def of_deal(*, deal: Deal, by: Order, reader: Player | None, limit: int = PAGE_SIZE) -> Leaderboard:
    """Read the first page of a deal's board over all time; see `read`."""
    if not deal.pk:
        return Leaderboard()
    return read(board=Board(scope=deal.pk, by=by), reader=reader, size=limit)


def read(
    *, board: Board, reader: Player | None, page: int = 1, size: int = PAGE_SIZE
) -> Leaderboard:
    """Read a page (from 1; one beyond the last gives the last) of a board, one row a player.

    By time: time, then moves, then who was first; equal (time, moves) share a rank. By moves:
    moves, then undos, then time; equal (moves, undos, time) share one. No game is on it that was
    played with openness cards or is marked followed, and no studied one among the first tries.
    """
    total = count(board)
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    shown = _ask(_PAGE, board, offset=size * (page - 1), size=size) if total else []
    games = _games([game_id for game_id, _ in shown])
    rows = tuple(Row(rank, games[game_id]) for game_id, rank in shown)
    own = next((row for row in rows if reader and row.game.player_id == reader.pk), None)
    if own is None and reader is not None and total > len(rows):
        own = own_row(board=board, reader=reader)
    return Leaderboard(rows=rows, own=own, total=total, page=page, pages=pages)


def own_row(*, board: Board, reader: Player) -> Row | None:
    """Read a player's row on a board with its rank, None where they have none."""
    for game_id, rank in _ask(_OWN, board, player=reader.pk):
        return Row(rank, _games([game_id])[game_id])
    return None


def count(board: Board) -> int:
    """Count the rows of a board."""
    ((total,),) = _ask(_TOTAL, board)
    return int(total)


def _ask(sql: str, board: Board, **given: int) -> list[tuple[Any, ...]]:
    """Put one of the statements above to the database."""
    named = {"scope": board.scope, "period": board.period, "number": board.number, **given}
    with connection.cursor() as cursor:
        cursor.execute(sql.format(key=board.key, column=board.column), named)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _games(ids: list[int]) -> dict[int, Game]:
    """Read a few games, with player, race and deal."""
    games = Game.objects.filter(pk__in=ids).select_related("player", "race__deal")
    return {game.pk: game for game in games.defer("race__deal__layout")}
