"""What some tests need of the machine besides Python: how to find out, and how to have it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import redis

POSTGRES_URL = os.environ.get(
    "CRESCENT_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres"
)
REDIS_URL = os.environ.get("CRESCENT_TEST_REDIS", "redis://127.0.0.1:6379/9")


def nginx() -> str | None:
    """Find nginx, which Debian keeps where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def postgres_programs() -> Path | None:
    """Find the programs of the newest PostgreSQL that Debian has installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)
    )
    return found[-1] if found else None


def node() -> str | None:
    """Find a Node that reads TypeScript by itself (22.18 or newer), this environment's first."""
    for found in (
        shutil.which("node", path=str(Path(sys.executable).parent)),
        shutil.which("node"),
    ):
        if found is not None:
            version = subprocess.run(
                [found, "--version"], capture_output=True, text=True, check=True
            )
            major, minor = version.stdout.strip().lstrip("v").split(".")[:2]
            if (int(major), int(minor)) >= (22, 18):
                return found
    return None


def _postgres() -> bool:
    try:
        with psycopg.connect(POSTGRES_URL, connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False


def _redis() -> bool:
    client = redis.Redis.from_url(REDIS_URL, socket_connect_timeout=2)
    try:
        return bool(client.ping())
    except redis.exceptions.RedisError:
        return False
    finally:
        client.close()


NEEDS: dict[str, tuple[Callable[[], object], str]] = {
    "postgres": (
        _postgres,
        "a PostgreSQL server at CRESCENT_TEST_POSTGRES "
        "(default postgres://postgres@127.0.0.1:5432/postgres)",
    ),
    "redis": (
        _redis,
        "a Redis server at CRESCENT_TEST_REDIS (default redis://127.0.0.1:6379/9)",
    ),
    "chromium": (
        lambda: shutil.which("chromium"),
        "the Chromium browser on the PATH (Debian: apt install chromium)",
    ),
    "postgres_programs": (
        postgres_programs,
        "PostgreSQL's server programs (Debian: apt install postgresql)",
    ),
    "redis_program": (
        lambda: shutil.which("redis-server"),
        "redis-server on the PATH (Debian: apt install redis-server)",
    ),
    "nginx": (nginx, "nginx and openssl (Debian: apt install nginx-light openssl)"),
    "c_compiler": (lambda: shutil.which("cc"), "a C compiler (Debian: apt install gcc libc6-dev)"),
    "node": (node, "Node 22.18 or newer, which make brings along"),
    "procfs": (lambda: Path("/proc/net/tcp").exists(), "Linux's /proc"),
}
"""By the mark of the tests: whether it is there, and what to say where it isn't."""
