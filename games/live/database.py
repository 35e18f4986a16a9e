"""Threads of this process that talk to the database for the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, connections

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Database:
    """A few threads, each with a connection that it keeps.

    Channels' own bridge runs every call of a process on one thread; a writer that waits for the
    disk would hold up whoever joins. Here each purpose has threads of its own.
    """

    def __init__(self, name: str, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=f"crescent-{name}")

    async def run(self, work: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Run `work` on one of the threads and return what it returns or raises."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(_work, work, *args, **kwargs))

    def stop(self) -> None:
        """Let the threads end, closing their connections."""
        for _ in range(self._threads._max_workers):
            self._threads.submit(connections.close_all)
        self._threads.shutdown(wait=True)


def _work(work: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    try:
        return work(*args, **kwargs)
    except (DatabaseError, InterfaceError):
        connections.close_all()  # it may be broken; the next call opens another
        raise
