"""Names in a room, where two want the same at one moment."""

import threading
from functools import partial
from typing import Any

import pytest

from games.services import accounts, players, seats
from games.services.denied import Denial, Denied
from tests.services.scenes import at_once, guest, open_race, wait_until_one_waits

pytestmark = pytest.mark.usefixtures("database")

ON_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)
"""SQLite has one writer: there is no meanwhile."""


@pytest.mark.parametrize("how", ["rename", "keep", "sit down"])
@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_two_who_take_one_name_at_one_moment_are_not_both_called_so(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    anh, minh = guest("Anh"), guest("Minh")
    race = open_race(guest("Oksana"), seats_=3)
    seats.take(code=race.code, player=anh)
    second: Any
    if how == "sit down":
        second = partial(seats.take, code=race.code, player=guest("Petro"))
    else:
        seats.take(code=race.code, player=minh)
        second = partial(players.rename, player=minh, name="Petro")
        if how == "keep":
            given = partial(accounts.keep, player=minh, name="Petro")
            second = partial(given, password="x" * 12, language="")
    came: list[object] = []
    coming = threading.Thread(target=lambda: came.extend(at_once(second)))
    set_name = players.set_name

    def set_name_while_another_comes(**given: Any) -> None:
        if given["player"] == anh:
            coming.start()
            wait_until_one_waits()
        set_name(**given)

    monkeypatch.setattr(players, "set_name", set_name_while_another_comes)
    players.rename(player=anh, name="Petro")
    coming.join(timeout=60)
    (refused,) = came
    assert isinstance(refused, Denied)
    assert refused.reason == Denial.NAME_TAKEN
