"""/api/games: a finished game, to be watched again or taken away."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.api import json
from games.services import comparing, exporting, replays
from games.services.denied import Denial, Denied


def show_replay(request: HttpRequest, game: int) -> HttpResponse:
    """Give a game's layout and actions, and when each card was seen, once this reader may."""
    found = replays.of_game(game_id=game, reader=json.player_of(request))
    return json.answer(
        {
            "game": found.game.pk,
            "deal": found.deal.code,
            "player": found.game.player.name,
            "layout": found.layout,
            "actions": found.actions,
            "uncovered": found.uncovered,
            "outcome": found.game.outcome,
            "at": found.game.finished_ms,
        }
    )


def export_game(request: HttpRequest, game: int) -> HttpResponse:
    """Give a game as a file, JSON or plain text, once everybody may see its cards."""
    form = request.GET.get("format", "json")
    if form not in {"json", "text"}:
        raise Denied(Denial.BAD_OPTION, "format must be json or text.")
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


def compare_games(request: HttpRequest, game: int, other: int) -> HttpResponse:
    """Tell where two games of a deal part, what each did next, and the positions they share."""
    reader = json.player_of(request)
    found = comparing.of_games(game_id=game, other_id=other, reader=reader)
    return json.answer(
        {
            "games": [one.game.pk for one in found.games],
            "deal": found.games[0].deal.code,
            "parted": found.parted,
            "next": found.nexts,
            "common": found.common,
        }
    )


replay = json.endpoint(get=show_replay)
export = json.endpoint(get=export_game)
compare = json.endpoint(get=compare_games)
