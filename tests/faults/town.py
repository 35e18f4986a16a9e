"""A town: two processes on a PostgreSQL and a Redis of its own, races in it, and their end.

The second process's machine has a clock that is an hour ahead; nobody may ever notice.
"""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import psycopg

from tests.faults import alive
from tests.faults.racing import Frame, Screen
from tests.faults.stores import PrivatePostgres, PrivateRedis
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import Server

DEALS = ("CR1-N-AAAAAAB", "CR1-N-AAAAAAC", "CR1-F-AAAAAAC", "CR1-N-CRESCEN")
PATIENCE_S = 90
UNHEARD = 40
"""Frames that a client may be behind what it confirms; racing clients confirm nothing."""


@dataclass
class Outcome:
    """What came of a round."""

    actions: int = 0
    reconnects: int = 0
    wrongs: list[str] = field(default_factory=list)


STORED = """
    SELECT l.game_id, l.seq, l.code, l.at_ms FROM games_loggedaction l
    JOIN games_game g ON g.id = l.game_id JOIN games_race r ON r.id = g.race_id
    WHERE r.code = %s ORDER BY l.game_id, l.seq"""


def by_game(rows: Iterable[tuple[int, int, str, int]]) -> dict[int, dict[int, tuple[str, int]]]:
    """Sort stored actions: game to seq to (code, at)."""
    found: dict[int, dict[int, tuple[str, int]]] = {}
    for game, seq, action, at_ms in rows:
        found.setdefault(game, {})[seq] = (action, at_ms)
    return found


def standings(closed: Frame) -> list[tuple[object, ...]]:
    """Give what a screen shows at the end, but for who is online at that moment."""
    columns = ("racer", "outcome", "at", "place", "moves", "home", "redeals", "name")
    return [tuple(row[column] for column in columns) for row in closed["standings"]]


Fault = Callable[["Town"], Awaitable[None]]


