"""Measures a server under load: sets races up, lets the racers race, prints the medians.

    python -m bench.load                                  a server of its own, closed loop
    python -m bench.load --rate 3                         three moves a second each
    python -m bench.load --mode storm --watchers 900      a thousand sockets at once
    python -m bench.load --port 8000                      a server that runs already

A server that is not started here must run with CRESCENT_LIMITS=off, or the limits are measured.
"""

import argparse
import json
import math
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

from .plan import open_races, write_plan
from .server import Server, pinned, serving

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "racers"

FIGURES = (
    ("acted_a_second", "moves acknowledged a second"),
    ("offered_a_second", "moves sent a second"),
    ("acted_ms.p50", "acknowledged after, p50 ms"),
    ("acted_ms.p95", "p95"),
    ("acted_ms.p99", "p99"),
    ("acted_ms.max", "longest"),
    ("pushed_ms.p50", "on the rival's screen after, p50 ms"),
    ("pushed_ms.p99", "p99"),
    ("pushes_expected", "pushes expected"),
    ("pushes_delivered", "pushes delivered"),
    ("joined_s", "all joined after, s"),
    ("joining_ms.p50", "a socket joined after, p50 ms"),
    ("joining_ms.p99", "p99"),
    ("pong_ms.p50", "ping answered after, p50 ms"),
    ("pong_ms.p99", "p99"),
    ("mib_in", "MiB heard"),
    ("generator_cpu", "the generator's share of its core"),
    ("server_cpu", "the server's share of its core"),
    ("server_mib", "the server's memory, MiB"),
    ("server_mib_before", "before, MiB"),
)
"""What is printed, by its path in the racers' report."""


def build(*flags: str, into: Path = HERE / ".build") -> Path:
    """Compile the racers where they are older than their sources, and give the program.

    :raises RuntimeError: if there is no C compiler.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise RuntimeError("measuring under load needs a C compiler (Debian: gcc, libc6-dev)")
    program = into / "racers"
    changed = max(source.stat().st_mtime for source in SOURCES.iterdir())
    if not program.exists() or program.stat().st_mtime < changed:
        into.mkdir(parents=True, exist_ok=True)
        sources = [str(source) for source in sorted(SOURCES.glob("*.c"))]
        new = program.with_suffix(".new")
        command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", *flags, *sources]
        subprocess.run([*command, "-o", str(new), "-lm"], check=True)
        new.replace(program)
    return program


def line_length(*, racers: int, seconds: float, rate: float) -> int:
    """Give how many actions a racer's line needs so as not to be played out in so many seconds.

    In the closed loop a fleet is taken to do at most 40,000 moves a second, a racer 4,000.
    """
    if rate > 0:
        return math.ceil(seconds * rate * 1.5) + 20
    return math.ceil(seconds * min(4_000, 40_000 / racers)) + 20


def run_round(options: argparse.Namespace, server: Server, number: int) -> dict[str, Any]:
    """Set up new races, race once, and give the racers' report."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    races = open_races(
        connection,
        racers=options.racers,
        races=options.races,
        openness=options.openness,
        first=number * options.racers,
    )
    connection.close()
    length = 1
    if options.mode == "play":
        length = line_length(
            racers=options.racers, seconds=options.warm + options.seconds, rate=options.rate
        )
    with tempfile.TemporaryDirectory(prefix="crescent-plan-") as folder:
        plan = Path(folder) / "plan"
        write_plan(plan, races, watchers=options.watchers, length=length)
        command = [str(build()), "--json", "--plan", str(plan), "--port", str(server.port)]
        for name in ("mode", "seconds", "warm", "rate", "patience"):
            command += [f"--{name}", str(getattr(options, name))]
        command += ["--seed", str(number + 1)]
        if server.pid is not None:
            command += ["--server-pid", str(server.pid)]
        longest = options.warm + options.seconds + 4 * options.patience
        done = subprocess.run(
            pinned(command, 1), stdout=subprocess.PIPE, check=False, timeout=longest
        )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"the racers ended with {done.returncode}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def figure(report: dict[str, Any], path: str) -> float | None:
    """Give the number at a dotted path of a report, or None where the report has none."""
    value: Any = report
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return float(value)


def medians(reports: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Give the median of every figure over the rounds."""
    found: dict[str, float] = {}
    for path, _ in FIGURES:
        values = [figure(report, path) for report in reports]
        numbers = [value for value in values if value is not None]
        if numbers:
            found[path] = median(numbers)
    return found


def _print_text(options: argparse.Namespace, reports: Sequence[dict[str, Any]]) -> None:
    loop = f"open loop, {options.rate:g} moves a second each" if options.rate else "closed loop"
    print(
        f"{options.mode}: {options.racers} racers and {options.watchers} watchers in "
        f"{options.races} races"
        + (f", {loop}, {options.seconds:g} s" if options.mode == "play" else "")
        + f"; medians of {len(reports)} rounds"
    )
    middle = medians(reports)
    for path, meaning in FIGURES:
        times = path.rsplit(".", 1)[0]
        if path in middle and any(figure(report, f"{times}.count") != 0 for report in reports):
            each = "  ".join(f"{figure(report, path) or 0:,.2f}" for report in reports)
            print(f"  {meaning:<38}{middle[path]:>12,.2f}   ({each})")
    for name in ("refusals", "faults", "closes"):
        for word in sorted({word for report in reports for word in report[name]}):
            each = "  ".join(str(report[name].get(word, 0)) for report in reports)
            print(f"  {name}: {word:<28}{'':>12}   ({each})")
    if not all(report["well"] for report in reports):
        print("  not all went well: see what the racers said above")


@contextmanager
def _server(options: argparse.Namespace) -> Iterator[Server]:
    if options.port is not None:
        yield Server(options.port, options.server_pid)
        return
    with serving(options.serve, database_url=options.database) as server:
        yield server


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--mode", choices=("play", "storm", "idle"), default="play")
    add("--racers", type=int, default=100)
    add("--races", type=int, default=25)
    add("--watchers", type=int, default=0)
    add("--openness", choices=("progress", "moves", "cards"), default="moves")
    add("--rate", type=float, default=0, help="moves a second a racer; 0: closed loop")
    add("--seconds", type=float, default=10)
    add("--warm", type=float, default=1, help="seconds of play before the timed ones")
    add("--patience", type=float, default=30, help="seconds for joining and for the last pushes")
    add("--rounds", type=int, default=3)
    add("--serve", choices=("daphne", "uvicorn"), default="daphne", help="the server to start")
    add("--database", default="", help="its DATABASE_URL; a new SQLite file if not given")
    add("--port", type=int, help="measure a server that runs already on this loopback port")
    add("--server-pid", type=int, help="its process, to report CPU share and memory")
    add("--json", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and give 0 if every push arrived and nothing was refused, else 1."""
    options = _options(arguments)
    build()
    with _server(options) as server:
        reports = [run_round(options, server, number) for number in range(options.rounds)]
        if not all(report["well"] for report in reports):
            print(server.last_words(), file=sys.stderr)
    if options.json:
        print(json.dumps({"median": medians(reports), "rounds": reports}, indent=1))
    else:
        _print_text(options, reports)
    return 0 if all(report["well"] for report in reports) else 1


if __name__ == "__main__":
    # Told to stop, it still takes its server down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
