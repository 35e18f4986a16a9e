"""What the pages cost: each asked for again and again, on one connection, by one visitor.

    python -m bench.pages
    python -m bench.pages --serve uvicorn --games 200000

On PostgreSQL and Redis of its own, with made-up players, deals and games (`manage.py seed_boards`).
`× healthz` is a page's median beside that of the shortest answer there is: how much is the page.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from statistics import median, quantiles

from .compare import stores
from .plan import Visitor
from .server import ROOT, serving

PAGES = (
    "/healthz",
    "/",
    "/rules/",
    "/leaderboards/",
    "/leaderboards/?by=moves&page=20",
    "/api/leaderboards",
    "/deals/CR1-N-AAAAAAB/",
    "/players/1/",
    "/daily/",
)
WARM = 5


def seed(database_url: str, games: int) -> None:
    """Make up games, a tenth as many players and a fortieth as many deals."""
    environment = os.environ | {"DATABASE_URL": database_url}
    manage = [sys.executable, "manage.py"]
    counts = [
        "--games",
        str(games),
        "--players",
        str(games // 10),
        "--deals",
        str(max(500, games // 40)),
    ]
    for command in (["migrate", "--verbosity", "0"], ["seed_boards", *counts]):
        subprocess.run([*manage, *command], cwd=ROOT, env=environment, check=True)


def times(visitor: Visitor, path: str, count: int) -> list[float]:
    """Ask so often for a page; give the milliseconds of each answer."""
    took = []
    for number in range(WARM + count):
        began = time.perf_counter()
        visitor.get(path)
        if number >= WARM:
            took.append((time.perf_counter() - began) * 1000)
    return took


def main(arguments: Sequence[str]) -> None:
    """Measure each page and print a table in Markdown."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.pages", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--serve", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--count", type=int, default=100, help="how often each")
    wanted = parser.parse_args(arguments)
    with stores() as (postgres, redis):
        seed(postgres.url, wanted.games)
        with serving(wanted.serve, database_url=postgres.url, redis_url=redis.url) as server:
            visitor = Visitor(HTTPConnection("127.0.0.1", server.port, timeout=60))
            print("| page | median, ms | p99, ms | × healthz |\n|---|---|---|---|")
            least = 0.0
            for path in PAGES:
                took = times(visitor, path, wanted.count)
                middle = median(took)
                least = least or middle
                worst = quantiles(took, n=100)[-1]
                print(f"| {path} | {middle:.1f} | {worst:.1f} | {middle / least:.1f} |", flush=True)


if __name__ == "__main__":
    # Told to stop, it still takes what it started down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main(sys.argv[1:])
