"""Preferences: how a player wants the table. An account's go along to every device; those of a
guest are in the browser."""

from typing import Any, Literal

import msgspec
from django.db import transaction

from games.models import Player
from games.services.denied import Denial, Denied

OnOff = Literal["on", "off"]


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is chosen; the rest is as it comes. `suits` are the colours they have, `cards` how large
    the cards are, `explain` says why a move is refused, `mirrored` is for the left hand."""

    theme: Literal["auto", "light", "dark"] | None = None
    suits: Literal["2", "4"] | None = None
    cards: Literal["l", "m", "s"] | None = None
    explain: OnOff | None = None
    mirrored: OnOff | None = None
    sound: OnOff | None = None


def of_browser(text: str) -> Preferences:
    """Read what a browser says it keeps, as JSON; what can't be meant is left out."""
    try:
        told = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Preferences()
    good: dict[str, str] = {}
    for name, value in told.items():
        try:
            msgspec.convert({name: value}, Preferences)
        except msgspec.ValidationError:
            continue
        good[name] = value
    return msgspec.convert(good, Preferences)


def of_player(player: Player) -> Preferences:
    """Return what an account has chosen."""
    return msgspec.convert(player.preferences, Preferences)


def stored(preferences: Preferences) -> dict[str, str]:
    """Return preferences as a player's row keeps them."""
    kept: dict[str, str] = msgspec.to_builtins(preferences)
    return kept


def change(*, player: Player, changes: Preferences) -> Preferences:
    """Choose anew what `changes` names, and return all that is chosen.

    :raises Denied: sign_in, for a guest.
    """
    if player.is_guest:
        raise Denied(Denial.SIGN_IN, "A guest's choices are kept in the browser.")
    with transaction.atomic():
        held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        held.preferences = {**held.preferences, **stored(changes)}
        held.save(update_fields=["preferences"])
    return of_player(held)
