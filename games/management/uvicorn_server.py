"""uvicorn as this service runs it: with an end that loses nothing."""

import contextlib
import socket
from asyncio import BaseTransport
from collections.abc import Callable, Generator, Iterator
from typing import Any

import uvicorn
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from games.management import signals
from games.protocol import texts

LAST_WORDS_S = 2


class TextsProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket with the extension of games/protocol/texts.py."""

    hear: Callable[[str], None] | None = None
    _is_between_frames = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin, noting when the parser is between two frames: it asks for the end only there."""
        super().connection_made(transport)
        reader = self.conn.reader
        at_eof = reader.at_eof

        def at_edge() -> Generator[None, None, bool]:
            self._is_between_frames = True
            ended = yield from at_eof()
            self._is_between_frames = False
            return ended

        reader.at_eof = at_edge  # type: ignore[method-assign]

    async def run_asgi(self) -> None:
        """Serve the socket, telling the application what more there is."""
        self.scope["extensions"][texts.EXTENSION] = {"overhear": self.overhear}
        await super().run_asgi()

    def overhear(self, hear: Callable[[str], None]) -> None:
        """Have texts brought as they come."""
        self.hear = hear

    @property
    def _is_listening(self) -> bool:
        return not self.close_sent and self.queue.empty()

    def data_received(self, data: bytes) -> None:
        """Bring a short text without websockets' parser, which takes four times as long for it."""
        conn = self.conn
        if (
            self.hear is not None
            and self._is_between_frames
            and conn.current_size is None  # nor in the middle of a message
            and conn.state is State.OPEN
            and self._is_listening
        ):
            text = texts.sole(data)
            if text is not None:
                self.hear(text)
                return
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Bring a text to who overhears, unless others wait to be received before it."""
        is_text = self.curr_msg_data_type == "text"
        if self.hear is not None and is_text and self._is_listening:
            with contextlib.suppress(UnicodeDecodeError):  # which closes the socket, below
                text = b"".join(self.frames).decode()
                self.frames = []
                self.hear(text)
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Send what the application says, once there is room for it."""
        several = message.get("texts")
        if several is None:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(texts.framed(several))


class DrainingUvicorn(uvicorn.Server):
    """Serves until it is told to end, then drains before it closes a connection."""

    def __init__(self, application: str) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                ws=TextsProtocol,
                ws_per_message_deflate=False,
                ws_max_size=64 * 1024,
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the site itself knows which proxy to believe
                timeout_graceful_shutdown=LAST_WORDS_S,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals on the event loop; uvicorn's way would end the process by the signal."""
        signals.once(self._end)
        yield

    def _end(self) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, let the application finish and send everybody away, then close."""
        for server in self.servers:
            server.close()
        for listener in sockets or []:
            listener.close()
        await self.lifespan.shutdown()
        await super().shutdown(sockets)
