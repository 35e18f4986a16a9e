"""A PostgreSQL cluster and a Redis server of the test's own, to be stopped and started at will."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import psycopg
import redis

from tests.support.needs import NEEDS, postgres_programs
from tests.support.server import free_port


class PrivatePostgres:
    """A cluster in a folder of its own, on a port of its own; durable, as in earnest."""

    def __init__(self) -> None:
        programs = postgres_programs()
        assert programs is not None, NEEDS["postgres_programs"][1]
        self._programs = programs
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/crescent"
        self._folder = Path(tempfile.mkdtemp(prefix="crescent-postgres-"))
        # PostgreSQL refuses to run as root.
        as_postgres = {"user": "postgres", "group": "postgres"}
        self._as: dict[str, Any] = as_postgres if os.getuid() == 0 else {}
        if self._as:
            shutil.chown(self._folder, "postgres", "postgres")

    def _run(self, program: str, *arguments: str) -> None:
        with (self._folder.parent / f"{self._folder.name}.log").open("ab") as log:
            subprocess.run(
                [str(self._programs / program), *arguments],
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/tmp",
                **self._as,
            )

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "--pgdata", str(self._folder / "data"), "--wait", *arguments)

    def start(self) -> None:
        """Start the cluster; returns when it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        self._control("--log", str(self._folder / "log"), "--options", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the cluster: "fast" cuts its clients off, "immediate" is a crash."""
        self._control("--mode", mode, "stop")

    def sql(self, *statements: str) -> None:
        """Run statements, each on its own."""
        url = self.url.replace("/crescent", "/postgres")
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def __enter__(self) -> Self:
        data = str(self._folder / "data")
        self._run("initdb", "--pgdata", data, "--auth", "trust", "--username", "postgres", "-N")
        self.start()
        self.sql("CREATE DATABASE crescent")
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self._folder)
            (self._folder.parent / f"{self._folder.name}.log").unlink()


class PrivateRedis:
    """A Redis server that stores nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; returns when it answers."""
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/tmp",
        )
        deadline = time.monotonic() + 10
        with redis.Redis.from_url(self.url) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert time.monotonic() < deadline, "Redis does not start"
                    time.sleep(0.02)

    def stop(self) -> None:
        """Stop it as a crash would."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
