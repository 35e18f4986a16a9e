"""The deal of the day: one sealed deal for each day (UTC), and one counted game on it a player."""

import datetime
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from games import clock
from games.models import Attempt, Day, Deal, Game, Openness, Outcome, Player, Race
from games.models.race import EXPIRY_GRACE_MS
from games.services import deals, periods, races, seats
from games.services.denied import Denial, Denied

LIMIT_MIN = 60
"""The time limit of a day's game, in minutes."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Days running on which a player won the day's deal: up to now, and the most there were."""

    current: int = 0
    longest: int = 0


def today() -> Day:
    """Return the present day with its deal; whoever asks first makes it, and there is one."""
    date = periods.date_of(periods.today())
    found = find(date=date)
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return Day.objects.create(date=date, deal=deals.seal())
    except IntegrityError:  # another process was first, and this one's deal is gone with it
        return Day.objects.select_related("deal").get(date=date)


def find(*, date: datetime.date) -> Day | None:
    """Return a day that has a deal."""
    return Day.objects.select_related("deal").filter(date=date).first()


def of_deal(*, deal: Deal) -> Day | None:
    """Return the day that a deal was made for."""
    return Day.objects.filter(deal=deal).first() if deal.pk else None


def ends_at(day: Day) -> int:
    """Return when a day is over (Unix, milliseconds)."""
    return periods.starts_at(periods.number_of(day.date) + 1)


def reveals_at(day: Day) -> int:
    """Return from when on a day's deal may be revealed: one time limit after the day, so that
    whoever began in its last second has had theirs."""
    return ends_at(day) + LIMIT_MIN * 60_000 + EXPIRY_GRACE_MS


def play(*, player: Player) -> Race:
    """Return the lone race of a player's counted game of today, opened at the first call.

    :raises Denied: deal_closed, for a player who is at a game on this deal elsewhere.
    """
    day = today()
    try:
        with transaction.atomic():
            attempt = (
                Attempt.objects.select_for_update(of=("self",))
                .select_related("race")
                .filter(day=day, player=player)
                .first()
            )
            if attempt is None:
                attempt = Attempt.objects.create(day=day, player=player, race=_open(day, player))
            elif attempt.race.starts_at is None:
                _sit_down_again(attempt, day, player)
            return attempt.race
    except IntegrityError:  # a second window of the same player was first
        return Attempt.objects.select_related("race").get(day=day, player=player).race


def attempt_of(*, day: Day, player: Player | None) -> Game | None:
    """Return a player's counted game of a day (with its race), None before they have begun."""
    if player is None:
        return None
    game = Game.objects.filter(race__attempt__day=day, race__attempt__player=player, player=player)
    return game.select_related("race").first()


def of_race(*, race: Race) -> Day | None:
    """Return the day whose counted game a race is, None for any other race."""
    return Day.objects.filter(attempts__race=race).first()


def archive(*, before: datetime.date, limit: int = 31) -> list[Day]:
    """Return the days before a date that had a deal, the latest first."""
    days = Day.objects.filter(date__lt=before).select_related("deal").order_by("-date")
    return list(days[:limit])


def results_of(*, days: list[Day], player: Player | None) -> dict[datetime.date, Game]:
    """Return a player's games of these days by date."""
    if player is None:
        return {}
    attempts = Attempt.objects.filter(day__in=days, player=player)
    dates = dict(attempts.values_list("race_id", "day_id"))
    games = Game.objects.filter(race__in=dates, player=player)
    return {dates[game.race_id]: game for game in games}


def streak_of(*, player: Player) -> Streak:
    """Count the days running on which a player won the day's deal. Today breaks nothing before it
    is over."""
    won = Game.objects.filter(race=OuterRef("race"), player=OuterRef("player"), outcome=Outcome.WON)
    dates = Attempt.objects.filter(Exists(won), player=player).order_by("day_id")
    longest = run = 0
    last = None
    for date in dates.values_list("day_id", flat=True):
        number = periods.number_of(date)
        run = run + 1 if last is not None and number == last + 1 else 1
        longest, last = max(longest, run), number
    alive = last is not None and last >= periods.today() - 1
    return Streak(run if alive else 0, longest)


def reveal_due() -> int:
    """Reveal the deals of days that are over, one time limit after, once nobody is at a game on
    them. Returns how many were."""
    now = clock.now_ms()
    grace = LIMIT_MIN * 60_000 + EXPIRY_GRACE_MS
    before = periods.date_of(periods.day_of(now - grace))
    playing = Race.objects.filter(
        deal=OuterRef("pk"), starts_at__isnull=False, closed_at__isnull=True
    )
    return Deal.objects.filter(
        ~Exists(playing), revealed_at=None, day__isnull=False, day__date__lt=before
    ).update(revealed_at=now)


def _open(day: Day, player: Player) -> Race:
    if deals.is_playing(deal=day.deal, player=player):
        raise Denied(Denial.DEAL_CLOSED, "You have an unfinished game on this deal.")
    options = races.RaceOptions(openness=Openness.PROGRESS, time_limit_min=LIMIT_MIN)
    return races.open_on(host=player, deal=day.deal, options=options)


def _sit_down_again(attempt: Attempt, day: Day, player: Player) -> None:
    """Bring a player back to the lobby of a game that they never started; a room that was closed
    meanwhile, since nobody was in it, is opened anew."""
    if attempt.race.closed_at is not None:
        attempt.race = _open(day, player)
        attempt.save(update_fields=["race"])
    else:
        seats.take(code=attempt.race.code, player=player)
