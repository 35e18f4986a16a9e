"""/language/: the switch in the header."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.i18n import set_language

from games.services import players
from games.web.pages import page, player_of


@page
def choose(request: HttpRequest) -> HttpResponse:
    """Show the site in the language chosen, in this browser and for this player."""
    if request.method != "POST":
        return redirect("home")
    language = request.POST.get("language", "")
    player = player_of(request)
    if player is not None and language in dict(settings.LANGUAGES):
        players.set_language(player=player, language=language)
    return set_language(request)
