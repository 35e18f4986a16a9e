"""Two friends race the same deal in two browsers."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import Clicks
from tests.e2e.table import TablePage
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = pytest.mark.chromium


@pytest.mark.timeout(240)
def test_two_pages_race_a_deal_to_the_end_by_real_clicks(
    free_server: Server, new_page: NewPage
) -> None:
    anh, oksana = TablePage(new_page()), TablePage(new_page())
    race = anh.open_race(free_server.origin, "Anh", deal="CR1-N-AAAAAAB", seats=2)
    oksana.join(free_server.origin, race, "Oksana")
    expect(anh.page.get_by_text("Oksana", exact=True)).to_be_visible()
    anh.page.get_by_role("button", name="Start").click()
    for player in (anh, oksana):
        expect(player.place("a")).to_have_attribute(
            "aria-label", "pile 1, 6 cards, three of clubs on top", timeout=10_000
        )
    line = winning_line("CR1-N-AAAAAAB")
    hers, his = Clicks(oksana), Clicks(anh)
    hers.play_all(line[:10])
    his.play_all(line)
    expect(oksana.page.get_by_text("104")).not_to_have_count(0)
    hers.play_all(line[10:])
    for player in (anh, oksana):
        expect(player.page.get_by_role("heading", name="Anh wins")).to_be_visible(timeout=15_000)
        expect(player.page.get_by_role("link", name="Replay").first).to_be_visible()
