"""The sending side of one socket: frames queue here, so that nobody waits for a slow reader."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Any

from django.conf import settings

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
    """One accepted socket. `push` and `close` never wait and may be called at any time."""

    __slots__ = ("_close_code", "_flush_task", "_send", "_waiting", "open", "player_id")

    def __init__(self, send: Send, player_id: int | None) -> None:
        self.player_id = player_id
        self.open = True
        self._send = send
        self._waiting: list[str] = []
        self._flush_task: asyncio.Task[None] | None = None
        self._close_code: CloseCode | None = None

    def push(self, frame: str) -> None:
        """Send a frame after those before it; who doesn't read is closed."""
        if not self.open:
            return
        self._waiting.append(frame)
        if len(self._waiting) > settings.UNHEARD_FRAMES:
            self._waiting.clear()
            self.close(CloseCode.NOT_READING)
        elif self._flush_task is None:
            self._flush_task = asyncio.get_running_loop().create_task(self._flush())

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

    async def _flush(self) -> None:
        try:
            while self._waiting:
                frames, self._waiting = self._waiting, []
                for frame in frames:
                    await self._send({"type": "websocket.send", "text": frame})
            if self._close_code is not None:
                code, self._close_code = self._close_code, None
                await self._send({"type": "websocket.close", "code": int(code)})
        except (OSError, RuntimeError):  # the servers' ways to say that the socket has gone
            self.lost()
        finally:
            self._flush_task = None
