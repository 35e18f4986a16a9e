"""The doors: who is in this process, and the way out when it is told to end."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from games.live.connection import CloseCode, Connection


class Doors:
    """Counts the sockets and requests that are inside. Once closed, nobody is heard any more."""

    def __init__(self) -> None:
        self.closed = False
        self.sockets: dict[Connection, str] = {}
        """Each with the mark of its session."""
        self.ended = 0
        """How often sessions have ended so far."""
        self._inside = 0
        self._empty = asyncio.Event()
        self._empty.set()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be inside for a while: a page, or a socket from its handshake on."""
        self._inside += 1
        self._empty.clear()
        try:
            yield
        finally:
            self._inside -= 1
            if self._inside == 0:
                self._empty.set()

    @contextmanager
    def socket(self, connection: Connection, mark: str) -> Iterator[None]:
        """Be known as a socket; behind closed doors it is sent away at once."""
        self.sockets[connection] = mark
        if self.closed:
            connection.close(CloseCode.RESTART)
        try:
            yield
        finally:
            del self.sockets[connection]

    def end_sessions(self, player_id: int, mark: str, *, others: bool) -> None:
        """Close the sockets of a player's session; with `others`, of all their sessions but it."""
        self.ended += 1
        for connection, own in tuple(self.sockets.items()):
            if connection.player_id == player_id and (own == mark) is not others:
                connection.close(CloseCode.SESSION_ENDED)

    def close(self) -> None:
        """Hear nobody any more; who is inside stays for now."""
        self.closed = True

    def send_away(self) -> None:
        """Close every socket with "restart": the client comes back, to another process."""
        for connection in tuple(self.sockets):
            connection.close(CloseCode.RESTART)

    async def empty(self) -> None:
        """Wait until nobody is inside."""
        await self._empty.wait()
