"""The socket of a race room: one plain ASGI application, one call of it a socket.

A Channels consumer costs more a message than judging a move does; so routing is Channels', and
this is the rest: accept, find out who it is, read frames, hand them on.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games import clock, meters, models, protocol
from games.live import asking, process, session
from games.live.connection import CloseCode, Connection, Send
from games.live.gate import Gate, Verdict
from games.live.hubs import Hubs
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.models import Player
from games.protocol import BadMessage, Fault, Pong, Refused, encode
from games.services.denied import Denial, Denied

logger = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
SYNC_EVERY_MS = 2_000
FAULT_EVERY_MS = 1_000
WAVE_EVERY_MS = 1_000


async def race_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve one socket from its handshake to its end."""
    await receive()  # websocket.connect
    if not session.same_origin(scope["headers"]):
        await send({"type": "websocket.close", "code": 1008})
        return
    offered = scope.get("subprotocols") or []
    if protocol.SUBPROTOCOL not in offered:
        # A browser refuses a handshake that selects none of what it offered, so echo one.
        await send({"type": "websocket.accept", "subprotocol": offered[0] if offered else None})
        await send({"type": "websocket.close", "code": int(CloseCode.RELOAD)})
        return
    await send({"type": "websocket.accept", "subprotocol": protocol.SUBPROTOCOL})
    hubs = await process.hubs()
    with hubs.doors.inside():
        await _serve(hubs, scope, receive, send)


