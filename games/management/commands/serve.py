"""Serve the site from this process, with daphne, until it is told to stop."""

import gc
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
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
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::"} else host  # noqa: S104
        self.stdout.write(f"Crescent Race is at http://{shown}:{port}/  (Ctrl+C stops it)")
        self.stdout.flush()
        if options["server"] == "uvicorn":
            _uvicorn(host, port)
        else:
            _daphne(host, port)


def _daphne(host: str, port: int) -> None:
    from daphne.server import Server

    interface = host.replace(":", r"\:")
    server = Server(
        application=import_string(settings.ASGI_APPLICATION),
        endpoints=[f"tcp:port={port}:interface={interface}:backlog={BACKLOG}"],
        server_name="crescent",
        websocket_handshake_timeout=20,
        ping_interval=20,
        ping_timeout=30,
    )
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need not look at it again
    server.run()
    sys.stdout.flush()


def _uvicorn(host: str, port: int) -> None:
    import uvicorn

    gc.collect()
    gc.freeze()
    uvicorn.run(
        "crescent_site.asgi:application",
        host=host,
        port=port,
        backlog=BACKLOG,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
    )
