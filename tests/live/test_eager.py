"""What runs eagerly behaves as in a task: it ends at once, waits, fails and is cancelled."""

import asyncio

import pytest

from games.live.eager import eagerly


async def test_what_needs_no_waiting_is_done_at_once() -> None:
    done = []

    async def work() -> None:
        done.append(1)

    assert eagerly(work()) is None
    assert done == [1]


async def test_what_waits_goes_on_as_a_task() -> None:
    gate, other = asyncio.Event(), asyncio.Event()
    steps = []

    async def work() -> None:
        steps.append("begun")
        await gate.wait()
        steps.append("through")
        await asyncio.sleep(0)
        await other.wait()
        steps.append("done")

    task = eagerly(work())
    assert task is not None
    assert steps == ["begun"]
    gate.set()
    await asyncio.sleep(0.01)
    assert steps == ["begun", "through"]
    other.set()
    await task
    assert steps == ["begun", "through", "done"]


async def test_an_error_comes_out_where_it_is_waited_for() -> None:
    gate = asyncio.Event()

    async def fails() -> None:
        await gate.wait()
        raise OSError("gone")

    task = eagerly(fails())
    assert task is not None
    gate.set()
    with pytest.raises(OSError, match="gone"):
        await task

    async def fails_at_once() -> None:
        raise OSError("gone before")

    with pytest.raises(OSError, match="gone before"):
        eagerly(fails_at_once())


async def test_cancelling_is_heard_by_the_work() -> None:
    heard = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    task = eagerly(work())
    assert task is not None
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert heard == ["cancelled"]
