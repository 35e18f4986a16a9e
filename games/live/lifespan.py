"""The lifespan of the ASGI application: it begins with its server and ends losing nothing."""

from typing import Any

from games.live import process
from games.live.connection import Receive, Send


async def lifespan(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Start what a process keeps live; at the end drain it: the server has stopped listening."""
    await receive()  # lifespan.startup
    hubs = await process.hubs()
    await send({"type": "lifespan.startup.complete"})
    await receive()  # lifespan.shutdown
    await hubs.drain()
    await send({"type": "lifespan.shutdown.complete"})
