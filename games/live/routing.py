"""Where sockets go; everything else is Django's."""

from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path

from games.live import process
from games.live.connection import Send
from games.live.socket import Receive, race_socket


def application() -> ProtocolTypeRouter:
    """Build the ASGI application of the site."""
    django = get_asgi_application()

    async def http(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await process.hubs()  # a page may change a race before any socket has come
        await django(scope, receive, send)

    return ProtocolTypeRouter(
        {
            "http": http,
            "websocket": URLRouter([path("ws/races/<str:code>/", race_socket)]),
        }
    )
