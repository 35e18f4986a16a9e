"""Serve the site from this process, with daphne, until it is told to stop."""

import asyncio
import gc
import socket
from argparse import ArgumentParser
from typing import Any

import uvloop
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

BACKLOG = 4096  # daphne's own is so small that a thousand sockets arriving at once lose some
DEAF_MS = 120_000
"""How long a client may take nothing that was sent before the system cuts it off (Linux)."""
GC_THRESHOLDS = (50_000, 20, 100)
"""Games are values without cycles, made anew at every action: Python's own thresholds had the
collector look through all of them so often that it took a seventh of a busy process's time."""
UNSENT_BYTES = 128 * 1024
"""What the system may hold for a client before the server's own buffer fills (Linux)."""


class Command(BaseCommand):
    """`manage.py serve`: one process; run several behind a proxy to use more cores."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="interface to listen on")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--migrate", action="store_true", help="bring the database up to date first"
        )
        parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            listener = _listen(host, port)
        except OSError as error:
            message = f"can't listen on {host} port {port}: {error.strerror}; try another PORT"
            raise CommandError(message) from None
        if options["migrate"]:
            call_command("migrate", verbosity=0)
            connections.close_all()
        for address in _addresses(host):
            self.stdout.write(f"Crescent Race is at http://{address}:{port}/  (Ctrl+C stops it)")
        self.stdout.flush()
        if options["server"] == "uvicorn":
            _uvicorn(listener)
        else:
            _daphne(listener)


def _addresses(host: str) -> list[str]:
    """Give what to open for a host that is listened on: for every interface this machine's name
    for itself, and its address in the network, which a link for others must have."""
    if host not in {"0.0.0.0", "::"}:  # noqa: S104
        return ["localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it chooses the way out, and who we are
        except OSError:
            return ["localhost"]
        return ["localhost", probe.getsockname()[0]]


def _listen(host: str, port: int) -> socket.socket:
    """Open the port before anything else, so that a taken one is told plainly."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setblocking(False)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # what it accepts inherits it
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MS)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
    return listener


def _daphne(listener: socket.socket) -> None:
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())  # daphne makes its loop on import
    from games.management.daphne_server import DrainingDaphne

    server = DrainingDaphne(import_string(settings.ASGI_APPLICATION), listener)
    _freeze()
    server.run()


def _uvicorn(listener: socket.socket) -> None:
    from games.management.uvicorn_server import DrainingUvicorn

    server = DrainingUvicorn(settings.ASGI_APPLICATION.replace(".application", ":application"))
    server.config.load()
    _freeze()
    server.run(sockets=[listener])


def _freeze() -> None:
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need not look at it again
    gc.set_threshold(*GC_THRESHOLDS)