async def _serve(hubs: Hubs, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    code = scope["url_route"]["kwargs"]["code"].upper()
    ended = None
    try:
        while ended != hubs.doors.ended:  # whose session may have ended since it was read
            ended = hubs.doors.ended
            player, mark = await hubs.database.run(session.visitor_of, scope["headers"])
            keeper = await hubs.keeper(code)
    except (DatabaseError, InterfaceError, OSError):
        logger.exception("a socket could not be let in", extra={"race": code})
        await send({"type": "websocket.close", "code": int(CloseCode.TRY_AGAIN)})
        return
    takes_texts = protocol.texts.EXTENSION in (scope.get("extensions") or {})
    connection = Connection(send, player.pk if player else None, takes_texts=takes_texts)
    with hubs.doors.socket(connection, mark):
        game = keeper.hub.game_of(connection.player_id) if keeper else None
        if keeper is None:
            connection.close(CloseCode.NO_SUCH_RACE)
        elif game is not None and game.removed:
            connection.close(CloseCode.REMOVED)
        elif connection.open:
            hubs.seat(keeper, connection, game)
            try:
                await RoomSocket(hubs, keeper, connection, player, game).listen(receive)
            finally:
                connection.lost()
                hubs.unseat(keeper, connection, game)
        await connection.flushed()


class RoomSocket:
    """What one open socket may say. It acts for the seat its session had when it connected."""

    def __init__(
        self,
        hubs: Hubs,
        keeper: Keeper,
        connection: Connection,
        player: Player | None,
        game: LiveGame | None,
    ) -> None:
        self._hubs = hubs
        self._keeper = keeper
        self._connection = connection
        self._player = player
        self._game = game
        self._gate = Gate(clock.now_ms()) if settings.LIMITS else None
        self._most_bytes = settings.FRAME_BYTES
        self._synced_ms = self._faulted_ms = self._waved_ms = 0

    async def listen(self, receive: Receive) -> None:
        """Read frames until the socket is gone."""
        while True:
            event = await receive()
            now = clock.now_ms()
            if event["type"] == "websocket.disconnect":
                return
            if self._connection.open and not self._hubs.doors.closed:
                try:
                    more = self._hear(event.get("text"), event.get("bytes"), now)
                    if more is not None:
                        await more
                except (DatabaseError, InterfaceError):
                    logger.exception("the database failed", extra=self._marks)
                    self._connection.close(CloseCode.TRY_AGAIN)

    def _hear(self, text: str | None, data: bytes | None, now: int) -> Awaitable[None] | None:
        """Take one frame. Returns what is still to be awaited of it: mostly nothing."""
        size = len(data or b"") if text is None else _size(text)
        if size > self._most_bytes:
            self._fault(Denial.BAD_MESSAGE)
            self._connection.close(CloseCode.TOO_LARGE)
            return None
        if self._gate is not None:
            verdict = self._gate.judge(now)
            if verdict is not Verdict.PASS:
                self._too_fast(verdict, now)
                return None
        try:
            if text is None:
                raise BadMessage("a frame of bytes")
            message = protocol.parse(text)
        except BadMessage as bad:
            logger.info("a bad message: %s", bad, extra=self._marks)
            self._fault(Denial.BAD_MESSAGE)
            return None
        if isinstance(message, protocol.Act):
            return self._act(message, now)
        return self._say(message, now)

    @property
    def _seat(self) -> LiveGame | None:
        """The game this socket plays: none any more once the seat is given up by other ways."""
        game = self._game
        return game if game is not None and game.connection is self._connection else None

    def _act(self, message: protocol.Act, now: int) -> Awaitable[None] | None:
        game, race = self._seat, self._keeper.hub.view.race
        if game is None:
            self._refuse(message.seq, Denial.NOT_A_RACER)
        elif race.starts_at is None or now < race.starts_at:
            self._refuse(message.seq, Denial.NOT_STARTED)
        elif not game.settled.is_set():
            return self._act_when_settled(game, message, now - race.starts_at)
        else:
            self._hubs.desk.act(self._keeper, game, message.seq, message.code, now - race.starts_at)
        return None

    async def _act_when_settled(self, game: LiveGame, act: protocol.Act, at_ms: int) -> None:
        await game.settled.wait()
        self._hubs.desk.act(self._keeper, game, act.seq, act.code, at_ms)

    async def _say(self, message: protocol.FromClient, now: int) -> None:
        match message:
            case protocol.Ping(sent=sent, heard=heard):
                self._connection.heard(heard)
                version = self._keeper.hub.view.version
                self._connection.push(encode(Pong(sent=sent, now=clock.now_ms(), version=version)))
            case protocol.Sync():
                await self._sync(now)
            case protocol.Resign():
                self._resign(now)
            case protocol.Emote(id=emote):
                self._wave(emote, now)
            case _:
                try:
                    await self._ask(message)
                except Denied as denied:
                    self._fault(denied.reason)

    async def _ask(self, message: protocol.FromClient) -> None:
        """Ask a service for a change of the room."""
        if self._player is None:
            raise Denied(Denial.NOT_A_RACER, "A watcher has no say here.")
        request = asking.request(message, self._player, self._keeper.hub.code)
        done = await self._hubs.database.run(request)
        if isinstance(message, protocol.Rematch):
            following = done.code if isinstance(done, models.Race) else None
            self._connection.push(encode(protocol.Race(next=following)))
        if isinstance(message, protocol.Leave):  # from now on a watcher's socket
            self._hubs.unseat(self._keeper, self._connection, self._game)
            self._game = None
            self._hubs.seat(self._keeper, self._connection, None)

    def _resign(self, now: int) -> None:
        game, race = self._seat, self._keeper.hub.view.race
        if game is None:
            self._fault(Denial.NOT_A_RACER)
        elif race.starts_at is None or now < race.starts_at:
            self._fault(Denial.NOT_STARTED)
        else:
            self._hubs.desk.resign(self._keeper, game, now - race.starts_at)

    def _wave(self, emote: protocol.EmoteId, now: int) -> None:
        if self._game is None:
            self._fault(Denial.NOT_A_RACER)
        elif settings.LIMITS and now - self._waved_ms < WAVE_EVERY_MS:
            self._fault(Denial.TOO_FAST)
        else:
            self._waved_ms = now
            self._hubs.wave(self._keeper, self._game, emote)

    async def _sync(self, now: int) -> None:
        if settings.LIMITS and now - self._synced_ms < SYNC_EVERY_MS:
            self._fault(Denial.TOO_FAST)
            return
        self._synced_ms = now
        await self._keeper.refresh()
        self._keeper.hub.welcome(self._connection, self._seat)

    @property
    def _marks(self) -> dict[str, object]:
        game = self._game.racer if self._game else None
        player = self._connection.player_id
        return {"race": self._keeper.hub.code, "game": game, "player": player}

    def _too_fast(self, verdict: Verdict, now: int) -> None:
        if verdict is Verdict.HOPELESS:
            logger.warning("a socket was too fast for too long", extra=self._marks)
            self._connection.close(CloseCode.TOO_FAST)
        elif now - self._faulted_ms >= FAULT_EVERY_MS:  # once a second says it well enough
            self._faulted_ms = now
            self._fault(Denial.TOO_FAST)

    def _refuse(self, seq: int, reason: Denial) -> None:
        meters.refused.add(reason)
        self._connection.push(encode(Refused(seq=seq, reason=reason, expected=1)))

    def _fault(self, reason: str) -> None:
        meters.refused.add(reason)
        self._connection.push(encode(Fault(reason=reason)))


def _size(text: str) -> int:
    """Count the bytes of a text; one that isn't Unicode counts as well."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))
