"""A real server in a process of its own, on a free port, with a database of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Self

import httpx

ROOT = Path(__file__).resolve().parents[2]
SQLITE = "crescent.sqlite3"
PORTS = range(20_000, 32_000)
"""Below those that systems give to outgoing connections, which could take one before a server does,
or while it is away."""


def free_port() -> int:
    """Find a port that nobody listens on; drawn, so that two processes hardly find the same."""
    while True:
        port = SystemRandom().choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@cache
def _migrated() -> bytes:
    """Make a new SQLite database, once for all servers of this process."""
    with TemporaryDirectory(prefix="crescent-migrated-") as folder:
        Server(Path(folder)).manage("migrate", "--verbosity", "0")
        return (Path(folder) / SQLITE).read_bytes()


class Server:
    """`manage.py serve` on SQLite in `data`, or on what `environment` says."""

    def __init__(
        self,
        data: Path,
        *,
        environment: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self._arguments = arguments
        self._environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            "CRESCENT_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "crescent_site.settings",
            **(environment or {}),
        }
        self.log = data / f"server-{self.port}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def manage(self, *arguments: str) -> str:
        """Run a management command on the same stores; return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def start(self) -> Self:
        """Start the process and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port), *self._arguments],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + 30
        while True:
            try:
                if httpx.get(f"{self.origin}/healthz", timeout=5).status_code == 200:
                    return self
            except httpx.TransportError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(self.log.read_text()) from None
                time.sleep(0.05)

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End the process at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the process to end."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def __enter__(self) -> Self:
        if self._environment.get("DATABASE_URL"):
            self.manage("migrate", "--verbosity", "0")
        else:
            (self.log.parent / SQLITE).write_bytes(_migrated())
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
