"""Histories: the games that were played on a deal, as everybody may watch them again."""

from dataclasses import dataclass

from django.db.models import QuerySet

from games.models import Deal, Game

PAGE_SIZE = 20
MOST_PAGES = 50
"""Older games are found on the boards and on players' pages."""


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished games (with players and races), the latest first; `page` counts from 1
    to `pages`."""

    games: tuple[Game, ...] = ()
    page: int = 1
    pages: int = 1


def of_deal(*, deal: Deal, page: int = 1) -> History:
    """Read a page (one beyond the last gives the last) of the games on a deal that everybody may
    watch: none while the deal is closed, nor those in which nothing was played."""
    if not deal.pk or not deal.revealed:
        return History()
    games = _watchable(deal)
    total = games[: PAGE_SIZE * MOST_PAGES].count()
    pages = max(1, -(-total // PAGE_SIZE))
    page = min(max(1, page), pages)
    start = PAGE_SIZE * (page - 1)
    shown = games.select_related("player", "race").order_by("-race_id", "-home", "finished_ms")
    return History(tuple(shown[start : start + PAGE_SIZE]), page, pages)


def _watchable(deal: Deal) -> QuerySet[Game]:
    return Game.objects.filter(
        race__deal=deal,
        race__closed_at__isnull=False,
        race__starts_at__isnull=False,
        removed_at=None,
        outcome__isnull=False,
        seq__gt=0,
    )
