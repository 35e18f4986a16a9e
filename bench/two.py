"""What a second process adds: the closed loop with one process, and with two on the same stores.

    python -m bench.two --serve uvicorn

Each process has a core and half of the races, as the proxy's hash of the race's code would give
them; every move is still told to the other. Both cores carry PostgreSQL, Redis and the generator
as well, so on two cores a second process can't double what one does.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from . import load
from .compare import stores
from .server import Server, serving


def race(server: Server, racers: int, seconds: float, number: int) -> float:
    """Let so many race on one process; give the moves acknowledged a second."""
    asked = [f"--racers={racers}", f"--races={racers // 4}", f"--seconds={seconds}"]
    report = load.run_round(load._options(asked), server, number)
    if not report["well"]:
        print("not all went well", file=sys.stderr)
    return float(report["acted_a_second"])


def main(arguments: Sequence[str]) -> None:
    """Measure both in turn and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.two", description=__doc__.split("\n")[0])
    parser.add_argument("--serve", choices=("daphne", "uvicorn"), default="uvicorn")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    wanted = parser.parse_args(arguments)
    load.build()
    alone, together = [], []
    with stores() as (postgres, redis):
        on = partial(serving, wanted.serve, database_url=postgres.url, redis_url=redis.url)
        with (
            on(core=0) as first,
            on(core=1) as second,
            ThreadPoolExecutor(2) as threads,
        ):
            for number in range(wanted.rounds):
                alone.append(race(first, 100, wanted.seconds, 1_000 + 10 * number))
                halves = [
                    threads.submit(race, server, 52, wanted.seconds, 2_000 + 100 * place + number)
                    for place, server in enumerate((first, second))
                ]
                together.append(sum(half.result() for half in halves))
                print(
                    f"one {alone[-1]:8,.0f}   two {together[-1]:8,.0f} moves a second", flush=True
                )
    print(f"two processes did {median(together) / median(alone):.2f} times what one did")


if __name__ == "__main__":
    # Told to stop, it still takes what it started down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main(sys.argv[1:])
