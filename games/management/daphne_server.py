"""daphne as this service runs it: with flow control, and an end that loses nothing.

Import this with the event loop policy set: daphne makes its loop on import.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from daphne.server import Server, twisted_loop
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer  # type: ignore[import-untyped]

from games.management import signals
from games.management.lifespan import Application, Lifespan
from games.protocol import texts

FAREWELL_S = 10
"""How long a client has to answer that its socket is closed."""


@implementer(IPushProducer)
class Flow:
    """Whether a socket's buffer takes more; its transport tells when that changes."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._open = asyncio.Event()
        self._open.set()

    def pauseProducing(self) -> None:  # noqa: N802 -- Twisted's names
        """More than 64 KiB wait."""
        self._open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """All has gone out."""
        self._open.set()
        if self._transport.disconnecting:  # it was only waiting for that
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802
        """The socket is gone: whoever waits may find out."""
        self._open.set()

    async def wait(self) -> None:
        """Wait until there is room."""
        await self._open.wait()

    def write(self, data: bytes) -> None:
        """Write at once what the system takes. Twisted alone would buffer all of it and have its
        poller told, twice, even where there is room."""
        transport = self._transport
        if transport.connected and not transport.dataBuffer and not transport._tempDataBuffer:
            sent = transport.writeSomeData(data)
            if isinstance(sent, int):  # else it is lost, which Twisted finds out by itself
                data = data[sent:]
        transport.write(data)


class TextsProtocol(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """daphne's WebSocket with the extension of games/protocol/texts.py."""

    hear: Callable[[str], None] | None = None

    def overhear(self, hear: Callable[[str], None]) -> None:
        """Have texts brought as they come."""
        self.hear = hear

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 -- Twisted's
        """Bring a short text without autobahn's parser, which takes ten times as long for it."""
        if self.hear is not None and self._is_between_frames and self._is_listening:
            text = texts.sole(data)
            if text is not None:
                self.hear(text)
                return
        super().dataReceived(data)

    @property
    def _is_between_frames(self) -> bool:
        parsing = self.data or self.current_frame is not None or self.inside_message
        return self.state == self.STATE_OPEN and not parsing

    @property
    def _is_listening(self) -> bool:
        return not self.muted and self.application_queue.empty()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 -- autobahn's
        """Bring a text to who overhears, unless others wait to be received before it."""
        if self.hear is not None and not isBinary and self._is_listening:
            self.hear(payload.decode())
        else:
            super().onMessage(payload, isBinary)


class DrainingDaphne(Server):  # type: ignore[misc]  # daphne has no types
    """Serves on one listener until it is told to end, then drains."""

    def __init__(self, application: Application, listener: socket.socket) -> None:
        super().__init__(
            application=application,
            endpoints=[f"fd:fileno={listener.detach()}"],  # Twisted closes it
            signal_handlers=False,
            server_name="crescent",
            websocket_handshake_timeout=20,
            ping_interval=20,
            ping_timeout=30,
        )
        self._flows: dict[Any, Flow] = {}
        self._ending: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Serve; returns when drained."""
        twisted_loop.call_soon(self._begin)
        super().run()

    def _begin(self) -> None:
        # One second is daphne's: too short for who reads slowly to be told why.
        self.ws_factory.setProtocolOptions(closeHandshakeTimeout=FAREWELL_S)
        self.ws_factory.protocol = TextsProtocol
        self._lifespan = Lifespan(self.application)
        self._starting = asyncio.ensure_future(self._lifespan.startup())
        signals.once(self._end)

    def _end(self) -> None:
        self._ending = asyncio.ensure_future(self._drain())

    async def _drain(self) -> None:
        for listening in self.listeners:
            listening.addCallback(lambda port: port.stopListening())
        try:
            await self._lifespan.shutdown()
        finally:
            self.stop()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Begin an application, telling a socket's what more there is."""
        if scope["type"] == "websocket":
            scope["extensions"] = {texts.EXTENSION: {"overhear": protocol.overhear}}
        return super().create_application(protocol, scope)

    # --- Flow control ---------------------------------------------------------------------------

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Send a reply; a socket's only once its buffer has room."""
        flow = self._flows.get(protocol)
        if flow is not None:
            await flow.wait()
        several = message.get("texts")
        if several is not None:
            if flow is not None and protocol.state == protocol.STATE_OPEN:
                flow.write(texts.framed(several))
            return
        await super().handle_reply(protocol, message)
        if message["type"] == "websocket.accept" and protocol in self.connections:
            transport = protocol.transport
            transport.unregisterProducer()  # the HTTP channel that it was before the upgrade
            flow = self._flows[protocol] = Flow(transport)
            transport.registerProducer(flow, True)

    def protocol_disconnected(self, protocol: Any) -> None:
        """Forget the flow of a socket that is gone."""
        flow = self._flows.pop(protocol, None)
        if flow is not None:
            flow.stopProducing()
        super().protocol_disconnected(protocol)

    def kill_all_applications(self) -> None:
        """Let what is still running go down with the process: it has had its time to end."""
