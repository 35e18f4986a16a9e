"""What every test may use: which services there are, and real servers."""

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from psycopg import sql

from tests.support import client
from tests.support.server import Server

POSTGRES_URL = os.environ.get(
    "CRESCENT_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres"
)
REDIS_URL = os.environ.get("CRESCENT_TEST_REDIS", "redis://127.0.0.1:6379/9")
HOW_TO_HAVE = {
    "postgres": "a PostgreSQL server at CRESCENT_TEST_POSTGRES "
    "(default postgres://postgres@127.0.0.1:5432/postgres)",
    "redis": "a Redis server at CRESCENT_TEST_REDIS (default redis://127.0.0.1:6379/9)",
    "chromium": "the Chromium browser on the PATH (Debian: apt install chromium)",
}


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


def _chromium() -> bool:
    return shutil.which("chromium") is not None


CHECKS = {"postgres": _postgres, "redis": _redis, "chromium": _chromium}
_missing: pytest.StashKey[Iterable[str]] = pytest.StashKey()
_skipped: pytest.StashKey[dict[str, int]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Find out what there is; what CRESCENT_REQUIRE names has to be."""
    missing = {name for name, there in CHECKS.items() if not there()}
    required = {name for name in os.environ.get("CRESCENT_REQUIRE", "").split(",") if name}
    unknown = required - set(CHECKS)
    if unknown:
        raise pytest.UsageError(f"CRESCENT_REQUIRE names {sorted(unknown)}: not known")
    if missing & required:
        wanted = "; ".join(HOW_TO_HAVE[name] for name in sorted(missing & required))
        raise pytest.UsageError(f"required and not found: {wanted}")
    config.stash[_missing] = missing
    config.stash[_skipped] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a service that isn't there, and count it."""
    for item in items:
        for name in sorted(config.stash[_missing]):
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=f"needs {HOW_TO_HAVE[name]}"))
                skipped = config.stash[_skipped]
                skipped[name] = skipped.get(name, 0) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines what was skipped and how to have it."""
    for name, count in sorted(terminalreporter.config.stash[_skipped].items()):
        terminalreporter.write_line(f"{count} tests skipped: they need {HOW_TO_HAVE[name]}")


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    client.close_all()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite and the in-memory layer, with its limits on, shared by all tests."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def free_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same with rates and counts lifted."""
    data = tmp_path_factory.mktemp("free-server")
    with Server(data, environment={"CRESCENT_LIMITS": "off"}) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill, with rates lifted."""
    with Server(tmp_path, environment={"CRESCENT_LIMITS": "off"}) as running:
        yield running


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a new PostgreSQL database, dropped in the end."""
    name = f"crescent_test_{os.getpid()}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def two_servers(
    postgres_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two processes of one service on PostgreSQL and Redis, with rates lifted."""
    data = tmp_path_factory.mktemp("two-servers")
    environment = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": REDIS_URL,
        "CRESCENT_PREFIX": f"crescent-test-{os.getpid()}",
        "CRESCENT_LIMITS": "off",
    }
    with (
        Server(data, environment=environment) as first,
        Server(data, environment=environment) as second,
    ):
        yield first, second
