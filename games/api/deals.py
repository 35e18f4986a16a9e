"""/api/deals: a deal, and who played it best."""

from django.http import HttpRequest, HttpResponse

from games.api import boards, json
from games.models import Deal
from games.services import bests, deals


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
    """Rank the games that won a deal: any board over it, as /api/leaderboards takes them."""
    _, found = boards.read(request, scope=_find(code).pk or bests.NO_DEAL)
    if boards.as_csv(request):
        return boards.write_csv(found)
    own = boards.row(found.own) if found.own else None
    return json.answer({"rows": [boards.row(row) for row in found.rows], "own": own})


def _find(code: str) -> Deal:
    return deals.find(code=deals.read_code(code))


deal = json.endpoint(get=show_deal)
leaderboard = json.endpoint(get=show_leaderboard)
