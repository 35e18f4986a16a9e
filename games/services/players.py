"""Players: guests come, are renamed, choose a language."""

from django.db import IntegrityError, transaction
from django.db.models import Q

from games.models import Player
from games.services import names, seats
from games.services.denied import Denial, Denied


def create_guest(*, name: str, language: str = "") -> Player:
    """Create a guest called `name`. Whoever calls signs the session in as this player.

    :raises Denied: bad_name.
    """
    player = Player(name=names.clean(name), language=language)
    player.set_unusable_password()
    player.save()
    return player


def rename(*, player: Player, name: str) -> Player:
    """Call `player` something else from now on; no account looks like another by its name.

    :raises Denied: bad_name; name_taken, where an account or a rival in an open race has it;
        sign_in (see `races.hold_player`).
    """
    shown = names.clean(name)
    with transaction.atomic():
        seats.check_new_name(player=player, name=shown)
        if not player.is_guest:
            check_free(name=shown, besides=player)
        set_name(player=player, name=shown)
        seats.announce_new_name(player=player)
    return player


def check_free(*, name: str, besides: Player) -> None:
    """Refuse a name that another account has, or that looks like another account's.

    :raises Denied: name_taken.
    """
    small, capital = names.looks(name)
    others = Player.objects.exclude(pk=besides.pk)
    taken = others.filter(
        Q(name_key=names.key(name)) | Q(look=small) | Q(look_capital=capital)
    ).exists()
    # Those who run the site come from `createsuperuser`, which knows no looks; they are few.
    staff = others.filter(is_staff=True).values_list("name", flat=True)
    if taken or any(names.look_alike(name, other) for other in staff):
        raise Denied(Denial.NAME_TAKEN, "Somebody is called so, or nearly so.")


def set_name(*, player: Player, name: str, also: tuple[str, ...] = ()) -> None:
    """Store a player's name, found to be free, an account's with its key and its looks; `also`
    names fields to store with it.

    :raises Denied: name_taken, where somebody was faster.
    """
    player.name = name
    if not player.is_guest:
        player.name_key = names.key(name)
        player.look, player.look_capital = names.looks(name)
    try:
        with transaction.atomic():
            player.save(update_fields=["name", "name_key", "look", "look_capital", *also])
    except IntegrityError:
        raise Denied(Denial.NAME_TAKEN, "Somebody was faster to take this name.") from None


def set_language(*, player: Player, language: str) -> None:
    """Remember the language that `player` reads."""
    player.language = language
    player.save(update_fields=["language"])
