"""Hosting: a lobby whose host is away goes to somebody who is there."""

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from games import clock
from games.models import Game, Race
from games.services import races

AWAY_MS = 60_000
"""A host who wasn't seen for so long is away."""
HERE_MS = 25_000
"""Who was seen within this is there."""


def replace_absent(*, limit: int = 100) -> int:
    """Hand lobbies whose host is away on to the longest-present racer who is there; a lobby that
    nobody is in stays its host's. Returns how many were handed on. Any process may call it."""
    now = clock.now_ms()
    seats = Game.objects.filter(race=OuterRef("pk"), removed_at=None)
    host_here = seats.filter(player=OuterRef("host"), seen_at__gte=now - AWAY_MS)
    another = seats.filter(~Q(player=OuterRef("host")), seen_at__gte=now - HERE_MS)
    orphaned = Race.objects.filter(
        ~Exists(host_here),
        Exists(another),
        closed_at=None,
        starts_at=None,
        created_at__lt=now - AWAY_MS,
    )
    codes = list(orphaned.values_list("code", flat=True)[:limit])
    return sum(_hand_on(code, now) for code in codes)


def _hand_on(code: str, now: int) -> bool:
    with transaction.atomic():
        race = races.locked(code=code)
        host = Game.objects.filter(race=race, player=F("race__host"), removed_at=None).first()
        back = host is not None and (host.seen_at or 0) >= now - AWAY_MS
        heir = (
            Game.objects.filter(race=race, removed_at=None, seen_at__gte=now - HERE_MS)
            .exclude(player=race.host_id)
            .order_by("pk")
            .first()
        )
        if back or heir is None or race.starts_at is not None or race.closed_at is not None:
            return False
        race.host_id = heir.player_id
        races.touch(race, "host")
        return True
