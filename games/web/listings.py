"""What the start page lists: one's own races, those that have a seat, and who was fastest today."""

from django.db.models import Count, F, Q, QuerySet

from games import clock
from games.models import Deal, Game, Player, Race
from games.services import leaderboards, periods
from games.services.boards import Board
from games.services.leaderboards import Row

STALE_MS = 600_000
"""A lobby in which nobody has been seen for so long is not offered."""


def open_races(*, deal: Deal | None = None, limit: int = 20) -> list[Race]:
    """Return the listed races (of one deal) in a lobby with free seats and somebody in it, the
    newest first; each carries `taken`, how many seats are."""
    seated = Q(games__removed_at=None, games__isnull=False)
    since = clock.now_ms() - STALE_MS
    races: QuerySet[Race] = (
        Race.objects.filter(listed=True, closed_at=None, starts_at=None)
        .annotate(
            taken=Count("games", filter=seated),
            present=Count("games", filter=seated & Q(games__seen_at__gte=since)),
        )
        .filter(Q(present__gt=0) | Q(created_at__gte=since), taken__gt=0, taken__lt=F("seats"))
        .select_related("host", "deal")
        .order_by("-created_at")
    )
    if deal is not None:
        races = races.filter(deal=deal)
    return list(races[:limit])


def left_behind(*, player: Player, limit: int = 3) -> list[Race]:
    """Return the races that a player has a seat in and has not ended, the newest first."""
    games = Game.objects.filter(player=player, removed_at=None, outcome=None, race__closed_at=None)
    return [game.race for game in games.select_related("race").order_by("-pk")[:limit]]


def best_today(*, limit: int = 5) -> list[Row]:
    """Return the first rows of the leaderboard of this day (UTC), by time."""
    board = Board(period=periods.today())
    return list(leaderboards.read(board=board, reader=None, size=limit).rows)
