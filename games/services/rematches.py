"""Rematches: the next race with the same people and options, on a new deal."""

from django.db import transaction

from games.models import DealKind, Game, Player, Race
from games.services import limits, races, seats
from games.services.denied import Denial, Denied


def agree(*, code: str, player: Player) -> Race:
    """Take `player`, whose game of race `code` is over, into the next race; the first to agree
    opens it and is its host. Repeating it is harmless. Returns the next race.

    :raises Denied: not_found, not_a_racer, not_started, race_started (the own game isn't over, or
        the next race has started), race_closed, race_full, name_taken, too_many_races.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        _check_over(race, player)
        following = race.next
        if following is None or (following.closed_at is not None and following.starts_at is None):
            limits.check_open_races(host_id=player.pk)
            following = races.open_race(
                host=player, deal=_next_deal(race), options=races.options_of(race)
            )
            race.next = following
            races.touch(race, "next")
        else:
            seats.take(code=following.code, player=player)
        return following


def decline(*, code: str, player: Player) -> Race | None:
    """Give up the seat in the next race, while it is in its lobby. Returns the next race, if there
    is one.

    :raises Denied: not_found, race_started.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        if race.next is not None:
            seats.leave(code=race.next.code, player=player)
        return race.next


def _check_over(race: Race, player: Player) -> None:
    game = Game.objects.filter(race=race, player=player, removed_at=None).first()
    if game is None:
        raise Denied(Denial.NOT_A_RACER, "You were not in this race.")
    if race.starts_at is None:
        raise Denied(Denial.NOT_STARTED, "This race hasn't been raced yet.")
    if game.outcome is None:
        raise Denied(Denial.RACE_STARTED, "Finish your game or resign first.")


def _next_deal(race: Race) -> str:
    """A new deal of the same kind."""
    kind = race.deal.kind
    return "sealed" if kind == DealKind.SEALED else "four" if kind == DealKind.FOUR else "random"
