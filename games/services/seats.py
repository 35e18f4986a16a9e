"""Seats: taken, left, marked ready, handed on; the roster of a race."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games import clock
from games.models import Game, Player, Race, StartRule
from games.services import attempts, deals, names, news, races
from games.services.denied import Denial, Denied


def take(*, code: str, player: Player) -> Game:
    """Give `player` a seat in the lobby; who has one keeps it.

    :raises Denied: not_found, removed, race_closed, race_started, race_full, name_taken,
        deal_closed (an unfinished game on this deal, or it is somebody else's of the day),
        sign_in (see `races.hold_player`).
    """
    with transaction.atomic():
        race = races.locked(code=code)
        game = Game.objects.filter(race=race, player=player).first()
        if game is not None and game.removed_at is None and race.starts_at is None:
            return game
        if game is not None and game.removed_at is not None:
            raise Denied(Denial.REMOVED, "The host has removed you from this race.")
        races.locked_lobby(code=code)
        held = races.hold_player(player)
        attempts.check_seat(race=race, player=player)
        if deals.is_playing(deal=race.deal, player=player):
            raise Denied(Denial.DEAL_CLOSED, "You have an unfinished game on this deal.")
        rivals = roster(race).select_related("player")
        if len(rivals) >= race.seats:
            raise Denied(Denial.RACE_FULL, "Every seat is taken; you can watch.")
        _check_name(held.name, [rival.player for rival in rivals])
        game = Game.objects.create(race=race, player=player)
        if not rivals:  # the room was empty: whoever comes first is its host
            race.host = player
        races.touch(race, "host")
        return game


def leave(*, code: str, player: Player) -> None:
    """Give a seat in the lobby up; the host's room goes to who has been there longest.

    :raises Denied: not_found, race_closed, race_started.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        seat = roster(race).filter(player=player)
        if not seat.exists():
            return
        races.locked_lobby(code=code)
        seat.delete()
        races.hand_on_if_gone(race)
        races.touch(race, "host")
        _start_if_all_ready(race)


def set_ready(*, code: str, player: Player, ready: bool) -> None:
    """Mark a racer ready or not; where the race starts so and all (two or more) are, it starts.

    :raises Denied: not_found, not_a_racer, race_closed, race_started.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        game = roster(race).filter(player=player).first()
        if game is None:
            raise Denied(Denial.NOT_A_RACER, "You have no seat in this race.")
        races.locked_lobby(code=code)
        if game.ready == ready:
            return
        game.ready = ready
        game.save(update_fields=["ready"])
        races.touch(race)
        _start_if_all_ready(race)


def hand_on(*, code: str, host: Player, racer: int) -> None:
    """Make the racer of game `racer` the host.

    :raises Denied: not_found, not_host, not_a_racer.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        heir = roster(race).filter(pk=racer).first()
        if heir is not None and race.host_id == heir.player_id:
            return
        if race.host_id != host.pk:
            raise Denied(Denial.NOT_HOST, "Only the host can hand the room on.")
        if heir is None:
            raise Denied(Denial.NOT_A_RACER, "There is no such racer here.")
        race.host_id = heir.player_id
        races.touch(race, "host")


def kick(*, code: str, host: Player, racer: int) -> None:
    """Remove the racer of game `racer` from the lobby; they can't come back.

    :raises Denied: not_found, not_host, race_started, race_closed, not_a_racer.
    """
    with transaction.atomic():
        race = races.locked_lobby(code=code, host=host)
        game = Game.objects.filter(race=race, pk=racer).exclude(player=host).first()
        if game is None:
            raise Denied(Denial.NOT_A_RACER, "There is no such racer here.")
        if game.removed_at is None:
            game.removed_at = clock.now_ms()
            game.ready = False
            game.save(update_fields=["removed_at", "ready"])
            races.touch(race)
            _start_if_all_ready(race)


def roster(race: Race) -> QuerySet[Game]:
    """Return the seats of a race that are taken, the longest-present first."""
    return Game.objects.filter(race=race, removed_at=None).order_by("pk")


def check_new_name(*, player: Player, name: str) -> None:
    """Refuse a new name for `player` that a rival in an unclosed race has. Until the transaction
    ends nobody in these races gets a name, and the player sits down in no other.

    :raises Denied: name_taken; sign_in (see `races.hold_player`).
    """
    list(_unclosed_races(player).select_for_update(of=("self",)).order_by("pk"))
    races.hold_player(player)
    for race in _unclosed_races(player):
        rivals = roster(race).exclude(player=player).select_related("player")
        _check_name(name, [rival.player for rival in rivals])


def announce_new_name(*, player: Player) -> None:
    """Let the rooms that `player` is in show the new name."""
    for race in _unclosed_races(player):
        news.publish(news.RaceChanged(race.code))


def _unclosed_races(player: Player) -> QuerySet[Race]:
    seat = Game.objects.filter(race=OuterRef("pk"), player=player, removed_at=None)
    return Race.objects.filter(Exists(seat), closed_at=None)


def _check_name(name: str, rivals: list[Player]) -> None:
    if any(names.look_alike(name, rival.name) for rival in rivals):
        raise Denied(Denial.NAME_TAKEN, "Somebody in this race is called so, or nearly so.")


def _start_if_all_ready(race: Race) -> None:
    if race.start == StartRule.ALL_READY and _all_ready(race):
        races.release_busy(race)
        if _all_ready(race):
            races.set_start(race)


def _all_ready(race: Race) -> bool:
    ready = list(roster(race).values_list("ready", flat=True))
    return len(ready) > 1 and all(ready)
