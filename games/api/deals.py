"""/api/deals: a deal, and who played it best."""

from typing import cast

import msgspec
from django.http import HttpRequest, HttpResponse

from games.api import boards, json
from games.api.operations import DealCode, Endpoint, Operation
from games.models import Deal
from games.protocol import DealKind
from games.services import deals
from games.services.boards import NO_DEAL
from games.services.denied import Denial


class DealShown(msgspec.Struct, frozen=True):
    """A deal, as this reader may know it: `commitment` of a sealed one; `layout` is 96 cards, two
    characters each, null while it is closed to the reader, and so is `seed` (hex)."""

    code: str
    kind: DealKind
    commitment: str | None
    revealed: bool
    layout: str | None
    seed: str | None


class DealBoard(msgspec.Struct, frozen=True):
    """A page of a deal's leaderboard, and the reader's own row wherever it is."""

    rows: list[boards.BoardRow]
    own: boards.BoardRow | None


def show_deal(request: HttpRequest, code: DealCode) -> DealShown:
    """Tell what this reader may know of a deal; looking stores nothing."""
    found = _find(code)
    seen = deals.may_see_layout(deal=found, player=json.player_of(request))
    return DealShown(
        code=found.code,
        kind=cast("DealKind", found.kind),
        commitment=found.commitment,
        revealed=found.revealed,
        layout=found.layout if seen else None,
        seed=bytes(found.seed).hex() if seen and found.seed else None,
    )


def show_leaderboard(request: HttpRequest, code: DealCode) -> DealBoard | HttpResponse:
    """Rank the games that won a deal: any board over it, as /api/leaderboards takes them."""
    deal = _find(code)
    asked = json.read_query(request, boards.Query)
    _, found = boards.read(asked, scope=deal.pk or NO_DEAL, reader=json.player_of(request))
    if asked.format == "csv":
        return boards.write_csv(found)
    own = boards.row(found.own) if found.own else None
    return DealBoard(rows=[boards.row(row) for row in found.rows], own=own)


def _find(code: str) -> Deal:
    return deals.find(code=deals.read_code(code))


deal = Endpoint(get=Operation(show_deal, denied=(Denial.BAD_DEAL,)))
leaderboard = Endpoint(
    get=Operation(
        show_leaderboard,
        query=boards.Query,
        files={"text/csv": None},
        denied=(Denial.BAD_DEAL, Denial.BAD_OPTION),
    )
)