class Town:
    """Made once; every fault leaves it whole."""

    def __init__(self, data: Path, *, servers: tuple[str, str] = ("daphne", "uvicorn")) -> None:
        self.postgres = PrivatePostgres()
        self.redis = PrivateRedis()
        self._data, self._kinds = data, servers
        self.clock = data / "clock"
        """By how many seconds the clock of the second process's machine is wrong."""
        self.clock.write_text("3600")
        self._stack = ExitStack()
        self.servers: list[Server] = []
        self.codes: list[str] = []
        """The races of this round."""
        self._empty: list[dict[str, int]] = []
        """What is alive in each process before the first race."""
        self.chance = random.Random()

    def __enter__(self) -> Self:
        self._stack.enter_context(self.postgres)
        self._stack.enter_context(self.redis)
        environment = {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "CRESCENT_LIMITS": "off",
            "CRESCENT_UNHEARD_FRAMES": str(UNHEARD),
        }
        skewed = {"CRESCENT_TEST_CLOCK": str(self.clock)}
        for kind, more in zip(self._kinds, ({}, skewed), strict=True):
            server = Server(
                self._data,
                environment={**environment, **alive.environment(self._data), **more},
                arguments=("--server", kind),
            )
            self.servers.append(self._stack.enter_context(server))
        self._empty = [alive.count(server) for server in self.servers]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def open_race(self, seats: int, **options: float) -> list[Screen]:
        """Seat guests in a new race; return a screen for each of them, and a watcher's."""
        deal = self.chance.choice(DEALS)
        line = winning_line(deal)
        origins = [server.origin for server in self.servers]
        guests = [
            Guest(origin, f"Racer {number}")
            for number, origin in zip(range(seats), origins * seats, strict=False)
        ]
        code = guests[0].open_race(deal, seats=max(2, seats))
        for guest in guests[1:]:
            guest.take_seat(code)
        cookies = [guest._cookies() for guest in guests]
        screens = [Screen(code, origins, cookie, line) for cookie in cookies]
        screens.append(Screen(code, origins, ""))
        for screen in screens:
            screen.hop_s = options.get("hop_s", 0)
        with guests[0].socket(code) as host:
            host.until("welcome")
            host.send("start")
            host.until("race", lambda frame: frame.get("starts_at"))
        for guest in guests:
            guest.close()
        return screens

    async def race(
        self, fault: Fault, *, races: int, seats: int, twins: bool = False, hop_s: float = 0
    ) -> Outcome:
        """Let races be raced to their ends while a fault happens; say what went wrong."""
        screens = [
            screen
            for number in range(races)
            for screen in await asyncio.to_thread(self.open_race, seats, hop_s=hop_s)
        ]
        self.codes = sorted({one.code for one in screens})
        if twins:
            screens += [
                Screen(one.code, one.origins, one.cookies, one.line) for one in screens if one.line
            ]
        racing = [asyncio.ensure_future(screen.run()) for screen in screens]
        await asyncio.wait_for(asyncio.gather(*(one.joined.wait() for one in screens)), 30)
        await asyncio.sleep(4 + 3 * self.chance.random())  # in the countdown, or soon after zero
        outcome = Outcome()
        try:
            await fault(self)
        except AssertionError as error:
            outcome.wrongs.append(str(error))
        _, stuck = await asyncio.wait(racing, timeout=PATIENCE_S)
        for task in stuck:
            task.cancel()
        await asyncio.gather(*racing, return_exceptions=True)
        outcome.actions = sum(len(one.acted) for one in screens)
        outcome.reconnects = sum(len(one.closes) - 1 for one in screens)
        for task, one in zip(racing, screens, strict=True):
            outcome.wrongs += [f"{one.code}/{one.racer}: {wrong}" for wrong in one.wrongs]
            if task in stuck:
                outcome.wrongs.append(
                    f"{one.code}/{one.racer}: stuck at {max(one.acted, default=0)}"
                )
        outcome.wrongs += await asyncio.to_thread(self._compare, screens)
        outcome.wrongs += await asyncio.to_thread(self._left_over)
        return outcome

    def _left_over(self) -> list[str]:
        """Say what a process still holds of races that everybody has left."""
        found = [
            alive.left_over(server, empty)
            for server, empty in zip(self.servers, self._empty, strict=True)
        ]
        return [f"process {number} still holds {held}" for number, held in enumerate(found) if held]

    def _compare(self, screens: list[Screen]) -> list[str]:
        """Compare what the screens were told with each other and with what is stored."""
        wrongs: list[str] = []
        for code in {one.code for one in screens}:
            mine = [one for one in screens if one.code == code]
            ends = [standings(one.closed) for one in mine if one.closed]
            for end in ends:
                if end != ends[0]:
                    wrongs.append(f"{code}: the screens end with {end} and {ends[0]}")
            if ends and {row[1] for row in ends[0]} != {"won"}:
                wrongs.append(f"{code}: not everybody has won")
            stored = self._stored(code)
            for one in mine:
                told = [one.acted] if one.racer is None else []
                log = stored.get(one.racer or 0, {})
                if one.line and list(log) != list(range(1, len(one.line) + 1)):
                    wrongs.append(f"{code}/{one.racer}: the log has {len(log)} actions")
                if any(log.get(seq) != what for seq, what in one.acted.items()) or any(told):
                    wrongs.append(f"{code}/{one.racer}: acknowledged and not stored")
                for racer, seen in one.shown.items():
                    if any(stored[racer].get(seq) != what for seq, what in seen.items()):
                        wrongs.append(f"{code}/{one.racer}: announced and not stored, of {racer}")
        return wrongs

    def _stored(self, code: str) -> dict[int, dict[int, tuple[str, int]]]:
        with psycopg.connect(self.postgres.url) as connection:
            return by_game(connection.execute(STORED % "%s", [code]).fetchall())


class Village(Town):
    """One process on SQLite, all on one disk."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._stack = ExitStack()
        self.servers, self.codes, self._empty = [], [], []
        self.chance = random.Random()

    def __enter__(self) -> Self:
        environment = {"CRESCENT_LIMITS": "off", **alive.environment(self._data)}
        server = Server(self._data, environment=environment)
        self.servers.append(self._stack.enter_context(server))
        self._empty = [alive.count(server)]
        return self

    def _stored(self, code: str) -> dict[int, dict[int, tuple[str, int]]]:
        with contextlib.closing(sqlite3.connect(self._data / "crescent.sqlite3")) as connection:
            return by_game(connection.execute(STORED % "?", [code]).fetchall())
