"""A machine whose clock is wrong: Python imports this at its start where PYTHONPATH names its folder.

The file that CRESCENT_TEST_CLOCK names says by how many seconds, and may change at any time.
"""

import os
import time
from pathlib import Path

_said = Path(os.environ["CRESCENT_TEST_CLOCK"])
_time, _time_ns = time.time, time.time_ns


def _ahead() -> int:
    return int(_said.read_text() or 0)


time.time = lambda: _time() + _ahead()
time.time_ns = lambda: _time_ns() + _ahead() * 1_000_000_000
