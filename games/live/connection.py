"""The sending side of one socket: frames queue here, so that nobody waits for a slow reader."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Any

from django.conf import settings

from games import meters

Send = Callable[[dict[str, Any]], Awaitable[None]]


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
    """One accepted socket. `push` and `close` never wait and may be called at any time.

    What the server's buffer doesn't take waits here, up to settings WAITING_FRAMES and
    WAITING_BYTES; a client that tells in its pings what it has heard is held to that as well.
    """

    __slots__ = (
        "_close_code",
        "_flush_task",
        "_heard",
        "_pushed",
        "_send",
        "_size",
        "_waiting",
        "open",
        "player_id",
    )

    def __init__(self, send: Send, player_id: int | None) -> None:
        self.player_id = player_id
        self.open = True
        self._send = send
        self._waiting: deque[str] = deque()
        self._size = 0
        self._pushed = self._heard = 0
        self._flush_task: asyncio.Task[None] | None = None
        self._close_code: CloseCode | None = None

    def push(self, frame: str) -> None:
        """Send a frame after those before it; who doesn't read is closed."""
        if not self.open:
            return
        self._waiting.append(frame)
        self._size += len(frame)
        self._pushed += 1
        if self._is_deaf():
            self._waiting.clear()
            self.close(CloseCode.NOT_READING)
        elif self._flush_task is None:
            self._flush_task = asyncio.get_running_loop().create_task(self._flush())

    def heard(self, frames: int) -> None:
        """Take a client's word for how many frames have reached it; a program that doesn't count
        says 0, and is judged by the server's buffer alone."""
        self._heard = max(self._heard, min(frames, self._pushed))

    def close(self, code: CloseCode) -> None:
        """Send what waits, then close with `code`; the first code stands."""
        if self.open:
            self.open = False
            self._close_code = code
            if self._flush_task is None:
                self._flush_task = asyncio.get_running_loop().create_task(self._flush())

    def lost(self) -> None:
        """Note that the other side is gone: nothing more can be sent."""
        self.open = False
        self._waiting.clear()
        self._close_code = None

    async def flushed(self) -> None:
        """Wait until all that was said is on its way: a server may cut a socket short whose
        application has returned."""
        if self._flush_task is not None:
            await asyncio.shield(self._flush_task)

    def _is_deaf(self) -> bool:
        return (
            len(self._waiting) > settings.WAITING_FRAMES
            or self._size > settings.WAITING_BYTES
            or (self._heard > 0 and self._pushed - self._heard > settings.UNHEARD_FRAMES)
        )

    async def _flush(self) -> None:
        try:
            while self._waiting:
                frame = self._waiting.popleft()
                await self._send({"type": "websocket.send", "text": frame})
                self._size -= len(frame)
            if self._close_code is not None:
                code, self._close_code = self._close_code, None
                meters.closed.add(str(int(code)))
                await self._send({"type": "websocket.close", "code": int(code)})
        except (OSError, RuntimeError):  # the servers' ways to say that the socket has gone
            self.lost()
        finally:
            self._flush_task = None
