"""A machine that a test sees into: Python imports this at its start where PYTHONPATH names its
folder.

Its clock is wrong by as many seconds as the file that CRESCENT_TEST_CLOCK names says, which may
change at any time. Told by SIGUSR1, it counts what is alive by type, and all blocks of memory, and
writes both, as JSON, to the file that CRESCENT_TEST_ALIVE names, with the process's id behind it.
"""

import asyncio
import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path

WATCHED = ("games.live.", "games.engine.", "games.management.", "daphne.", "uvicorn.protocols.")


def _be_wrong(said: Path) -> None:
    told, told_ns = time.time, time.time_ns
    time.time = lambda: told() + int(said.read_text() or 0)
    time.time_ns = lambda: told_ns() + int(said.read_text() or 0) * 1_000_000_000


def _count(*_: object) -> None:
    gc.collect()
    kinds = Counter(type(each) for each in gc.get_objects())
    alive = {
        f"{kind.__module__}.{kind.__qualname__}": count
        for kind, count in kinds.items()
        if issubclass(kind, asyncio.Task) or kind.__module__.startswith(WATCHED)
    }
    file = Path(f"{os.environ['CRESCENT_TEST_ALIVE']}.{os.getpid()}")
    half = file.with_suffix(".half")
    half.write_text(json.dumps({"alive": alive, "blocks": sys.getallocatedblocks()}))
    half.rename(file)


if os.environ.get("CRESCENT_TEST_CLOCK"):
    _be_wrong(Path(os.environ["CRESCENT_TEST_CLOCK"]))
if os.environ.get("CRESCENT_TEST_ALIVE"):
    signal.signal(signal.SIGUSR1, _count)
