"""/games/<id>/: a game, played again move by move."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language

from games.services import replays
from games.web.pages import page, player_of, render


@page
def replay(request: HttpRequest, game: int) -> HttpResponse:
    """Show the player of a game's log, once this reader may have it.

    :raises Denied: not_found; deal_closed, while it is too early for this reader.
    """
    found = replays.of_game(game_id=game, reader=player_of(request))
    whole = replays.UNKNOWN not in found.layout
    export = reverse("api_export", args=[game]) if whole and found.game.outcome else None
    boot = {
        "export": export,
        "game": found.game.pk,
        "name": found.game.player.name,
        "deal": found.deal.code,
        "language": get_language(),
    }
    context = {"game": found.game, "deal": found.deal, "boot": boot, "export": export}
    return render(request, "games/game.html", context)
