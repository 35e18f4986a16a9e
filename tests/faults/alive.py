"""What is alive in a server's process, by type: after a race is over all of it must be gone."""

import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.server import Server

MACHINE = Path(__file__).parent / "machine"
PATIENCE_S = 30
KEEP_S = 1
"""How long these servers keep a race that nobody is in."""
_FILE = "alive"


def environment(data: Path) -> dict[str, str]:
    """Give what a server needs in its environment to be counted."""
    return {
        "PYTHONPATH": str(MACHINE),
        "CRESCENT_TEST_ALIVE": str(data / _FILE),
        "CRESCENT_KEEP_SECONDS": str(KEEP_S),
    }


def count(server: Server) -> dict[str, int]:
    """Count what is alive in a process now."""
    found: dict[str, int] = _ask(server)["alive"]
    return found


def blocks(server: Server) -> int:
    """Count the blocks of memory that a process's Python has in use now."""
    return int(_ask(server)["blocks"])


def _ask(server: Server) -> dict[str, Any]:
    file = server.log.parent / f"{_FILE}.{server.pid}"
    file.unlink(missing_ok=True)
    os.kill(server.pid, signal.SIGUSR1)
    deadline = time.monotonic() + PATIENCE_S
    while not file.exists():
        assert time.monotonic() < deadline, "the process doesn't count"
        time.sleep(0.05)
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def left_over(server: Server, before: Mapping[str, int]) -> dict[str, int]:
    """Wait until no more is alive than was before; return by how much more there is in the end."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        now = count(server)
        more = {kind: some for kind in now if (some := now[kind] - before.get(kind, 0)) > 0}
        if not more or time.monotonic() > deadline:
            return more
        time.sleep(0.5)
