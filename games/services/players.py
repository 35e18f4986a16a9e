"""Players: guests come, are renamed, choose a language."""

from games.models import Player
from games.services import names


def create_guest(*, name: str, language: str = "") -> Player:
    """Create a guest called `name`. Whoever calls signs the session in as this player.

    :raises Denied: bad_name.
    """
    player = Player(name=names.clean(name), language=language)
    player.set_unusable_password()
    player.save()
    return player


def rename(*, player: Player, name: str) -> Player:
    """Call `player` something else from now on; an account's name stays unique by its key.

    :raises Denied: bad_name; name_taken, where an account or a rival in an open race has it.
    """
    from games.services import seats

    shown = names.clean(name)
    seats.check_new_name(player=player, name=shown)
    player.name = shown
    if not player.is_guest:
        player.name_key = names.key(shown)
    player.save(update_fields=["name", "name_key"])
    seats.announce_new_name(player=player)
    return player


def set_language(*, player: Player, language: str) -> None:
    """Remember the language that `player` reads."""
    player.language = language
    player.save(update_fields=["language"])
