"""The tally of an evening: points over a chain of rematches.

A place is worth a point for each racer left behind (who shares it is not), and whoever brings all
cards home gets one more.
"""

from dataclasses import dataclass

from games.models import Game, Outcome, Race
from games.services import standings

LONGEST = 200
"""Races of an evening that are counted, the latest first."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a player has gathered: points, races raced, races won (first place, all cards home)."""

    player: str
    points: int
    races: int
    wins: int


def of_evening(*, race: Race) -> list[Score]:
    """Return the scores of the closed races up to this one, the most points first."""
    names: dict[int, str] = {}
    points: dict[int, int] = {}
    raced: dict[int, int] = {}
    wins: dict[int, int] = {}
    for pk in _chain(race):
        games = list(Game.objects.filter(race=pk, removed_at=None).select_related("player"))
        places = standings.places((game.pk, game) for game in games)
        for game in games:
            player, place = game.player_id, places[game.pk]
            won = game.outcome == Outcome.WON
            names.setdefault(player, game.player.name)
            raced[player] = raced.get(player, 0) + 1
            behind = sum(other > place for other in places.values())
            points[player] = points.get(player, 0) + behind + won
            wins[player] = wins.get(player, 0) + (won and place == 1)
    order = sorted(names, key=lambda player: (-points[player], -wins[player], raced[player]))
    return [Score(names[p], points[p], raced[p], wins[p]) for p in order]


def _chain(race: Race) -> list[int]:
    """The closed races of the evening, from this one back to the first."""
    chain: list[int] = []
    link: tuple[int, int | None] | None = (race.pk, race.closed_at)
    while link is not None and len(chain) < LONGEST:
        pk, closed_at = link
        if closed_at is not None:
            chain.append(pk)
        link = Race.objects.filter(next=pk).values_list("pk", "closed_at").first()
    return chain
