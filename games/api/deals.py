"""/api/deals: a deal, and who played it best."""

from typing import Any, get_args

from django.http import HttpRequest, HttpResponse

from games.api import json
from games.models import Deal
from games.services import bests, deals, leaderboards
from games.services.denied import Denial, Denied


def show_deal(request: HttpRequest, code: str) -> HttpResponse:
    """Tell what this reader may know of a deal; looking stores nothing."""
    found = _find(code)
    seen = deals.may_see_layout(deal=found, player=json.player_of(request))
    return json.answer(
        {
            "code": found.code,
            "kind": found.kind,
            "commitment": found.commitment,
            "revealed": found.revealed,
            "layout": found.layout if seen else None,
            "seed": bytes(found.seed).hex() if seen and found.seed else None,
        }
    )


def show_leaderboard(request: HttpRequest, code: str) -> HttpResponse:
    """Rank the games that won a deal, by time or by moves."""
    by = request.GET.get("by", "time")
    if by not in get_args(bests.Order):
        raise Denied(Denial.BAD_OPTION, "by must be time or moves.")
    order: bests.Order = "moves" if by == "moves" else "time"
    board = leaderboards.of_deal(deal=_find(code), by=order, reader=json.player_of(request))
    own = _row(board.own) if board.own else None
    return json.answer({"rows": [_row(row) for row in board.rows], "own": own})


def _find(code: str) -> Deal:
    return deals.find(code=deals.read_code(code))


def _row(row: leaderboards.Row) -> dict[str, Any]:
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


deal = json.endpoint(get=show_deal)
leaderboard = json.endpoint(get=show_leaderboard)
