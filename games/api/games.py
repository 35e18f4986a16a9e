"""/api/games: a finished game, to be watched again or taken away."""

from typing import Literal, cast

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.api import json
from games.api.operations import Endpoint, GameId, Operation
from games.protocol import Outcome
from games.services import comparing, exporting, replays
from games.services.comparing import Common, Next
from games.services.denied import Denial


class Replay(msgspec.Struct, frozen=True):
    """A game to be watched again: `layout` is 96 cards, two characters each, `??` for one that the
    reader may not know; `actions` are (code, at), `at` in ms since the start; `uncovered`
    tells of each slot after how many actions the player first saw its card, null for never."""

    game: int
    deal: str
    player: str
    layout: str
    actions: list[tuple[str, int]]
    uncovered: list[int | None]
    outcome: Outcome | None
    at: int | None


class ExportQuery(msgspec.Struct):
    """The form of an export."""

    format: Literal["json", "text"] = "json"


class Comparison(msgspec.Struct, frozen=True):
    """Two games of a deal. After `parted` actions their positions first differ, null where one is
    the beginning of the other; `next` is what each did then, `common` the positions they share."""

    games: tuple[int, int]
    deal: str
    parted: int | None
    next: tuple[Next | None, Next | None]
    common: tuple[Common, ...]


def show_replay(request: HttpRequest, game: GameId) -> Replay:
    """Give a game's layout and actions, and when each card was seen, once this reader may."""
    found = replays.of_game(game_id=game, reader=json.player_of(request))
    return Replay(
        game=found.game.pk,
        deal=found.deal.code,
        player=found.game.player.name,
        layout=found.layout,
        actions=found.actions,
        uncovered=found.uncovered,
        outcome=cast("Outcome | None", found.game.outcome),
        at=found.game.finished_ms,
    )


def export_game(request: HttpRequest, game: GameId) -> HttpResponse:
    """Give a game as a file, JSON or plain text, once everybody may see its cards."""
    form = json.read_query(request, ExportQuery).format
    document = exporting.of_game(game_id=game, reader=json.player_of(request))
    if form == "json":
        body, kind, end = exporting.to_json(document), "application/json", "json"
    else:
        body, kind, end = exporting.to_text(document), "text/plain; charset=utf-8", "txt"
    response = HttpResponse(body, content_type=kind)
    name = f"{document.deal.code}-{game}.{end}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    patch_cache_control(response, no_store=True)
    return response


def compare_games(request: HttpRequest, game: GameId, other: GameId) -> Comparison:
    """Tell where two games of a deal part, what each did next, and the positions they share."""
    reader = json.player_of(request)
    found = comparing.of_games(game_id=game, other_id=other, reader=reader)
    first, second = found.games
    return Comparison(
        games=(first.game.pk, second.game.pk),
        deal=first.deal.code,
        parted=found.parted,
        next=found.nexts,
        common=found.common,
    )


_TOO_EARLY = (Denial.NOT_FOUND, Denial.DEAL_CLOSED)
replay = Endpoint(get=Operation(show_replay, denied=_TOO_EARLY))
export = Endpoint(
    get=Operation(
        export_game,
        query=ExportQuery,
        files={"application/json": exporting.Document, "text/plain": None},
        denied=(*_TOO_EARLY, Denial.BAD_OPTION),
    )
)
compare = Endpoint(get=Operation(compare_games, denied=(*_TOO_EARLY, Denial.BAD_OPTION)))
