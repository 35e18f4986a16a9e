"""What this process keeps live, made when the first request comes: daphne announces no start."""

import asyncio

from games import meters
from games.live.hubs import Hubs

_starting: dict[asyncio.AbstractEventLoop, asyncio.Task[Hubs]] = {}


async def hubs() -> Hubs:
    """Return the hubs of the running event loop, started."""
    loop = asyncio.get_running_loop()
    if loop not in _starting:
        _starting[loop] = loop.create_task(_start())
    return await asyncio.shield(_starting[loop])


async def _start() -> Hubs:
    made = Hubs()
    await made.start()
    meters.sockets.read = lambda: len(made.doors.sockets)
    meters.races_live.read = lambda: made.live
    meters.queued.read = lambda: made.desk.journal.queued
    return made
