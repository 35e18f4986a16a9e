"""Merging: what a guest has played goes over to an account that they sign in to."""

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Attempt, Game, Player, Race, Study
from games.services import bests, marks, rebuilding
from games.services.denied import Denial, Denied


def has_games(*, guest: Player) -> bool:
    """Tell whether a guest has anything to take along, or sits in a race that isn't over."""
    kept = Q(outcome__isnull=False) | Q(race__closed_at=None)
    return Game.objects.filter(kept, player=guest, removed_at=None).exists()


def open_races(*, player: Player) -> QuerySet[Race]:
    """Return the races that aren't over in which a player sits."""
    sits = Game.objects.filter(race=OuterRef("pk"), player=player, removed_at=None)
    return Race.objects.filter(Exists(sits), closed_at=None)


def take_along(*, guest: Player, account: Player) -> None:
    """Give an account all finished games of a guest, with the races they hosted and what they
    count for, as if both had been one player from the start. A race in which both sat stays as it
    is. What either kept private stays so. The guest is nobody's any more. All in one transaction.

    Races are held first, then games, games of a day, and players: the order in which everybody
    takes them.

    :raises Denied: still_playing, while the guest sits in a race that isn't over, or the account
        is at a game of a day that the guest has played; bad_option, unless it is an active guest
        and an account; unavailable, where something else got in the way.
    """
    try:
        with transaction.atomic():
            _hold(guest, account)
            _take(guest, account)
    except (IntegrityError, OperationalError) as error:
        raise Denied(Denial.UNAVAILABLE, "Nothing was taken along; try again.") from error


def _take(guest: Player, account: Player) -> None:
    if open_races(player=guest).exists():
        raise Denied(Denial.STILL_PLAYING, "Finish or leave the race you sit in first.")
    taken = _taken(guest, account)
    _take_days(guest, account, taken)
    _take_studies(guest, account)
    Race.objects.filter(host=guest, pk__in=taken.values("race")).update(host=account)
    taken.update(player=account)
    if Player.objects.filter(pk=guest.pk, is_private=True).exists():
        Player.objects.filter(pk=account.pk).update(is_private=True)
    Player.objects.filter(pk=guest.pk).update(is_active=False)
    # A game that was won since is entered now, or will be when this is done.
    bests.wait_for_others()
    _mark(Game.objects.filter(player=account, entered=True))
    rebuilding.rebuild(player_ids=[guest.pk, account.pk])


def _hold(guest: Player, account: Player) -> None:
    both = [guest.pk, account.pk]
    races = Race.objects.filter(host=guest, closed_at__isnull=False)
    games = Game.objects.filter(player__in=both, outcome__isnull=False)
    attempts = Attempt.objects.filter(player__in=both)
    for rows in (races, games, attempts):
        list(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    # Not their keys, so that a game of the account is entered meanwhile.
    held = Player.objects.select_for_update(no_key=True).filter(pk__in=both).order_by("pk")
    now = {player.pk: player for player in held}
    if not (now[guest.pk].is_guest and now[guest.pk].is_active) or now[account.pk].is_guest:
        raise Denied(Denial.BAD_OPTION, "This isn't a guest and an account.")


def _taken(guest: Player, account: Player) -> QuerySet[Game]:
    theirs = Game.objects.filter(race=OuterRef("race"), player=account)
    return Game.objects.filter(~Exists(theirs), player=guest, outcome__isnull=False)


def _take_days(guest: Player, account: Player, taken: QuerySet[Game]) -> None:
    """Let of two games of one day the one count that began first."""
    brought = Attempt.objects.filter(player=guest, race__in=taken.values("race"))
    own = {
        attempt.day_id: attempt
        for attempt in Attempt.objects.filter(
            player=account, day__in=brought.values("day")
        ).select_related("race")
    }
    for attempt in brought.select_related("race"):
        other = own.get(attempt.day_id)
        if other is None:
            continue
        if other.race.closed_at is None:
            raise Denied(Denial.STILL_PLAYING, "Finish your account's game of that day first.")
        started = other.race.starts_at
        first = started is not None and started <= (attempt.race.starts_at or 0)
        (attempt if first else other).delete()
    brought.update(player=account)


def _take_studies(guest: Player, account: Player) -> None:
    """Let each deal count as studied from when either had seen its cards."""
    own = Study.objects.filter(player=account)
    for study in Study.objects.filter(player=guest, deal__in=own.values("deal")):
        own.filter(deal=study.deal_id, at__gt=study.at).update(at=study.at)
        study.delete()
    Study.objects.filter(player=guest).update(player=account)


def _mark(entered: QuerySet[Game]) -> None:
    """Mark games on the boards anew, now that their player has more games and has seen more."""
    entered.filter(Exists(marks.earlier_tries()), first_try=True).update(first_try=False)
    entered.filter(Exists(marks.earlier_studies()), studied=False).update(studied=True)
