"""Serve the site from this process, with daphne, until it is told to stop."""

import asyncio
import gc
import socket
from argparse import ArgumentParser
from typing import Any

import uvloop
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

BACKLOG = 4096  # daphne's own is so small that a thousand sockets arriving at once lose some


class Command(BaseCommand):
    """`manage.py serve`: one process; run several behind a proxy to use more cores."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="interface to listen on")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            listener = _listen(host, port)
        except OSError as error:
            message = f"can't listen on {host} port {port}: {error.strerror}; try another PORT"
            raise CommandError(message) from None
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::"} else host  # noqa: S104
        self.stdout.write(f"Crescent Race is at http://{shown}:{port}/  (Ctrl+C stops it)")
        self.stdout.flush()
        if options["server"] == "uvicorn":
            _uvicorn(listener)
        else:
            _daphne(listener)


def _listen(host: str, port: int) -> socket.socket:
    """Open the port before anything else, so that a taken one is told plainly."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setblocking(False)
    return listener


def _daphne(listener: socket.socket) -> None:
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())  # daphne makes its loop on import
    from daphne.server import Server

    server = Server(
        application=import_string(settings.ASGI_APPLICATION),
        endpoints=[f"fd:fileno={listener.fileno()}"],
        server_name="crescent",
        websocket_handshake_timeout=20,
        ping_interval=20,
        ping_timeout=30,
    )
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need not look at it again
    server.run()


def _uvicorn(listener: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(
        settings.ASGI_APPLICATION.replace(".application", ":application"),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
    )
    gc.collect()
    gc.freeze()
    uvicorn.Server(config).run(sockets=[listener])
