"""/api/guest: a session becomes a guest, or the guest gets another name."""

import msgspec
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from games.api import json
from games.services import players
from games.services.denied import Denial


class Name(msgspec.Struct, forbid_unknown_fields=True):
    """The body of the request."""

    name: str


def become_guest(request: HttpRequest) -> HttpResponse:
    """Sign the session in as a guest called so; whoever is signed in is renamed."""
    name = json.read(request, Name, Denial.BAD_NAME).name
    player = json.player_of(request)
    if player is None:
        player = players.create_guest(name=name, language=get_language() or "")
        login(request, player)
    else:
        players.rename(player=player, name=name)
    return json.answer({"player": player.pk, "name": player.name}, status=201)


guest = json.endpoint(post=become_guest)
