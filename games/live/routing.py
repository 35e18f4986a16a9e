"""Where sockets go; everything else is Django's."""

from typing import Any, cast

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import re_path

from games.live import closing, process
from games.live.connection import Receive, Send
from games.live.lifespan import lifespan
from games.live.socket import race_socket


def application() -> ProtocolTypeRouter:
    """Build the ASGI application of the site."""
    closing.let_daphne_close_with_any_code()
    django = get_asgi_application()

    async def http(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        hubs = await process.hubs()  # a page may change a race before any socket has come
        with hubs.doors.inside():
            await django(scope, cast("Any", receive), cast("Any", send))

    return ProtocolTypeRouter(
        {
            "http": http,
            "lifespan": lifespan,
            "websocket": URLRouter(
                [
                    re_path(r"^ws/races/(?P<code>[^/]{1,16})/$", cast("Any", race_socket)),
                    re_path(r"^(?P<code>)", cast("Any", race_socket)),  # none: closed with 4404
                ]
            ),
        }
    )
