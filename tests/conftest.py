"""What every test may use: which services there are, and real servers."""

import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql

from tests.support import client
from tests.support.needs import NEEDS, POSTGRES_URL, REDIS_URL
from tests.support.server import Server

EVERYTHING = "all"
SKIPPED = "Skipped: needs "
# How long an example takes says how busy the machine is.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)
_missing = pytest.StashKey[set[str]]()


def _required() -> set[str]:
    named = {name for name in os.environ.get("CRESCENT_REQUIRE", "").split(",") if name}
    return set(NEEDS) if EVERYTHING in named else named


def _nothing_may_be_skipped() -> bool:
    return _required() == set(NEEDS)


def pytest_configure(config: pytest.Config) -> None:
    """Find out what there is; what CRESCENT_REQUIRE names (or "all") has to be."""
    for name, (_, how) in NEEDS.items():
        config.addinivalue_line("markers", f"{name}: needs {how}")
    missing = {name for name, (there, _) in NEEDS.items() if not there()}
    required = _required()
    unknown = required - set(NEEDS)
    if unknown:
        raise pytest.UsageError(f"CRESCENT_REQUIRE names {sorted(unknown)}: not known")
    if missing & required:
        wanted = "; ".join(NEEDS[name][1] for name in sorted(missing & required))
        raise pytest.UsageError(f"required and not found: {wanted}")
    config.stash[_missing] = missing


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs something that isn't there."""
    missing = config.stash[_missing]
    for item in items:
        for name in sorted(missing):
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=f"needs {NEEDS[name][1]}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test that skips itself fail where everything is required."""
    report = yield
    return _judged(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file."""
    report = yield
    return _judged(report)


def _judged(report: _Report) -> _Report:
    if report.skipped and _nothing_may_be_skipped():
        report.outcome = "failed"
        report.longrepr = f"skipped, though everything is required: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines what was skipped, by whichever process, and how to have it."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    for reason, count in sorted(reasons.items()):
        if reason.startswith(SKIPPED):
            needed = reason.removeprefix(SKIPPED)
            terminalreporter.write_line(f"{count} tests skipped: they need {needed}")


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
