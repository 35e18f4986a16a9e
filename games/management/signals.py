"""The signals that end a server: the first one drains it, a second one ends it at once."""

import asyncio
import signal
from collections.abc import Callable

PATIENCE_S = 12
"""How long a drain may take before the system ends the process."""

_ENDING = (signal.SIGTERM, signal.SIGINT)


def once(end: Callable[[], None]) -> None:
    """Call `end` on the running loop when the process is told to end."""
    loop = asyncio.get_running_loop()

    def told() -> None:
        for number in _ENDING:
            loop.remove_signal_handler(number)
        signal.alarm(PATIENCE_S)  # whatever hangs, such as a database, can't hold the process
        end()

    for number in _ENDING:
        loop.add_signal_handler(number, told)
