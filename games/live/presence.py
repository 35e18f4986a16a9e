"""Presence: which racers have a socket here, told to the database for the other processes."""

import asyncio
from collections.abc import Callable

from games import clock
from games.live.database import Database
from games.live.live_game import ONLINE_MS
from games.models import Game

EVERY_S = 10
SOON_S = 1


class Presence:
    """Writes `seen_at` of everybody connected in one statement, every ten seconds; who came or
    went is written a second later at most."""

    def __init__(self, database: Database, here: Callable[[], list[int]]) -> None:
        self._database = database
        self._here = here
        self._came: set[int] = set()
        self._went: set[int] = set()
        self._wake = asyncio.Event()

    def came(self, racer: int) -> None:
        """Note that a racer has a socket here."""
        self._came.add(racer)
        self._went.discard(racer)
        self._wake.set()

    def went(self, racer: int) -> None:
        """Note that a racer's socket is gone."""
        self._went.add(racer)
        self._came.discard(racer)
        self._wake.set()

    async def keep_soon(self) -> None:
        """Write who came or went, once there is somebody."""
        await self._wake.wait()
        await asyncio.sleep(SOON_S)
        self._wake.clear()
        came, self._came = self._came, set()
        went, self._went = self._went, set()
        await self._database.run(mark, sorted(came), sorted(went))

    async def keep(self) -> None:
        """Write who is here."""
        await asyncio.sleep(EVERY_S)
        here = self._here()
        if here:
            await self._database.run(mark, sorted(here), [])


def mark(here: list[int], gone: list[int]) -> None:
    """Write that some games' players were just seen, and that others are not here any more."""
    if here:
        Game.objects.filter(pk__in=here).update(seen_at=clock.now_ms())
    if gone:
        # Not null: when somebody was last in a room is what tells that it is empty.
        Game.objects.filter(pk__in=gone).update(seen_at=clock.now_ms() - ONLINE_MS)
