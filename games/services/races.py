"""Races: opened, changed, started, called off. Whoever changes a race or its roster holds its row.

A race's state is derived: lobby (no start set), countdown, running, closed.
"""

import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games import clock
from games.models import Deal, Game, Openness, Player, Race, StartRule
from games.services import attempts, deals, news
from games.services.denied import Denial, Denied

COUNTDOWN_MS = 5_000
CODE_LENGTH = 7
# No 0 O 1 I L, no U V together, no B 8, no 5 S, no 2 Z: what is read aloud is written down right.
CODE_LETTERS = "34679ACDEFGHJKMNPQRTWXY"

State = Literal["lobby", "countdown", "running", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceOptions:
    """What the host chooses: seats 1-50, a time limit of 10-180 minutes, and how it is played."""

    seats: int = 1
    openness: str = Openness.MOVES
    undo: bool = True
    start: str = StartRule.HOST
    time_limit_min: int = 60
    listed: bool = False

    def __post_init__(self) -> None:
        """Refuse what is out of range.

        :raises Denied: bad_option, naming the option.
        """
        if not 1 <= self.seats <= 50:
            raise Denied(Denial.BAD_OPTION, "seats must be 1 to 50.")
        if self.openness not in Openness.values:
            raise Denied(Denial.BAD_OPTION, "openness must be progress, moves or cards.")
        if self.start not in StartRule.values:
            raise Denied(Denial.BAD_OPTION, "start must be host or all_ready.")
        if not 10 <= self.time_limit_min <= 180:
            raise Denied(Denial.BAD_OPTION, "time_limit_min must be 10 to 180.")


def state_of(race: Race, now_ms: int) -> State:
    """Derive where a race stands at `now_ms` (Unix, milliseconds)."""
    if race.closed_at is not None:
        return "closed"
    if race.starts_at is None:
        return "lobby"
    return "countdown" if now_ms < race.starts_at else "running"


def open_race(*, host: Player, deal: str, options: RaceOptions) -> Race:
    """Open a race on a deal (see `deals.choose`); the opener is its host and has a seat.

    :raises Denied: bad_deal; deal_closed, also for a player who is still at a game on that deal;
        sign_in (see `hold_player`).
    """
    with transaction.atomic():
        dealt = deals.choose(wish=deal)
        if deals.is_playing(deal=dealt, player=host):
            raise Denied(Denial.DEAL_CLOSED, "You have an unfinished game on this deal.")
        return open_on(host=host, deal=dealt, options=options)


def open_on(*, host: Player, deal: Deal, options: RaceOptions) -> Race:
    """Open a race on a stored deal that the caller has found open to this host.

    :raises Denied: sign_in (see `hold_player`).
    """
    with transaction.atomic():
        hold_player(host)
        race = _create(host=host, deal=deal, options=options)
        Game.objects.create(race=race, player=host)
        return race


def hold_player(player: Player) -> Player:
    """Hold a player who is about to sit down until the transaction ends, after the race: nothing
    of theirs goes over to an account meanwhile (services/merging.py), and they keep their name.
    Returns them as they are now.

    :raises Denied: sign_in, for a guest whose games have gone over already.
    """
    held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if not held.is_active:
        raise Denied(Denial.SIGN_IN, "Your games are an account's now: sign in to it.")
    return held


def could_be_code(text: str) -> bool:
    """Tell whether to look for a race of this code at all: PostgreSQL fails on a NUL in a text."""
    return text.isascii() and text.isalnum()


def locked(*, code: str) -> Race:
    """Fetch a race and hold its row until the transaction ends.

    :raises Denied: not_found.
    """
    held = Race.objects.select_for_update(of=("self",))
    race = held.filter(code=code).first() if could_be_code(code) else None
    if race is None:
        raise Denied(Denial.NOT_FOUND, "There is no race of this code.")
    return race


def locked_lobby(*, code: str, host: Player | None = None) -> Race:
    """Fetch and hold a race that has no start set yet, on behalf of its host where one is given.

    :raises Denied: not_found, race_closed, race_started, not_host.
    """
    race = locked(code=code)
    if host is not None and race.host_id != host.pk:
        raise Denied(Denial.NOT_HOST, "Only the host can do this.")
    if race.closed_at is not None:
        raise Denied(Denial.RACE_CLOSED, "This race is over.")
    if race.starts_at is not None:
        raise Denied(Denial.RACE_STARTED, "This race has started.")
    return race


def touch(race: Race, *fields: str) -> None:
    """Save the named fields of a held race, raise its version and tell the world."""
    race.version = F("version") + 1
    race.save(update_fields=["version", *fields])
    race.refresh_from_db(fields=["version"])
    news.publish(news.RaceChanged(race.code))


def start(*, code: str, player: Player) -> None:
    """Set the start five seconds ahead, of a race with one seat at once. Repeating it is harmless.

    Whoever is at another game on its deal loses their seat; a host who is starts nothing.

    :raises Denied: not_found, not_a_racer, not_host, race_closed (also: the day of its deal is),
        deal_closed.
    """
    with transaction.atomic():
        race = locked(code=code)
        if not _roster(race).filter(player=player).exists():
            raise Denied(Denial.NOT_A_RACER, "You have no seat in this race.")
        if race.host_id != player.pk:
            raise Denied(Denial.NOT_HOST, "Only the host can start the race.")
        if race.closed_at is not None:
            raise Denied(Denial.RACE_CLOSED, "This race is over.")
        if race.starts_at is None:
            attempts.check_start(race=race)
            if player.pk in release_busy(race):
                raise Denied(Denial.DEAL_CLOSED, "You have an unfinished game on this deal.")
            set_start(race)


def release_busy(race: Race) -> set[int]:
    """Take the seats in a held lobby from players who are at another game on its deal: nobody plays
    a deal twice at a time. They may watch. Returns who they were, by id."""
    seated = _roster(race)
    # Held in one order: of two lobbies that start at one instant the second sees the first.
    holding = Player.objects.select_for_update(no_key=True).order_by("pk")
    players = list(holding.filter(pk__in=seated.values("player")).values_list("pk", flat=True))
    busy = deals.at_play(deal=race.deal, players=players, besides_race_id=race.pk)
    if busy:
        seated.filter(player__in=busy).delete()
        hand_on_if_gone(race)
        touch(race, "host")
    return busy


def hand_on_if_gone(race: Race) -> None:
    """Make the longest-present racer the host of a held race whose host has no seat any more."""
    seated = _roster(race).order_by("pk")
    longest = seated.first()
    if longest is not None and not seated.filter(player=race.host_id).exists():
        race.host_id = longest.player_id


def set_start(race: Race) -> None:
    """Set the start of a held race, and which of its games are a player's first on the deal."""
    race.starts_at = clock.now_ms() + (COUNTDOWN_MS if race.seats > 1 else 0)
    earlier = Game.objects.filter(
        player=OuterRef("player"),
        race__deal=race.deal_id,
        race__starts_at__isnull=False,
        removed_at=None,
    )
    _roster(race).filter(~Exists(earlier)).update(first_try=True)
    touch(race, "starts_at")
    announce_play(race, _roster(race).values_list("player_id", flat=True))


def announce_play(race: Race, players: Iterable[int]) -> None:
    """Tell the rooms of other races on the same cards that these players are at a game on them;
    on a closed deal there is no other race that shows any."""
    if race.deal.revealed:
        news.publish(news.GamesBegan(race.code, race.deal.code, tuple(players)))


def call_off(*, code: str, host: Player) -> None:
    """Go back to the lobby before zero; ready marks fall. Repeating it is harmless.

    :raises Denied: not_found, not_host, race_closed, race_started (zero has passed).
    """
    with transaction.atomic():
        race = locked(code=code)
        if race.host_id != host.pk:
            raise Denied(Denial.NOT_HOST, "Only the host can call the start off.")
        state = state_of(race, clock.now_ms())
        if state == "lobby":
            return
        if state == "closed":
            raise Denied(Denial.RACE_CLOSED, "This race is over.")
        # A process whose clock is a little ahead may have written already.
        played = Q(seq__gt=0) | Q(outcome__isnull=False)
        if state == "running" or _roster(race).filter(played).exists():
            raise Denied(Denial.RACE_STARTED, "The race is running: resign instead.")
        race.starts_at = None
        _roster(race).update(ready=False, first_try=False)
        touch(race, "starts_at")


def change_options(*, code: str, host: Player, changes: dict[str, object]) -> None:
    """Change options in the lobby (keys as in RaceOptions); ready marks fall. Repeating it is
    harmless.

    :raises Denied: not_found, not_host, race_started, race_closed, bad_option.
    """
    with transaction.atomic():
        race = locked_lobby(code=code, host=host)
        options = {**asdict(options_of(race)), **changes}
        chosen = RaceOptions(**options)
        if chosen.seats < _roster(race).count():
            raise Denied(Denial.BAD_OPTION, "There are more racers than that.")
        if chosen == options_of(race):
            return
        attempts.check_options(race=race)
        for name, value in asdict(chosen).items():
            setattr(race, name, value)
        _roster(race).update(ready=False)
        touch(race, *asdict(chosen))


def options_of(race: Race) -> RaceOptions:
    """Return the options a race is played with."""
    return RaceOptions(
        seats=race.seats,
        openness=race.openness,
        undo=race.undo,
        start=race.start,
        time_limit_min=race.time_limit_min,
        listed=race.listed,
    )


def _roster(race: Race) -> QuerySet[Game]:
    return Game.objects.filter(race=race, removed_at=None)


def _create(*, host: Player, deal: Deal, options: RaceOptions) -> Race:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        try:
            with transaction.atomic():
                return Race.objects.create(
                    code=code, deal=deal, host=host, created_at=clock.now_ms(), **asdict(options)
                )
        except IntegrityError:  # this code is taken: draw again
            continue
