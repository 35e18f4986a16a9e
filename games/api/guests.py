"""/api/guest: a session becomes a guest, or the guest gets another name."""

from typing import Annotated

import msgspec
from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import get_language

from games.api import json
from games.api.operations import Endpoint, Operation
from games.services import names, players
from games.services.denied import Denial


class Name(msgspec.Struct, forbid_unknown_fields=True):
    """The body of the request."""

    name: Annotated[
        str,
        msgspec.Meta(
            description="2 to 24 characters", max_length=names.LONGEST_TYPED, examples=["Anh"]
        ),
    ]


class Guest(msgspec.Struct, frozen=True):
    """Who the session is now."""

    player: int
    name: str


def become_guest(request: HttpRequest) -> Guest:
    """Sign the session in as a guest called so; a guest is renamed, an account keeps its name."""
    name = json.read(request, Name, Denial.BAD_NAME).name
    player = json.player_of(request)
    if player is None:
        player = players.create_guest(name=name, language=get_language() or "")
        login(request, player)
    elif player.is_guest:
        players.rename(player=player, name=name)
    return Guest(player=player.pk, name=player.name)


guest = Endpoint(
    post=Operation(
        become_guest,
        status=201,
        body=Name,
        denied=(Denial.BAD_NAME, Denial.NAME_TAKEN, Denial.SIGN_IN, Denial.TOO_FAST),
        changes=True,
    )
)
