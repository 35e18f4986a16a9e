"""How many racers a server bears: three moves a second each, more and more of them.

    python -m bench.ramp                              daphne on SQLite
    python -m bench.ramp --serve uvicorn --stores     uvicorn on PostgreSQL and Redis of its own

Each step has half as many racers again, in races of four, until the 99th percentile of the mover's
answer passes 50 ms; the last step that did not is what the server bears.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from . import load
from .compare import stores
from .server import Server, serving

RATE = 3
LIMIT_MS = 50.0
FIRST, MOST = 100, 6_000
SEATS = 4


@contextmanager
def _server(wanted: argparse.Namespace) -> Iterator[Server]:
    if not wanted.stores:
        with serving(wanted.serve) as server:
            yield server
        return
    with (
        stores() as (postgres, redis),
        serving(wanted.serve, database_url=postgres.url, redis_url=redis.url) as server,
    ):
        yield server


def step(server: Server, racers: int, seconds: float, number: int) -> dict[str, Any]:
    """Let so many race and give the report."""
    asked = [f"--racers={racers}", f"--races={racers // SEATS}", f"--rate={RATE}"]
    options = load._options([*asked, f"--seconds={seconds}", "--warm=2", "--rounds=1"])
    return load.run_round(options, server, number)


def main(arguments: Sequence[str]) -> None:
    """Raise the number until the limit is passed; print every step."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ramp", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--serve", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--stores", action="store_true", help="on PostgreSQL and Redis")
    parser.add_argument("--seconds", type=float, default=6)
    wanted = parser.parse_args(arguments)
    load.build()
    borne, racers, number = 0, FIRST, 100
    with _server(wanted) as server:
        while racers <= MOST:
            report = step(server, racers, wanted.seconds, number)
            p50, p99 = (load.figure(report, f"acted_ms.{name}") or 0 for name in ("p50", "p99"))
            done = load.figure(report, "acted_a_second") or 0
            cores = load.figure(report, "server_cpu") or 0
            print(
                f"{racers:6} racers  {done:8,.0f} moves/s  p50 {p50:6.1f} ms  p99 {p99:6.1f} ms"
                f"  server {cores:.2f} of a core",
                flush=True,
            )
            if p99 > LIMIT_MS or not report["well"]:
                break
            borne, racers = racers, racers * 3 // 2 // SEATS * SEATS
            number += 10
    print(f"borne within {LIMIT_MS:g} ms: {borne} racers, {borne * RATE} moves a second")


if __name__ == "__main__":
    # Told to stop, it still takes what it started down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main(sys.argv[1:])
