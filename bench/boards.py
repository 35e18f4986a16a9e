"""Measure what every kind of leaderboard page and own rank asks of the database, with EXPLAIN.

Needs a PostgreSQL database at DATABASE_URL that `manage.py seed_boards` has filled:

    DATABASE_URL=postgres://… python -m bench.boards [--samples 200] [--explain]
"""

import argparse
import math
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")
django.setup()

from django.db import connection  # noqa: E402

from games.models import Best, Deal, Player  # noqa: E402
from games.services import leaderboards, periods  # noqa: E402
from games.services.boards import ALL_DEALS, COLUMNS, DAYS_DEALS, Board  # noqa: E402

TARGET_MS = 10.0


@dataclass(slots=True)
class Cost:
    """What statements took: `ms` that the database says planning and executing took, `cpu_ms` of
    processor time (0.0 where the server is on another machine), `pages` of 8 KiB looked at."""

    ms: float = 0.0
    cpu_ms: float = 0.0
    pages: int = 0


@dataclass(slots=True)
class Meter:
    """Adds up what each statement of a reading costs by EXPLAIN ANALYZE, once and before the
    statement itself, so that what isn't in memory yet counts; keeps the most expensive one."""

    sum: Cost = field(default_factory=Cost)
    most: tuple[float, str, Any] = (0.0, "", ())

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        server = context["connection"].connection
        with server.cursor() as cursor:
            before = _on_cpu_ms(server.info.backend_pid)
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {sql}", params)
            self.sum.cpu_ms += _on_cpu_ms(server.info.backend_pid) - before
            (told,) = cursor.fetchone()[0]
        took = told["Planning Time"] + told["Execution Time"]
        self.sum.ms += took
        self.sum.pages += sum(
            part[f"Shared {kind} Blocks"]
            for part in (told["Plan"], told["Planning"])
            for kind in ("Hit", "Read")
        )
        self.most = max(self.most, (took, sql, params), key=lambda one: one[0])
        return execute(sql, params, many, context)


def _on_cpu_ms(pid: int) -> float:
    """How long a process has been on a core, not counting that it waited for one."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6
    except OSError:
        return 0.0


def main() -> int:
    """Print the table; 1 where a 99th percentile is over the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200, help="reads of each kind of board")
    parser.add_argument("--explain", action="store_true", help="explain the slowest statements")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    players, deals = Player.objects.count(), Deal.objects.count()
    print(f"{players} players, {deals} deals, {Best.objects.count()} bests")
    print("ms: planning and execution; cpu: the server's processor time for them; pages of 8 KiB")
    print(f"{'board':36} {'what':8} {'ms p50':>8} {'ms p99':>8} {'cpu p99':>8} {'pages p99':>9}")
    slow = 0
    for kind, scope_of, period_of in kinds(chance, deals):
        for what in ("page", "own row"):
            draw = Draws(chance, players, scope_of, period_of)
            costs, worst = measure(draw, options.samples, what)
            p50, p99 = (percentile(costs, share, "ms") for share in (0.5, 0.99))
            cpu, pages = (percentile(costs, 0.99, name) for name in ("cpu_ms", "pages"))
            slow += p99 > TARGET_MS
            print(f"{kind:36} {what:8} {p50:8.2f} {p99:8.2f} {cpu:8.2f} {pages:9.0f}")
            if options.explain:
                explain(worst)
    print("all within the target" if not slow else f"{slow} kinds over {TARGET_MS} ms")
    return 1 if slow else 0


def percentile(costs: list[Cost], share: float, name: str) -> float:
    """Return the figure of that name that so large a share of the costs doesn't exceed."""
    figures = sorted(getattr(cost, name) for cost in costs)
    return float(figures[math.ceil(share * len(figures)) - 1])


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
        "all deals": lambda: ALL_DEALS,
        "deals of the day": lambda: DAYS_DEALS,
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


def measure(draw: Draws, samples: int, what: str) -> tuple[list[Cost], tuple[float, str, Any]]:
    """Read so many boards; return what each took and the slowest statement."""
    costs: list[Cost] = []
    worst: tuple[float, str, Any] = (0.0, "", ())
    for sample in range(samples):
        by, games = COLUMNS[sample % len(COLUMNS)]
        board = Board(scope=draw.scope_of(), period=draw.period_of(), games=games, by=by)
        pages = max(1, leaderboards.count(board) // leaderboards.PAGE_SIZE)
        reader = _a_player_on(draw.chance, board, draw.players)
        page = 1 + draw.chance.randrange(pages)
        meter = _read(Meter(), board, what, page, reader)
        costs.append(meter.sum)
        worst = max(worst, meter.most, key=lambda one: one[0])
    return costs, worst


def _read(meter: Meter, board: Board, what: str, page: int, reader: Player) -> Meter:
    with connection.execute_wrapper(meter):
        if what == "page":
            leaderboards.read(board=board, reader=None, page=page)
        else:
            leaderboards.own_row(board=board, reader=reader)
    return meter


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
