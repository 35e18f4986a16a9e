"""The relay: what the processes of one service tell each other about races.

News go over the channel layer, all that is told at a time as one JSON string. Any of them may be
lost: the re-read every few seconds heals that. Only the end of a session, which nothing would heal,
is told again where the layer was away. With the in-memory layer there is one process and nothing to
tell.
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

QUEUE_LIMIT = 10_000
"""News that may wait for the layer; what comes beyond is not told, and read again by the others."""


class Told(msgspec.Struct, frozen=True, tag_field="kind"):
    """Something about the race of `code`."""

    code: str


class Moves(Told, frozen=True, tag="moves"):
    """These were committed."""

    moves: list[Move]


class Changed(Told, frozen=True, tag="changed"):
    """The race, its roster or an outcome: read it again."""


class Seated(Told, frozen=True, tag="seated"):
    """A racer's socket is with whoever tells it, since `claim` (Unix ms)."""

    racer: int
    claim: int


class Opened(Told, frozen=True, tag="opened"):
    """The sender has just opened the room: who has it too says so, and who has a racer's socket."""


class Gone(Told, frozen=True, tag="gone"):
    """A racer's socket with whoever tells it is lost."""

    racer: int


class Waved(Told, frozen=True, tag="waved"):
    """A racer waves."""

    racer: int
    id: EmoteId


class Began(Told, frozen=True, tag="began"):
    """Players of the race are at a game on the deal `deal` from now on (services/news.py)."""

    deal: str
    players: tuple[int, ...]


class Here(msgspec.Struct, frozen=True, tag_field="kind", tag="here"):
    """The sender has these races live: said every few seconds, to be told what is played there."""

    codes: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="ended"):
    """Sessions of a player have ended (services/news.py)."""

    player: int
    mark: str
    others: bool


News = Waved | Moves | Changed | Seated | Opened | Gone | Began | Here | Ended
_decode = msgspec.json.Decoder(list[News]).decode
_encode = msgspec.json.Encoder().encode

GROUP = "crescent.races"
"""The channel layer's group that every process is in."""


class Relay:
    """One channel of this process in the layer. All processes hear all that is told: who has a
    race live can take it at once, and nobody has to subscribe before a race may be read."""

    def __init__(self, hear: Callable[[str, News], None], failed: Callable[[], None]) -> None:
        """`hear` is given who told, and what; `failed` is called when something may be missed."""
        self.me = secrets.token_hex(8)
        self._hear = hear
        self._failed = failed
        self._layer: Any = get_channel_layer() if settings.REDIS_URL else None
        self._channel = ""
        self._joined = asyncio.Event()
        self._outgoing: list[News] = []
        self._wake = asyncio.Event()
        self._said = asyncio.Event()
        self._said.set()
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
        await self._said.wait()

    async def mend(self) -> None:
        """Join the others where that failed before: called every few seconds."""
        if self._layer is not None and not self._joined.is_set():
            await self._try(self._join(), heal=False)

    def tell(self, told: News) -> None:
        """Tell the other processes, in order, without waiting. What is told while the layer takes
        the last of it goes out together."""
        if self._layer is None:
            return
        if len(self._outgoing) >= QUEUE_LIMIT:
            meters.unannounced.add()
            self._failed()
            return
        self._outgoing.append(told)
        self._said.clear()
        self._wake.set()

    async def _send(self) -> None:
        await self._wake.wait()
        self._wake.clear()
        news, self._outgoing = self._outgoing, []
        try:
            text = _encode(news).decode()
            await self._layer.group_send(GROUP, {"type": "relay", "from": self.me, "text": text})
        except Exception:
            # All else is read again; that a session has ended is to be read nowhere.
            self._outgoing[:0] = [told for told in news if isinstance(told, Ended)]
            if self._outgoing:
                self._wake.set()
            raise
        finally:
            if not self._outgoing:
                self._said.set()

    async def _join(self) -> None:
        self._channel = self._channel or await self._layer.new_channel()
        await self._layer.group_add(GROUP, self._channel)
        self._joined.set()
        self._failed()  # what was told before is missing

    async def _receive(self) -> None:
        await self._joined.wait()
        message = await self._layer.receive(self._channel)
        sender = message["from"]
        if sender != self.me:
            for told in _decode(message["text"]):
                self._hear(sender, told)

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
