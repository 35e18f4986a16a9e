"""A board that somebody looks at follows what is won meanwhile."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.services.scenes import DEAL, winning_line
from tests.support.client import Guest
from tests.support.server import Server

pytestmark = pytest.mark.chromium


def _win(server: Server, name: str) -> None:
    guest = Guest(server.origin, name)
    with guest.socket(guest.open_race(DEAL)) as socket:
        socket.until("welcome")
        socket.send("start")
        socket.until("go")
        for seq, code in enumerate(winning_line(DEAL), start=1):
            socket.send("act", seq=seq, code=code)
        assert socket.until("finished")["outcome"] == "won"


def test_a_game_that_is_won_comes_onto_every_board_that_is_open(
    free_server: Server, new_page: NewPage
) -> None:
    pages = []
    for path in ("/leaderboards/", f"/deals/{DEAL}/?by=moves"):
        page = new_page(width=390)
        page.goto(free_server.origin + path)
        expect(page.locator("#board ~ .empty-list")).to_be_visible()
        pages.append(page)
    for name, rows in (("Halyna", 1), ("Thảo", 2)):
        _win(free_server, name)
        for page in pages:
            lines = page.locator(".board-table tbody tr")
            expect(lines).to_have_count(rows, timeout=20_000)
            expect(lines.filter(has_text=name)).to_have_text(re.compile(r"\d\d:\d\d\.\d"))
