"""Measure the database time of every kind of leaderboard page and of own ranks, with EXPLAIN.

Needs a PostgreSQL database at DATABASE_URL that `manage.py seed_boards` has filled:

    DATABASE_URL=postgres://… python -m bench.boards [--samples 200] [--explain]
"""

import argparse
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")
django.setup()

from django.db import connection  # noqa: E402

from games.models import Best, Deal, Player  # noqa: E402
from games.services import bests, leaderboards, periods  # noqa: E402
from games.services.bests import COLUMNS  # noqa: E402
from games.services.leaderboards import Board  # noqa: E402

TARGET_MS = 10.0


class Stopwatch:
    """Adds up what the database says that planning and executing each statement took (EXPLAIN
    ANALYZE, before the statement itself, so what isn't in memory yet counts), and keeps the
    slowest."""

    def __init__(self, repeat: int) -> None:
        self.repeat = repeat
        self.ms = 0.0
        self.slowest: tuple[float, str, Any] = (0.0, "", ())

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        times: list[float] = []
        with context["connection"].connection.cursor() as cursor:
            for _ in range(self.repeat):
                cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
                (told,) = cursor.fetchone()[0]
                times.append(told["Planning Time"] + told["Execution Time"])
        took = min(times)
        self.ms += took
        self.slowest = max(self.slowest, (took, sql, params), key=lambda one: one[0])
        return execute(sql, params, many, context)


def main() -> int:
    """Print the table; 1 where a 99th percentile is over the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200, help="reads of each kind of board")
    parser.add_argument(
        "--repeat",
        type=int,
        default=1,
        help="explain each statement so often and take the least, where the machine is busy",
    )
    parser.add_argument("--explain", action="store_true", help="explain the slowest statements")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    players, deals = Player.objects.count(), Deal.objects.count()
    print(f"{players} players, {deals} deals, {Best.objects.count()} bests")
    print(f"{'board':30} {'what':8} {'p50':>8} {'p99':>8} {'most':>8}  ms of database time")
    slow = 0
    for kind, scope_of, period_of in kinds(chance, deals):
        for what in ("page", "own row"):
            draw = Draws(chance, players, scope_of, period_of)
            times, worst = measure(draw, options.samples, options.repeat, what)
            p50, p99 = times[len(times) // 2], times[-1 - len(times) // 100]
            slow += p99 > TARGET_MS
            print(f"{kind:30} {what:8} {p50:8.2f} {p99:8.2f} {times[-1]:8.2f}")
            if options.explain:
                explain(worst)
    print("all within the target" if not slow else f"{slow} kinds over {TARGET_MS} ms")
    return 1 if slow else 0


Draw = Callable[[], int]


def kinds(chance: random.Random, deals: int) -> list[tuple[str, Draw, Draw]]:
    """Name every kind of board, with how to draw one of it."""
    today = periods.today()
    times: dict[str, Draw] = {
        "all time": lambda: periods.ALL_TIME,
        "a week": lambda: periods.week_of(today - chance.randrange(360)),
        "a day": lambda: today - chance.randrange(360),
    }
    scopes: dict[str, Draw] = {
        "all deals": lambda: bests.ALL_DEALS,
        "deals of the day": lambda: bests.DAYS_DEALS,
        "a deal": lambda: chance.randrange(1, deals + 1),
        "one of the 20 most played": lambda: chance.randrange(1, 21),
    }
    return [
        (f"{scope}, {period}", scope_of, period_of)
        for scope, scope_of in scopes.items()
        for period, period_of in times.items()
    ]


@dataclass(frozen=True, slots=True)
class Draws:
    """How to draw a board of one kind, and somebody to read it."""

    chance: random.Random
    players: int
    scope_of: Draw
    period_of: Draw


def measure(
    draw: Draws, samples: int, repeat: int, what: str
) -> tuple[list[float], tuple[float, str, Any]]:
    """Read so many boards; return the sorted times in ms and the slowest statement."""
    times: list[float] = []
    worst: tuple[float, str, Any] = (0.0, "", ())
    for sample in range(samples):
        by, games = COLUMNS[sample % len(COLUMNS)]
        board = Board(scope=draw.scope_of(), period=draw.period_of(), games=games, by=by)
        pages = max(1, leaderboards.count(board) // leaderboards.PAGE_SIZE)
        reader = _a_player_on(draw.chance, board, draw.players)
        page = 1 + draw.chance.randrange(pages)
        watch = _read(Stopwatch(repeat), board, what, page, reader)
        times.append(watch.ms)
        worst = max(worst, watch.slowest, key=lambda one: one[0])
    return sorted(times), worst


def _read(watch: Stopwatch, board: Board, what: str, page: int, reader: Player) -> Stopwatch:
    with connection.execute_wrapper(watch):
        if what == "page":
            leaderboards.read(board=board, reader=None, page=page)
        else:
            leaderboards.own_row(board=board, reader=reader)
    return watch


def _a_player_on(chance: random.Random, board: Board, players: int) -> Player:
    """Draw somebody of any rank on a board; anybody where it is empty."""
    number = leaderboards.count(board)
    if not number:
        return Player.objects.get(pk=1 + chance.randrange(players))
    page = 1 + chance.randrange(number)
    return leaderboards.read(board=board, reader=None, page=page, size=1).rows[0].game.player


def explain(worst: tuple[float, str, Any]) -> None:
    """Print how PostgreSQL carries a statement out."""
    took, sql, params = worst
    print(f"    slowest statement, {took:.2f} ms:")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", params)
        for (line,) in cursor.fetchall():
            print(f"      {line}")


if __name__ == "__main__":
    sys.exit(main())
