"""Settling: games taken back from a resignation, out of time, and races closed when all is over."""

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from games import clock
from games.models import Deal, Game, Outcome, Player, Race
from games.models.race import EXPIRY_GRACE_MS
from games.services import bests, daily, deals, hosting, news, races
from games.services.denied import Denial, Denied

SECOND_THOUGHTS_MS = 10_000
"""How long a resignation can be taken back, and how long it keeps the race open."""

EMPTY_LOBBY_MS = 3_600_000
"""A lobby that nobody was in for so long is closed; a phone that slept is back long before."""


def take_back_resignation(*, code: str, player: Player) -> bool:
    """Clear a resignation of the last ten seconds while the race is open; False if there is none.

    :raises Denied: not_a_racer; race_closed, once the race is over or the ten seconds are;
        deal_closed, for who has begun another game on this deal meanwhile.
    """
    with transaction.atomic():
        race = races.locked(code=code)
        game = (
            Game.objects.select_for_update(of=("self",))
            .filter(race=race, player=player, removed_at=None)
            .first()
        )
        if game is None:
            raise Denied(Denial.NOT_A_RACER, "You have no game in this race.")
        if game.outcome is None:
            return False
        now = clock.now_ms()
        late = (
            race.starts_at is None
            or game.finished_ms is None
            or now > race.starts_at + game.finished_ms + SECOND_THOUGHTS_MS
        )
        if game.outcome != Outcome.RESIGNED or race.closed_at is not None or late:
            raise Denied(Denial.RACE_CLOSED, "It is too late to take this back.")
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # who may be starting
        if deals.is_playing(deal=race.deal, player=player, besides_race_id=race.pk):
            raise Denied(Denial.DEAL_CLOSED, "You are at another game on this deal.")
        game.outcome = game.finished_ms = None
        game.save(update_fields=["outcome", "finished_ms"])
        news.publish(news.RaceChanged(race.code))
        races.announce_play(race, [player.pk])
        return True


def expire(*, race_id: int) -> None:
    """End every unfinished game of a race whose time is up; before that nothing happens."""
    now = clock.now_ms()
    with transaction.atomic():
        race = Race.objects.select_for_update(of=("self",)).get(pk=race_id)
        if race.expires_at is None or now < race.expires_at or race.closed_at is not None:
            return
        ended = Game.objects.filter(race=race, outcome=None, removed_at=None).update(
            outcome=Outcome.EXPIRED, finished_ms=race.limit_ms
        )
        if ended:
            news.publish(news.RaceChanged(race.code))


def close_if_over(*, race_id: int) -> bool:
    """Close a started race none of whose games is unfinished, and reveal its sealed deal (that of
    a day is revealed by daily.py); enter what was won in it on the leaderboards.

    One statement decides, in a transaction of its own after the outcomes are committed: whoever
    commits the last outcome sees that none is left. A race does not close within ten seconds of
    a resignation. Returns whether this call closed it.
    """
    closed = _close(race_id)
    bests.enter_race(race_id=race_id)
    return closed


def _close(race_id: int) -> bool:
    now = clock.now_ms()
    games = Game.objects.filter(race=OuterRef("pk"), removed_at=None)
    unfinished = games.filter(outcome=None)
    second_thoughts = games.filter(
        outcome=Outcome.RESIGNED,
        finished_ms__gt=now - SECOND_THOUGHTS_MS - F("race__starts_at"),
    )
    with transaction.atomic():
        # Held first: PostgreSQL would decide on what it saw before it waited for the row, and close
        # the race over a resignation that was taken back meanwhile.
        Race.objects.select_for_update(of=("self",)).filter(pk=race_id, closed_at=None).first()
        closed = Race.objects.filter(
            ~Exists(unfinished),
            ~Exists(second_thoughts),
            pk=race_id,
            closed_at=None,
            starts_at__lte=now,
        ).update(closed_at=now, version=F("version") + 1)
        if not closed:
            return False
        race = Race.objects.select_related("deal").get(pk=race_id)
        sealed = Deal.objects.filter(pk=race.deal_id, kind="S", revealed_at=None)
        sealed.exclude(day__isnull=False).update(revealed_at=now)
        news.publish(news.RaceChanged(race.code))
        return True


def settle_overdue(*, limit: int = 100) -> int:
    """Settle races nobody is watching over: expire what is out of time, close what is over, enter
    what was won on the leaderboards, reveal the deals of days that are over, and hand lobbies
    whose host is away on.

    Returns how many were closed. Any process may call it at any time.
    """
    now = clock.now_ms()
    ended = Game.objects.filter(race=OuterRef("pk"), removed_at=None, outcome=None)
    started = Race.objects.filter(closed_at=None, starts_at__lte=now)
    overdue = started.filter(
        starts_at__lt=now - EXPIRY_GRACE_MS - 60_000 * F("time_limit_min")
    ).values_list("pk", flat=True)[:limit]
    for race_id in list(overdue):
        expire(race_id=race_id)
    _leave_empty_lobbies(now, limit)
    hosting.replace_absent(limit=limit)
    over = started.filter(~Exists(ended)).values_list("pk", flat=True)[:limit]
    closed = sum(close_if_over(race_id=race_id) for race_id in list(over))
    bests.enter_missing(limit=limit)
    daily.reveal_due()
    return closed


def _leave_empty_lobbies(now: int, limit: int) -> None:
    """Close lobbies in which nobody has been for an hour; lists stop showing them much sooner."""
    before = now - EMPTY_LOBBY_MS
    present = Game.objects.filter(race=OuterRef("pk"), removed_at=None, seen_at__gte=before)
    empty = Race.objects.filter(
        ~Exists(present), closed_at=None, starts_at=None, created_at__lt=before
    )
    for code in list(empty.values_list("code", flat=True)[:limit]):
        with transaction.atomic():
            closed = empty.filter(code=code).update(closed_at=now, version=F("version") + 1)
            if closed:
                sealed = Deal.objects.filter(revealed_at=None, kind="S", races__code=code)
                sealed.exclude(day__isnull=False).update(revealed_at=now)
                news.publish(news.RaceChanged(code))
