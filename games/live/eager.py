"""Running a coroutine at once, as tasks of Python 3.12 can: most have nothing to wait for."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any


def eagerly(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run `work` up to where it first has to wait. Only then it becomes a task, which is returned;
    what ends without waiting costs none. It must not ask for the task that it runs in."""
    try:
        awaited = work.send(None)
    except StopIteration:
        return None
    return asyncio.get_running_loop().create_task(_go_on(work, awaited))


@coroutine
def _go_on(work: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """Wait for what `work` has begun to wait for, and then for the rest of it."""
    step: Callable[[Any], Any]
    while True:
        try:
            argument = yield awaited
            step = work.send
        except BaseException as raised:  # cancelled, mostly: that is for `work` to hear
            argument, step = raised, work.throw
        try:
            awaited = step(argument)
        except StopIteration:
            return
