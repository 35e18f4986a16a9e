"""Accounts: a guest's games under a name of their own and a password."""

from django.contrib.auth.hashers import make_password
from django.db import transaction

from games.models import Player
from games.services import limits, names, players, preferences, seats
from games.services.denied import Denial, Denied
from games.services.preferences import Preferences

NOTHING_CHOSEN = Preferences()
NOBODY = ""
"""The key of whatever is too long for a name."""


def keep(
    *,
    player: Player | None,
    name: str,
    password: str,
    language: str,
    chosen: Preferences = NOTHING_CHOSEN,
) -> Player:
    """Make an account of a guest, or of a newcomer (None). It is the same player: their games,
    seats and bests stay where they are; `chosen` is what their browser kept. The password has
    been validated.

    :raises Denied: bad_name; name_taken, by an account or in a race the guest is in; bad_option,
        for who has an account already; sign_in, for a guest whose games went over to one.
    """
    shown, hashed = names.clean(name), make_password(password)  # slow, so before the transaction
    with transaction.atomic():
        if player is not None:  # races before players: the order in which everybody holds them
            seats.check_new_name(player=player, name=shown)
        held = players.create_guest(name=shown) if player is None else _held_guest(player)
        players.check_free(name=shown, besides=held)
        held.is_guest, held.language, held.password = False, language, hashed
        held.preferences = preferences.stored(chosen)
        also = ("is_guest", "language", "password", "preferences")
        players.set_name(player=held, name=shown, also=also)
        seats.announce_new_name(player=held)
    return held


def change_password(*, player: Player, password: str) -> None:
    """Give an account another password, already validated."""
    player.password = make_password(password)
    player.save(update_fields=["password"])


def key_of(typed: str) -> str:
    """Return the key of the account that is meant by a name as it was typed; some key that nobody
    has, where it can't be a name."""
    try:
        return names.key(names.clean(typed))
    except Denied:
        return names.key(typed) if len(typed) <= names.LONGEST_TYPED else NOBODY


def check_attempt(*, typed: str) -> None:
    """Count one more password tried on the account of a name, whether there is one or not.

    :raises Denied: too_fast.
    """
    limits.check_rate(kind=limits.Kind.PASSWORD, by=key_of(typed))


def _held_guest(player: Player) -> Player:
    held = Player.objects.select_for_update().get(pk=player.pk)
    if not held.is_guest:
        raise Denied(Denial.BAD_OPTION, "You have an account already.")
    if not held.is_active:
        raise Denied(Denial.SIGN_IN, "Your games are an account's now: sign in to it.")
    return held
