"""/language/: the switch in the header; an account reads its own language on every device."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.views.i18n import set_language

from games.services import players
from games.web.pages import page, player_of


class OwnLanguage:
    """Middleware: an account reads the language it has chosen, whatever the browser asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass a request on."""
        player = player_of(request)
        if player is not None and not player.is_guest and player.language:
            translation.activate(player.language)
            request.LANGUAGE_CODE = player.language
        return self._get_response(request)


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
