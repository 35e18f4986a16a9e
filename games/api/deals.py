"""/api/deals: a deal, and who played it best."""

from typing import Literal, cast

import msgspec
from django.http import HttpRequest, HttpResponse

from games.api import boards, json
from games.api.operations import DealCode, Endpoint, Operation
from games.models import Deal
from games.protocol import DealKind
from games.services import deals, marks
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


class DealQuery(msgspec.Struct):
    """Whether its cards are wanted. A player who has seen them has studied the deal, and no game
    that they play on it afterwards is a first try."""

    cards: Literal["yes", "no"] = "yes"


class DealBoard(msgspec.Struct, frozen=True):
    """A page of a deal's leaderboard, and the reader's own row wherever it is."""

    rows: list[boards.BoardRow]
    own: boards.BoardRow | None


def show_deal(request: HttpRequest, code: DealCode) -> DealShown:
    """Tell what this reader may know of a deal. Looking stores no deal, and of a stored one that a
    player has seen its cards."""
    found, reader = _find(code), json.player_of(request)
    wanted = json.read_query(request, DealQuery).cards == "yes"
    seen = wanted and deals.may_see_layout(deal=found, player=reader)
    if seen and found.pk and reader is not None:
        marks.note_study(player_ids=[reader.pk], deal=found)
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


deal = Endpoint(
    get=Operation(show_deal, query=DealQuery, denied=(Denial.BAD_DEAL, Denial.BAD_OPTION))
)
leaderboard = Endpoint(
    get=Operation(
        show_leaderboard,
        query=boards.Query,
        files={"text/csv": None},
        denied=(Denial.BAD_DEAL, Denial.BAD_OPTION),
    )
)
