"""The ASGI lifespan of an application, spoken for a server that doesn't know it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Application = Callable[[Message, Callable[[], Awaitable[Message]], Any], Awaitable[None]]


class Lifespan:
    """One lifespan. Made on the event loop that serves the application."""

    def __init__(self, application: Application) -> None:
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self._heard: asyncio.Queue[Message] = asyncio.Queue()
        self._running = asyncio.ensure_future(
            application({"type": "lifespan"}, self._said.get, self._heard.put)
        )

    async def startup(self) -> None:
        """Tell the application that it begins, and wait until it has.

        :raises Exception: whatever the application raises instead.
        """
        await self._tell("lifespan.startup")

    async def shutdown(self) -> None:
        """Tell the application that nobody new will come, and wait until it has finished.

        :raises Exception: whatever the application raises instead.
        """
        await self._tell("lifespan.shutdown")

    async def _tell(self, word: str) -> None:
        self._said.put_nowait({"type": word})
        answer = asyncio.ensure_future(self._heard.get())
        await asyncio.wait({answer, self._running}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            answer.cancel()
            self._running.result()
