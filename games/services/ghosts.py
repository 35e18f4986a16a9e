"""Ghosts: finished games on the same deal that run along in a race, as progress."""

from django.db import transaction

from games.models import Game, Player, Race
from games.services import races
from games.services.denied import Denial, Denied
from games.services.races import RaceOptions

MOST = 10
"""Ghosts a race may have."""


def add(*, code: str, host: Player, game_id: int) -> None:
    """Let a finished game run along in a race that is in its lobby. Repeating it is harmless.

    :raises Denied: not_found, not_host, race_started, race_closed; bad_option, for a game that
        isn't over, is on another deal, or is one ghost too many; deal_closed, while the game may
        not be watched.
    """
    with transaction.atomic():
        race = races.locked_lobby(code=code, host=host)
        _add(race, _find(game_id))
        races.touch(race)


def add_all(*, race: Race, game_ids: list[int]) -> None:
    """Let several games run along in a race that was just opened; see `add`."""
    with transaction.atomic():
        for game_id in game_ids[:MOST]:
            _add(race, _find(game_id))
        races.touch(race)


def find(*, game_id: int) -> Game:
    """Return a game (with its race and deal) that may run along.

    :raises Denied: not_found; bad_option, for a game that isn't over; deal_closed, while it may
        not be watched.
    """
    game = _find(game_id)
    _check(game)
    return game


def open_against(*, player: Player, ghost: Game) -> Race:
    """Open a lone race on the deal of a game that was found, in which that game runs along.

    :raises Denied: deal_closed, for a player who is still at a game on that deal.
    """
    with transaction.atomic():
        deal = ghost.race.deal
        race = races.open_race(host=player, deal=deal.code, options=RaceOptions(seats=1))
        _add(race, ghost)
        return race


def best_of(*, race: Race) -> list[int]:
    """Return the games of a closed race, the best ten, to race against as ghosts."""
    games = Game.objects.filter(
        race=race, removed_at=None, seq__gt=0, race__closed_at__isnull=False
    )
    return list(games.order_by("-home", "finished_ms").values_list("pk", flat=True)[:MOST])


def _find(game_id: int) -> Game:
    game = Game.objects.select_related("race__deal").filter(pk=game_id, removed_at=None).first()
    if game is None:
        raise Denied(Denial.NOT_FOUND, "There is no such game.")
    return game


def _check(game: Game) -> None:
    if game.outcome is None:
        raise Denied(Denial.BAD_OPTION, "A ghost is a finished game on the same deal.")
    if not game.race.watchable:
        raise Denied(Denial.DEAL_CLOSED, "This game can run along once its race is over.")


def _add(race: Race, game: Game) -> None:
    if game.race.deal_id != race.deal_id:
        raise Denied(Denial.BAD_OPTION, "A ghost is a finished game on the same deal.")
    _check(game)
    if race.ghosts.exclude(pk=game.pk).count() >= MOST:
        raise Denied(Denial.BAD_OPTION, f"A race has at most {MOST} ghosts.")
    race.ghosts.add(game)
