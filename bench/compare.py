"""Measures every set-up in turn, round after round, beside a peer; prints a table in Markdown.

    python -m bench.compare --rounds 3
    python -m bench.compare --peer-server "node race.js {port}" --peer-load "load {port} {rate}"

The peer is any other server and its own generator, which prints JSON with `moves_s` (and `p50`,
`p99`) for the closed loop, and the same where {rate} is put in as `-r 3`. PostgreSQL and Redis are
started for the run, on the server's core: what is measured is one core with its stores.
Where other work shares the cores, look at the moves a second of the server's processor time
(`acted_a_cpu_second`): waiting for a turn is not in it, and neither are the stores.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests.faults.stores import PrivatePostgres, PrivateRedis

from . import load
from .server import ServerKind, _free_port, pinned, serving

SETUPS: dict[str, tuple[ServerKind, bool]] = {
    "daphne, SQLite": ("daphne", False),
    "daphne, PostgreSQL, Redis": ("daphne", True),
    "uvicorn, PostgreSQL, Redis": ("uvicorn", True),
}
JOBS: dict[str, tuple[str, tuple[str, ...]]] = {
    "1 closed loop": (
        "--racers 100 --races 25",
        ("acted_a_second", "acted_a_cpu_second", "generator_cpu"),
    ),
    "2 open loop, 3/s each": (
        "--racers 100 --races 25 --rate 3",
        ("acted_ms.p50", "acted_ms.p99", "pushed_ms.p99"),
    ),
    "3 storm of 1,000": (
        "--mode storm --racers 100 --races 25 --watchers 900",
        ("joined_s", "joining_ms.p99"),
    ),
    "4 idle, 2,000 sockets": (
        "--mode idle --racers 100 --races 25 --watchers 1900",
        ("kib_a_socket", "pong_ms.p99"),
    ),
    "5 one race, 50 and 500": (
        "--racers 50 --races 1 --watchers 500 --rate 1",
        ("acted_ms.p50", "pushed_ms.p99", "pushes_missing"),
    ),
}
PEER = "the peer"


@contextmanager
def stores() -> Iterator[tuple[PrivatePostgres, PrivateRedis]]:
    """Start both stores on the server's core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[0]})
    with ExitStack() as stack:
        postgres = stack.enter_context(PrivatePostgres())
        redis = stack.enter_context(PrivateRedis())
        os.sched_setaffinity(0, cores)
        yield postgres, redis


def figures(report: dict[str, Any]) -> dict[str, float]:
    """Add to a report what is worked out of it."""
    sockets = report.get("sockets") or report.get("joined") or 0
    if sockets and "server_mib" in report and "server_mib_before" in report:
        grown = report["server_mib"] - report["server_mib_before"]
        report["kib_a_socket"] = grown * 1024 / sockets
    if report.get("server_cpu") and "acted_a_second" in report:
        report["acted_a_cpu_second"] = report["acted_a_second"] / report["server_cpu"]
    if "pushes_expected" in report:
        report["pushes_missing"] = report["pushes_expected"] - report["pushes_delivered"]
    found = {}
    for names in JOBS.values():
        for name in names[1]:
            value = load.figure(report, name)
            if value is not None:
                found[name] = value
    return found


def cpu_seconds(pid: int) -> float:
    """Give the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_ours(setup: str, job: str, urls: tuple[str, str], seconds: float) -> dict[str, float]:
    """Do a job once on a server of its own."""
    kind, stored = SETUPS[setup]
    asked = f"{JOBS[job][0]} --seconds {seconds} --warm 1 --rounds 1"
    options = load._options(shlex.split(asked))
    database_url, redis_url = urls if stored else ("", "")
    with serving(kind, database_url=database_url, redis_url=redis_url) as server:
        report = load.run_round(options, server, int(time.time()) % 100_000)
    if not report["well"]:
        print(f"{setup}, {job}: not all went well", file=sys.stderr)
    return figures(report)


def measure_peer(server: str, generator: str, rate: str, seconds: float) -> dict[str, float]:
    """Do the closed or open loop once on a peer."""
    port = _free_port()
    process = subprocess.Popen(
        pinned(shlex.split(server.format(port=port)), 0),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        time.sleep(2)  # it has no address to ask whether it is up
        command = shlex.split(generator.format(port=port, seconds=seconds, rate=rate))
        before = cpu_seconds(process.pid)
        done = subprocess.run(pinned(command, 1), check=True, capture_output=True, text=True)
        used = cpu_seconds(process.pid) - before
    finally:
        process.terminate()
        process.wait()
    said = json.loads(done.stdout.strip().splitlines()[-1])
    return {
        "acted_a_second": said["moves_s"],
        # Joining, and a second of warming up, are in what it has used; so it did a little better.
        "acted_a_cpu_second": said["moves_s"] * (seconds + 1) / max(used, 0.01),
        "acted_ms.p50": said["p50"],
        "acted_ms.p99": said["p99"],
        "pushed_ms.p99": said["push_p99"],
        "generator_cpu": said["gen_cpu"],
    }


def main(arguments: Sequence[str]) -> None:
    """Measure in turn and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--jobs", default="12345", help="which, by their numbers")
    parser.add_argument("--peer-server", default="", help="its command, with {port}")
    parser.add_argument("--peer-load", default="", help="its generator: {port} {seconds} {rate}")
    wanted = parser.parse_args(arguments)
    load.build()
    found: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    jobs = [job for job in JOBS if job[0] in wanted.jobs]
    began = time.monotonic()
    with stores() as (postgres, redis):
        urls = (postgres.url, redis.url)
        for _ in range(wanted.rounds):
            for job in jobs:
                runs: dict[str, Callable[[], dict[str, float]]] = {}
                for setup in SETUPS:
                    runs[setup] = lambda s=setup, j=job: measure_ours(s, j, urls, wanted.seconds)  # type: ignore[misc]
                if wanted.peer_server and job[0] in "12":
                    rate = "-r 3" if job[0] == "2" else ""
                    runs[PEER] = lambda r=rate: measure_peer(  # type: ignore[misc]
                        wanted.peer_server, wanted.peer_load, r, wanted.seconds
                    )
                for who, run in runs.items():
                    values = run()
                    print(
                        f"{time.monotonic() - began:6.0f} s {job}: {who}: {values}", file=sys.stderr
                    )
                    for name, value in values.items():
                        found[job, who, name].append(value)
    print_table(found, jobs)


def print_table(found: dict[tuple[str, str, str], list[float]], jobs: Sequence[str]) -> None:
    """Print medians, with the ratio to the peer where it did the same."""
    print("| what | figure | " + " | ".join([*SETUPS, PEER]) + " |")
    print("|---|---" + "|---" * (len(SETUPS) + 1) + "|")
    for job in jobs:
        for name in JOBS[job][1]:
            peers = found.get((job, PEER, name), [])
            cells = []
            for who in [*SETUPS, PEER]:
                values = found.get((job, who, name), [])
                cell = f"{median(values):,.2f}" if values else "–"
                if values and peers and who != PEER and median(peers) > 0:
                    cell += f" ({median(values) / median(peers):.2f}×)"
                cells.append(cell)
            print(f"| {job} | {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    # Told to stop, it still takes what it started down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main(sys.argv[1:])
