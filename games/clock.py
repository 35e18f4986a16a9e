"""The only place that reads the time: wall time taken once, carried on by the monotonic clock."""

import time

_wall_ms = time.time_ns() // 1_000_000
_since_ns = time.monotonic_ns()


def now_ms() -> int:
    """Return Unix time in milliseconds; a step of the system's clock never shows in it."""
    return _wall_ms + (time.monotonic_ns() - _since_ns) // 1_000_000


def set_wall_ms(wall_ms: int) -> None:
    """Take `wall_ms` (Unix, milliseconds) as the present: a process asks its database at start."""
    global _wall_ms, _since_ns
    _wall_ms, _since_ns = wall_ms, time.monotonic_ns()


def elapsed_s() -> float:
    """Return seconds of a clock that only goes forward, for how long something takes."""
    return time.perf_counter()
