"""Starts a server of its own for a measurement, on a fresh database and with the limits lifted."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent

ServerKind = Literal["daphne", "uvicorn"]

STARTING_S = 60


@dataclass(frozen=True)
class Server:
    """A server that answers on the loopback; where it isn't ours, less is known of it."""

    port: int
    pid: int | None = None
    log: Path | None = None

    def last_words(self) -> str:
        """The end of what it has logged."""
        return self.log.read_text(errors="replace")[-3000:] if self.log else ""


def serve_command(kind: ServerKind, port: int) -> list[str]:
    """Give the command that serves the site: the only place that knows it."""
    command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)]
    return command if kind == "daphne" else [*command, "--server", kind]


def pinned(command: list[str], core: int) -> list[str]:
    """Give the command that runs on one core only, where there are two to choose from."""
    taskset = shutil.which("taskset")
    if taskset is None or len(os.sched_getaffinity(0)) < 2:
        return command
    return [taskset, "-c", str(sorted(os.sched_getaffinity(0))[core]), *command]


@contextmanager
def serving(
    kind: ServerKind, *, database_url: str = "", redis_url: str = "", core: int = 0
) -> Iterator[Server]:
    """Serve on a free port from a temporary folder until the block ends.

    Without `database_url` the database is a new SQLite file in that folder; without `redis_url`
    the channel layer is in memory.

    :raises RuntimeError: if the server doesn't answer within a minute; its last words are in it.
    """
    with tempfile.TemporaryDirectory(prefix="crescent-bench-") as data:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("CRESCENT_") and name not in {"DATABASE_URL", "REDIS_URL"}
        }
        environment |= {"CRESCENT_DATA": data, "CRESCENT_LIMITS": "off"}
        if database_url:
            environment["DATABASE_URL"] = database_url
        if redis_url:
            environment["REDIS_URL"] = redis_url
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
        port = _free_port()
        log = Path(data) / "server.log"
        with log.open("wb") as words:
            process = subprocess.Popen(
                pinned(serve_command(kind, port), core),
                cwd=ROOT,
                env=environment,
                stdout=words,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_for(process, port, log)
            yield Server(port, process.pid, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + STARTING_S
    while time.monotonic() < until and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except (OSError, HTTPException):
            time.sleep(0.1)
        else:
            return
        finally:
            connection.close()
    raise RuntimeError(f"the server does not answer:\n{log.read_text()[-3000:]}")
