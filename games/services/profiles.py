"""Profiles: what a player has played and won, and whether others may see it."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from games.models import Game, Outcome, Player
from games.services import daily, leaderboards
from games.services.boards import Board
from games.services.daily import Streak
from games.services.denied import Denial, Denied
from games.services.leaderboards import Row

PAGE_SIZE = 30
CHARTED = 60
"""Won games on the chart of times, the latest."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's page: counts, ranks over all deals, the games of one page (the latest first) and
    the latest wins (with their races), the earliest first."""

    player: Player
    played: int
    won: int
    races_won: int
    streak: Streak
    by_time: Row | None
    by_moves: Row | None
    games: tuple[Game, ...]
    page: int
    pages: int
    wins: tuple[Game, ...]


def find(*, player_id: int) -> Player:
    """Return a player.

    :raises Denied: not_found.
    """
    player = Player.objects.filter(pk=player_id).first() if player_id < 2**63 else None
    if player is None:
        raise Denied(Denial.NOT_FOUND, "There is no such player.")
    return player


def is_open_to(*, player: Player, reader: Player | None) -> bool:
    """Tell whether `reader` may see a player's page: everybody, unless it is private."""
    return not player.is_private or (reader is not None and reader.pk == player.pk)


def of_player(*, player: Player, page: int = 1) -> Profile:
    """Read a player's page; whoever calls has asked `is_open_to`."""
    games = _games(player)
    counted = games.aggregate(played=Count("pk"), won=Count("pk", filter=Q(outcome=Outcome.WON)))
    pages = max(1, -(-counted["played"] // PAGE_SIZE))
    page = min(max(1, page), pages)
    start = PAGE_SIZE * (page - 1)
    shown = games.select_related("race__deal").order_by("-pk")[start : start + PAGE_SIZE]
    wins = games.filter(outcome=Outcome.WON).order_by("-pk")
    charted = list(wins.select_related("race__deal")[:CHARTED])
    return Profile(
        player=player,
        played=counted["played"],
        won=counted["won"],
        races_won=_races_won(games),
        streak=daily.streak_of(player=player),
        by_time=leaderboards.own_row(board=Board(by="time"), reader=player),
        by_moves=leaderboards.own_row(board=Board(by="moves"), reader=player),
        games=tuple(shown),
        page=page,
        pages=pages,
        wins=tuple(reversed(charted)),
    )


def set_private(*, player: Player, private: bool) -> None:
    """Let only the player see their page, or everybody. Repeating it is harmless."""
    player.is_private = private
    player.save(update_fields=["is_private"])


def _games(player: Player) -> QuerySet[Game]:
    return Game.objects.filter(player=player, removed_at=None, race__starts_at__isnull=False)


def _races_won(games: QuerySet[Game]) -> int:
    """Count the closed races with rivals in which nobody was home sooner."""
    rivals = Game.objects.filter(race=OuterRef("race"), removed_at=None).exclude(pk=OuterRef("pk"))
    sooner = rivals.filter(outcome=Outcome.WON, finished_ms__lt=OuterRef("finished_ms"))
    won = games.filter(outcome=Outcome.WON, race__closed_at__isnull=False, race__seats__gt=1)
    return won.filter(Exists(rivals), ~Exists(sooner)).count()
