"""Every fault, round after round, with many clients; prints a table for docs/performance.md.

*Wrong* are acknowledged actions that are missing or there twice, announced ones that were never
stored, races that are stuck, screens that end differently, a log that is not the line that was
played, and whatever a process still holds in memory when all have left. Each is told on the error
output, and the program ends with 1 if there was any.

python -m tests.faults.chaos --rounds 10 --clients 50
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.faults import FAULTS, fill_the_disk
from tests.faults.town import Fault, Town, Village
from tests.support.client import close_all

SEATS = 5
VILLAGE = "disk full (SQLite)"


async def rounds(
    town: Town, name: str, fault: Fault, options: dict[str, float], wanted: argparse.Namespace
) -> int:
    """Do the rounds of one fault, print its row, and return how many things went wrong."""
    actions = reconnects = 0
    wrongs: list[str] = []
    began = time.monotonic()
    for _ in range(wanted.rounds):
        races = max(1, wanted.clients // SEATS)
        outcome = await town.race(fault, races=races, seats=SEATS, **options)  # type: ignore[arg-type]
        close_all()
        actions += outcome.actions
        reconnects += outcome.reconnects
        wrongs += outcome.wrongs
    each = (time.monotonic() - began) / wanted.rounds
    print(
        f"| {name} | {wanted.rounds} | {actions:,} | {reconnects:,} | {len(wrongs)} | {each:.0f} s |"
    )
    for wrong in wrongs:
        print(f"  {name}: {wrong}", file=sys.stderr)
    sys.stdout.flush()
    return len(wrongs)


async def main() -> int:
    """Do them all; 0 where nothing went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--only", default="", help="the faults whose name has this in it")
    wanted = parser.parse_args()
    print("| fault | rounds | actions acknowledged | reconnects | wrong | a round |")
    print("|---|---|---|---|---|---|")
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="crescent-chaos-") as folder:
        with Town(Path(folder)) as town:
            for name, (fault, options) in FAULTS.items():
                if wanted.only not in name:
                    continue
                wrong += await rounds(town, name, fault, options, wanted)
        if wanted.only not in VILLAGE:
            return 1 if wrong else 0
        data = Path(folder) / "village"
        data.mkdir()
        with Village(data) as village:
            wrong += await rounds(village, VILLAGE, fill_the_disk, {}, wanted)
    return 1 if wrong else 0


if __name__ == "__main__":
    # Told to stop, it still takes what it started down with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(asyncio.run(main()))
