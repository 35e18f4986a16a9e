"""/api/leaderboards: any board, a page at a time, as JSON or CSV."""

import csv
import datetime
import io
from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.api import json
from games.api.operations import Endpoint, Operation
from games.models import Player
from games.services import deals, leaderboards, periods
from games.services.boards import ALL_DEALS, DAYS_DEALS, NO_DEAL, Board, Order
from games.services.denied import Denial
from games.services.leaderboards import Leaderboard

CSV_SIZE = 1_000
"""Rows on a page of CSV."""

_COLUMNS = (
    *("rank", "player", "player_id", "time_ms", "moves", "undos", "redeals"),
    *("game", "deal", "ended_at"),
)


class Query(msgspec.Struct):
    """Which board over something, and which page of it in which form: 50 rows a page, 1,000 of
    CSV; a page beyond the last gives the last."""

    by: Order = "time"
    games: Literal["all", "first", "no-undo"] = "all"
    period: Annotated[
        str,
        msgspec.Meta(
            description="All time, this day, this week (UTC), any day, any ISO week",
            examples=["all", "today", "week", "2026-11-30", "2026-W49"],
        ),
    ] = "all"
    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    format: Literal["json", "csv"] = "json"


class ScopedQuery(Query):
    """Which board at all."""

    scope: Annotated[
        str,
        msgspec.Meta(
            description="All deals, the days' deals, or a deal (its code)",
            examples=["all", "daily", "CR1-N-AAAAAAB"],
        ),
    ] = "all"


class BoardRow(msgspec.Struct, frozen=True):
    """A row of a deal's board: `rank` from 1, shared by equals; `at` in ms since the start."""

    rank: int
    player: str
    player_id: int
    at: int
    moves: int
    undos: int
    redeals: int
    game: int


class FullBoardRow(BoardRow, frozen=True):
    """A row of a board over many deals; `ended_at` is Unix time in milliseconds."""

    deal: str
    ended_at: int


class BoardPage(msgspec.Struct, frozen=True):
    """A page of a board, the reader's own row wherever it is, and which board it is."""

    rows: list[FullBoardRow]
    own: FullBoardRow | None
    by: str
    games: str
    period: str
    total: int
    page: int
    pages: int


def show_board(request: HttpRequest) -> BoardPage | HttpResponse:
    """Give a page of the board over all deals or the days' deals, or over one deal (its code)."""
    asked = json.read_query(request, ScopedQuery)
    wish = asked.scope
    if wish in {"all", "daily"}:
        scope = ALL_DEALS if wish == "all" else DAYS_DEALS
    else:
        scope = deals.find(code=deals.read_code(wish)).pk or NO_DEAL
    board, found = read(asked, scope=scope, reader=json.player_of(request))
    if asked.format == "csv":
        return write_csv(found)
    return BoardPage(
        rows=[full_row(one) for one in found.rows],
        own=full_row(found.own) if found.own else None,
        by=board.by,
        games=leaderboards.word_of(board.games),
        period=periods.write(board.period),
        total=found.total,
        page=found.page,
        pages=found.pages,
    )


def read(asked: Query, *, scope: int, reader: Player | None) -> tuple[Board, Leaderboard]:
    """Read a page of a board, in the order, period and games that are asked for."""
    board = leaderboards.board_of(scope=scope, period=asked.period, games=asked.games, by=asked.by)
    size = CSV_SIZE if asked.format == "csv" else leaderboards.PAGE_SIZE
    return board, leaderboards.read(board=board, reader=reader, page=asked.page, size=size)


def row(row: leaderboards.Row) -> BoardRow:
    """Write a row of a deal's board."""
    return BoardRow(**_columns(row))


def full_row(row: leaderboards.Row) -> FullBoardRow:
    """Write a row of a board over many deals."""
    game = row.game
    ended_at = (game.race.starts_at or 0) + (game.finished_ms or 0)
    return FullBoardRow(**_columns(row), deal=game.race.deal.code, ended_at=ended_at)


def _columns(row: leaderboards.Row) -> dict[str, Any]:
    game = row.game
    return {
        "rank": row.rank,
        "player": game.player.name,
        "player_id": game.player_id,
        "at": game.finished_ms,
        "moves": game.moves,
        "undos": game.undos,
        "redeals": game.redeals,
        "game": game.pk,
    }


def write_csv(found: Leaderboard) -> HttpResponse:
    """Write the rows of a board as CSV, times in milliseconds."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for one in found.rows:
        written = msgspec.structs.asdict(full_row(one))
        written["time_ms"] = written["at"]
        written["player"] = _no_formula(written["player"])
        ended = datetime.datetime.fromtimestamp(written["ended_at"] / 1000, tz=datetime.UTC)
        written["ended_at"] = ended.isoformat(timespec="milliseconds")
        writer.writerow([written[column] for column in _COLUMNS])
    response = HttpResponse(file.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="leaderboard.csv"'
    patch_cache_control(response, no_store=True)
    return response


def _no_formula(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


board = Endpoint(
    get=Operation(
        show_board,
        query=ScopedQuery,
        files={"text/csv": None},
        denied=(Denial.BAD_OPTION, Denial.BAD_DEAL),
    )
)
