"""Somebody to ask, at a time that stands still."""

import pytest
from pytest_django import Settings

from games.services import players
from tests.api.readers import Reader
from tests.services.scenes import Clock


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of every test here: it stands still until the test moves it."""
    standing = Clock()
    monkeypatch.setattr("games.clock.now_ms", standing)
    return standing


@pytest.fixture(autouse=True)
def _no_front_end(settings: Settings) -> None:
    """It needs none, built or not."""
    settings.STATIC_ROOT = None


@pytest.fixture
def visitor(db: None) -> Reader:
    """Somebody who hasn't said who they are."""
    return Reader()


@pytest.fixture
def anh(db: None) -> Reader:
    """A guest."""
    return Reader(players.create_guest(name="Anh"))


@pytest.fixture
def oksana(db: None) -> Reader:
    """Another guest."""
    return Reader(players.create_guest(name="Oksana"))
