"""Reading a race as it stands in the database: the row, its deal, its games and their logs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from games.models import Game, LoggedAction, Race
from games.services.races import could_be_code

Actions = list[tuple[int, int, str]]
"""Actions of one game: seq, at (ms since the start), code."""


@dataclass(frozen=True, slots=True)
class Room:
    """A race (with deal), all its games (with players), the removed ones included, and the ids of
    the finished games that run along as ghosts."""

    race: Race
    games: tuple[Game, ...]
    ghosts: tuple[int, ...] = ()


def read_room(*, code: str) -> Room | None:
    """Read one race, or None where the code is of none."""
    found = read_rooms(codes=[code])
    return found[0] if found else None


def read_rooms(*, codes: Iterable[str]) -> list[Room]:
    """Read several races in three queries. A race is read before its games, so a version seen here
    is never newer than the roster beside it."""
    asked = [code for code in codes if could_be_code(code)]
    races = {
        race.pk: race for race in Race.objects.filter(code__in=asked).select_related("deal", "next")
    }
    games: dict[int, list[Game]] = {pk: [] for pk in races}
    for game in Game.objects.filter(race__in=races).select_related("player").order_by("pk"):
        games[game.race_id].append(game)
    ghosts: dict[int, list[int]] = {pk: [] for pk in races}
    haunting = Race.ghosts.through.objects.filter(race_id__in=races).order_by("pk")
    for race_id, game_id in haunting.values_list("race_id", "game_id"):
        ghosts[race_id].append(game_id)
    return [Room(race, tuple(games[pk]), tuple(ghosts[pk])) for pk, race in races.items()]


def read_ghosts(*, ids: Iterable[int]) -> list[tuple[Game, Actions]]:
    """Read finished games (with players) and their logs."""
    games = list(Game.objects.filter(pk__in=list(ids)).select_related("player").order_by("pk"))
    actions = read_actions(after={game.pk: 0 for game in games})
    return [(game, actions[game.pk]) for game in games]


def read_actions(*, after: Mapping[int, int]) -> dict[int, Actions]:
    """Read what each game's log holds after a seq: {game id: seq} in, {game id: actions} out."""
    found: dict[int, Actions] = {game: [] for game in after}
    if not after:
        return found
    wanted = Q()
    for game, seq in after.items():
        wanted |= Q(game_id=game, seq__gt=seq)
    rows = LoggedAction.objects.filter(wanted).order_by("game_id", "seq")
    for game, seq, at_ms, code in rows.values_list("game_id", "seq", "at_ms", "code"):
        found[game].append((seq, at_ms, code))
    return found
