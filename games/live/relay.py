"""The relay: what the processes of one service tell each other about a race.

Frames go over the channel layer as one JSON string each. Any of them may be lost: the re-read
every few seconds heals that. With the in-memory layer there is one process and nothing to tell.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from channels.layers import get_channel_layer
from django.conf import settings

from games import meters
from games.live.audience import Move
from games.protocol import EmoteId

logger = logging.getLogger(__name__)


class Told(msgspec.Struct, frozen=True, tag_field="kind"):
    """Something about the race of `code`, from the process `sender`."""

    sender: str
    code: str


class Moves(Told, frozen=True, tag="moves"):
    """These were committed."""

    moves: list[Move]


class Changed(Told, frozen=True, tag="changed"):
    """The race, its roster or an outcome: read it again."""


class Seated(Told, frozen=True, tag="seated"):
    """A racer's socket is with the sender since `claim` (Unix ms)."""

    racer: int
    claim: int


class Gone(Told, frozen=True, tag="gone"):
    """A racer's socket at the sender is lost."""

    racer: int


class Waved(Told, frozen=True, tag="waved"):
    """A racer waves."""

    racer: int
    id: EmoteId


News = Waved | Moves | Changed | Seated | Gone
_decode = msgspec.json.Decoder(News).decode
_encode = msgspec.json.Encoder().encode


def group_name(code: str) -> str:
    """Name the channel layer's group of a race."""
    return f"race.{code}"


class Relay:
    """One channel of this process in the layer, in the group of every race that is live here."""

    def __init__(self, hear: Callable[[News], None], failed: Callable[[], None]) -> None:
        self.me = secrets.token_hex(8)
        self._hear = hear
        self._failed = failed
        self._layer: Any = get_channel_layer() if settings.REDIS_URL else None
        self._channel = ""
        self._has_channel = asyncio.Event()
        self._missed: set[str] = set()
        """Races that we should hear of and are not subscribed to."""
        self._outgoing: asyncio.Queue[News] = asyncio.Queue(maxsize=10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to listen; where the layer is away, `mend` will."""
        if self._layer is None:
            return
        await self.mend()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._repeat(self._receive)),
            loop.create_task(self._repeat(self._send)),
        ]

    async def stop(self) -> None:
        """Stop listening and sending."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def said(self) -> None:
        """Wait until all that was told so far has been sent."""
        if self._layer is not None:
            await self._outgoing.join()

    async def subscribe(self, code: str) -> None:
        """Hear of a race from now on; returns when that is certain, or logs why it isn't."""
        if self._layer is None:
            return
        self._missed.add(code)
        if self._channel:
            group = group_name(code)
            if await self._try(self._layer.group_add(group, self._channel), heal=False):
                self._missed.discard(code)

    async def mend(self) -> None:
        """Take up what failed before: called every few seconds."""
        if self._layer is None:
            return
        if self._channel == "" and not await self._try(self._take_channel(), heal=False):
            return
        for code in tuple(self._missed):
            await self.subscribe(code)

    async def unsubscribe(self, code: str) -> None:
        """Hear of a race no longer."""
        self._missed.discard(code)
        if self._layer is not None and self._channel:
            leaving = self._layer.group_discard(group_name(code), self._channel)
            await self._try(leaving, heal=False)

    def tell(self, told: News) -> None:
        """Tell the other processes, in order, without waiting."""
        if self._layer is None:
            return
        try:
            self._outgoing.put_nowait(told)
        except asyncio.QueueFull:
            meters.unannounced.add()
            self._failed()

    async def _send(self) -> None:
        told = await self._outgoing.get()
        try:
            text = _encode(told).decode()
            await self._layer.group_send(group_name(told.code), {"type": "relay", "text": text})
        finally:
            self._outgoing.task_done()

    async def _take_channel(self) -> None:
        self._channel = await self._layer.new_channel()
        self._has_channel.set()

    async def _receive(self) -> None:
        await self._has_channel.wait()
        message = await self._layer.receive(self._channel)
        told = _decode(message["text"])
        if told.sender != self.me:
            self._hear(told)

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            if not await self._try(step()):
                await asyncio.sleep(0.5)

    async def _try(self, step: Awaitable[object], *, heal: bool = True) -> bool:
        """Do one thing with the layer; a layer in trouble is logged and undoes nothing."""
        try:
            await step
        except Exception:
            logger.exception("The channel layer failed; what was missed will be read again")
            meters.unannounced.add()
            if heal:
                self._failed()
            return False
        return True
