"""/games/<id>/: a game, played again move by move."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Game, Outcome, Player, Race
from games.services import comparing, replays
from games.web.pages import page, player_of, render


@page
def replay(request: HttpRequest, game: int) -> HttpResponse:
    """Show the player of a game's log, once this reader may have it.

    :raises Denied: not_found; deal_closed, while it is too early for this reader.
    """
    reader = player_of(request)
    found = replays.of_game(game_id=game, reader=reader)
    whole = found.is_open and found.game.outcome is not None
    boot = boot_of(found.game.race, [found.game], reader=reader, whole=whole)
    context = {
        "game": found.game,
        "deal": found.deal,
        "boot": boot,
        "export": reverse("api_export", args=[game]) if whole else None,
    }
    return render(request, "games/game.html", context)


def boot_of(
    race: Race, games: Sequence[Game], *, reader: Player | None, whole: bool
) -> dict[str, Any]:
    """Tell the browser which finished games of a race it is to show, in this order; `whole` says
    that everybody may have their cards."""
    others = comparing.others(game=games[0]) if whole and len(games) == 1 else []
    return {
        "race": race.code if race.seats > 1 else None,
        "open": whole,
        "ghost": race.watchable,
        "games": [
            {
                "game": one.pk,
                "name": one.player.name,
                "you": reader is not None and one.player_id == reader.pk,
            }
            for one in games
        ],
        "others": [
            {
                "game": one.pk,
                "name": one.player.name,
                "won": one.finished_ms if one.outcome == Outcome.WON else None,
                "home": one.home,
            }
            for one in others
        ],
    }
