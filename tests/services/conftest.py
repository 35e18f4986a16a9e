"""Databases to try the services on, and a clock that stands still until it is moved."""

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, connections, transaction
from psycopg import sql
from pytest_django import DjangoDbBlocker

from games.services import news
from tests.services.scenes import Clock
from tests.support.needs import POSTGRES_URL


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of every test here: it stands still until the test moves it."""
    standing = Clock()
    monkeypatch.setattr("games.clock.now_ms", standing)
    return standing


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """The codes of the races that news came of, in order."""
    codes: list[str] = []

    def hear(event: news.Event) -> None:
        if isinstance(event, news.RaceChanged):
            codes.append(event.race_code)

    news.listen(hear)
    yield codes
    news.stop_listening(hear)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Each of the two databases in turn, empty, with real commits; other threads see it too."""
    settings = request.getfixturevalue({"postgresql": "postgres"}.get(request.param, request.param))
    yield from _on(settings, django_db_blocker)


@pytest.fixture
def postgresql(postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """PostgreSQL alone."""
    yield from _on(postgres, django_db_blocker)


@pytest.fixture(scope="session")
def sqlite(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> dict[str, Any]:
    """The settings of an SQLite database of its own, migrated, in a file that threads share."""
    file = tmp_path_factory.mktemp("services") / "services.sqlite3"
    return _migrated({**connections.settings["default"], "NAME": str(file)}, django_db_blocker)


@pytest.fixture(scope="session")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """The settings of a PostgreSQL database of its own, migrated, dropped in the end."""
    name = f"crescent_services_{os.getpid()}"
    server = urlsplit(POSTGRES_URL)
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    settings = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "HOST": server.hostname,
        "PORT": server.port or 5432,
        "USER": server.username or "",
        "PASSWORD": server.password or "",
    }
    try:
        yield _migrated(settings, django_db_blocker)
    finally:
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
            connection.execute(drop)


def _migrated(settings: dict[str, Any], blocker: DjangoDbBlocker) -> dict[str, Any]:
    settings = connections.configure_settings({"default": settings})["default"]
    with blocker.unblock():
        swapped = _swapped(settings)
        next(swapped)
        call_command("migrate", verbosity=0)
        next(swapped, None)
    return settings


def _on(settings: dict[str, Any], blocker: DjangoDbBlocker) -> Iterator[str]:
    with blocker.unblock():
        swapped = _swapped(settings)
        next(swapped)
        yield connection.vendor
        _empty()
        next(swapped, None)


def _swapped(settings: dict[str, Any]) -> Iterator[None]:
    """Let "default" mean another database, for this thread and those that start meanwhile."""
    kept, usual = connections.settings["default"], connections["default"]
    connections.settings["default"] = settings
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = kept
        connections["default"] = usual


def _empty() -> None:
    """Delete all rows; a TRUNCATE, or Django's own way to flush, takes far longer than that."""
    models = apps.get_app_config("games").get_models(include_auto_created=True)
    with transaction.atomic(), connection.cursor() as cursor:  # who refers to whom is asked last
        for model in models:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
