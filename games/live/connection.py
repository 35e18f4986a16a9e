"""The sending side of one socket: texts queue here, so that nobody waits for a slow reader."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Any

from django.conf import settings

from games import meters
from games.live.eager import eagerly

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


class CloseCode(IntEnum):
    """Why the server closes a socket; always after it was accepted."""

    TOO_LARGE = 1009
    RESTART = 1012
    TRY_AGAIN = 1013
    SESSION_ENDED = 4401
    REMOVED = 4403
    NO_SUCH_RACE = 4404
    NOT_READING = 4408
    OPENED_ELSEWHERE = 4409
    RELOAD = 4426
    TOO_FAST = 4429


class Connection:
    """One accepted socket. `push` and `close` never wait and may be called at any time; all that
    is pushed in one turn of the event loop goes out together.

    What the server's buffer doesn't take waits here, up to settings WAITING_FRAMES and
    WAITING_BYTES; a client that tells in its pings what it has heard is held to that as well.
    `takes_texts` says that the server takes several texts at once (games/protocol/texts.py).
    """

    __slots__ = (
        "_close_code",
        "_flush_task",
        "_flushing",
        "_heard",
        "_most_bytes",
        "_most_frames",
        "_most_unheard",
        "_pushed",
        "_send",
        "_size",
        "_takes_texts",
        "_waiting",
        "open",
        "player_id",
    )

    def __init__(self, send: Send, player_id: int | None, *, takes_texts: bool = False) -> None:
        self.player_id = player_id
        self.open = True
        self._send = send
        self._takes_texts = takes_texts
        self._waiting: list[bytes] = []
        self._size = 0
        """Bytes that wait here or are being handed to the server."""
        self._pushed = self._heard = 0
        self._most_frames, self._most_bytes = settings.WAITING_FRAMES, settings.WAITING_BYTES
        self._most_unheard = settings.UNHEARD_FRAMES
        self._flushing = False
        self._flush_task: asyncio.Task[None] | None = None
        self._close_code: CloseCode | None = None

    def push(self, text: bytes) -> None:
        """Send a text after those before it; who doesn't read is closed."""
        if not self.open:
            return
        self._waiting.append(text)
        self._size += len(text)
        self._pushed += 1
        if self._is_deaf():
            self._waiting.clear()
            self.close(CloseCode.NOT_READING)
        elif not self._flushing:
            self._flush_soon()

    def heard(self, frames: int) -> None:
        """Take a client's word for how many frames have reached it; a program that doesn't count
        says 0, and is judged by the server's buffer alone."""
        self._heard = max(self._heard, min(frames, self._pushed))

    def close(self, code: CloseCode) -> None:
        """Send what waits, then close with `code`; the first code stands."""
        if self.open:
            self.open = False
            self._close_code = code
            if not self._flushing:
                self._flush_soon()

    def lost(self) -> None:
        """Note that the other side is gone: nothing more can be sent."""
        self.open = False
        self._waiting.clear()
        self._close_code = None

    async def flushed(self) -> None:
        """Wait until all that was said is on its way: a server may cut a socket short whose
        application has returned."""
        while self._flushing:
            if self._flush_task is not None:
                await asyncio.shield(self._flush_task)
            else:
                await asyncio.sleep(0)  # it begins with the next turn

    def _is_deaf(self) -> bool:
        return (
            len(self._waiting) > self._most_frames
            or self._size > self._most_bytes
            or (self._heard > 0 and self._pushed - self._heard > self._most_unheard)
        )

    def _flush_soon(self) -> None:
        self._flushing = True
        asyncio.get_running_loop().call_soon(self._flush_now)

    def _flush_now(self) -> None:
        self._flush_task = eagerly(self._flush())

    async def _flush(self) -> None:
        try:
            while self._waiting:
                texts, self._waiting = self._waiting, []
                await self._hand_over(texts)
                self._size -= sum(map(len, texts))
            if self._close_code is not None:
                code, self._close_code = self._close_code, None
                meters.closed.add(str(int(code)))
                await self._send({"type": "websocket.close", "code": int(code)})
        except (OSError, RuntimeError):  # the servers' ways to say that the socket has gone
            self.lost()
        finally:
            self._flushing = False
            self._flush_task = None

    async def _hand_over(self, texts: list[bytes]) -> None:
        if self._takes_texts:
            await self._send({"type": "websocket.send", "texts": texts})
            return
        for text in texts:
            await self._send({"type": "websocket.send", "text": text.decode()})
