"""The socket of a race room: one plain ASGI application, one call of it a socket.

A Channels consumer costs more a message than judging a move does; so routing is Channels', and
this is the rest: accept, find out who it is, read frames, hand them on.
"""

import logging
from typing import Any

from django.db import DatabaseError, InterfaceError

from games import protocol
from games.live import process, session
from games.live.connection import CloseCode, Connection, Receive, Send
from games.live.hubs import Hubs
from games.live.room_socket import RoomSocket

logger = logging.getLogger(__name__)


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
    ended = keeper = None
    try:
        # Whose session may have ended since it was read, and whose room may have been let go.
        while ended != hubs.doors.ended or (keeper is not None and not hubs.holds(keeper)):
            ended = hubs.doors.ended
            player, mark = await hubs.database.run(session.visitor_of, scope["headers"])
            keeper = await hubs.keeper(code)
            if keeper is not None:
                await keeper.meet(player.pk if player else None)
    except (DatabaseError, InterfaceError, OSError):
        logger.exception("a socket could not be let in", extra={"race": code})
        await send({"type": "websocket.close", "code": int(CloseCode.TRY_AGAIN)})
        return
    texts = (scope.get("extensions") or {}).get(protocol.texts.EXTENSION)
    connection = Connection(send, player.pk if player else None, takes_texts=texts is not None)
    with hubs.doors.socket(connection, mark):
        game = keeper.hub.game_of(connection.player_id) if keeper else None
        if keeper is None:
            connection.close(CloseCode.NO_SUCH_RACE)
        elif game is not None and game.removed:
            connection.close(CloseCode.REMOVED)
        elif connection.open:
            hubs.seat(keeper, connection, game)
            try:
                room = RoomSocket(hubs, keeper, connection, player, game)
                await room.listen(receive, texts and texts["overhear"])
            finally:
                connection.lost()
                hubs.unseat(keeper, connection, game)
        await connection.flushed()
