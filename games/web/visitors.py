"""Visitors become guests: under a name they choose, or one they are given."""

import secrets

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Player
from games.services import players
from games.web.pages import player_of

_GIVEN = "given_name"
"""Where a session keeps the name that a guest was given; another name since then is a choice."""


def named(request: HttpRequest, name: str) -> Player:
    """Sign the session in as a guest of this name; a guest who has another is renamed.

    :raises Denied: bad_name, name_taken.
    """
    forget_given_name(request)
    player = player_of(request)
    if player is None:
        return _sign_in(request, name)
    if player.is_guest and name != player.name:
        return players.rename(player=player, name=name)
    return player


def somebody(request: HttpRequest) -> Player:
    """Return who is here; who hasn't said becomes a guest with a number for a name."""
    player = player_of(request)
    if player is not None:
        return player
    player = _sign_in(request, _("Guest %(number)d") % {"number": 1000 + secrets.randbelow(9000)})
    request.session[_GIVEN] = player.name
    return player


def chosen_name(request: HttpRequest) -> str | None:
    """Return the name of who is here, None for a visitor and for a guest who was given theirs."""
    player = player_of(request)
    if player is None or request.session.get(_GIVEN) == player.name:
        return None
    return player.name


def forget_given_name(request: HttpRequest) -> None:
    """Take the name of who is here for chosen, whoever gave it."""
    request.session.pop(_GIVEN, None)


def _sign_in(request: HttpRequest, name: str) -> Player:
    player = players.create_guest(name=name, language=get_language() or "")
    login(request, player)
    return player
