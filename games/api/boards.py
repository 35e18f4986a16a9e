"""/api/leaderboards: any board, a page at a time, as JSON or CSV."""

import csv
import datetime
import io
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.api import json
from games.services import bests, deals, leaderboards, periods
from games.services.denied import Denial, Denied
from games.services.leaderboards import Board, Leaderboard

CSV_SIZE = 1_000
"""Rows on a page of CSV."""

_COLUMNS = (
    *("rank", "player", "player_id", "time_ms", "moves", "undos", "redeals"),
    *("game", "deal", "ended_at"),
)


def show_board(request: HttpRequest) -> HttpResponse:
    """Give a page of the board over all deals or the days' deals, or over one deal (its code)."""
    wish = request.GET.get("scope", "all")
    if wish in {"all", "daily"}:
        scope = bests.ALL_DEALS if wish == "all" else bests.DAYS_DEALS
    else:
        scope = deals.find(code=deals.read_code(wish)).pk or bests.NO_DEAL
    board, found = read(request, scope=scope)
    if as_csv(request):
        return write_csv(found)
    own = found.own
    return json.answer(
        {
            "rows": [{**row(one), **_details(one)} for one in found.rows],
            "own": {**row(own), **_details(own)} if own else None,
            "by": board.by,
            "games": leaderboards.word_of(board.games),
            "period": periods.write(board.period),
            "total": found.total,
            "page": found.page,
            "pages": found.pages,
        }
    )


def read(request: HttpRequest, *, scope: int) -> tuple[Board, Leaderboard]:
    """Read a page of a board, in the order, period and games that are asked for."""
    asked = request.GET
    board = leaderboards.board_of(
        scope=scope,
        period=asked.get("period", "all"),
        games=asked.get("games", "all"),
        by=asked.get("by", "time"),
    )
    size = CSV_SIZE if as_csv(request) else leaderboards.PAGE_SIZE
    page, reader = _page(request), json.player_of(request)
    return board, leaderboards.read(board=board, reader=reader, page=page, size=size)


def row(row: leaderboards.Row) -> dict[str, Any]:
    """Write a row of a board."""
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


def _details(row: leaderboards.Row) -> dict[str, Any]:
    game = row.game
    return {
        "deal": game.race.deal.code,
        "ended_at": (game.race.starts_at or 0) + (game.finished_ms or 0),
    }


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Denied(Denial.BAD_OPTION, "page must be a number from 1.")
    return int(text)


def as_csv(request: HttpRequest) -> bool:
    """Tell whether CSV is asked for."""
    form = request.GET.get("format", "json")
    if form not in {"json", "csv"}:
        raise Denied(Denial.BAD_OPTION, "format must be json or csv.")
    return form == "csv"


def write_csv(found: Leaderboard) -> HttpResponse:
    """Write the rows of a board as CSV, times in milliseconds."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for one in found.rows:
        written = {**row(one), **_details(one)}
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


board = json.endpoint(get=show_board)
