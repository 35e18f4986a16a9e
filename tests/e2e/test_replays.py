"""A finished game and a finished race, watched again in Chromium."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.services import exported, exporting
from tests.e2e.conftest import NewPage
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(240)]

DEAL = "CR1-N-AAAAAAB"


@dataclass
class Watched:
    """A race that Anh has won and Oksana gave up after ten moves; `actions` are (code, ms) of
    Anh's game."""

    origin: str
    race: str
    anh: int
    oksana: int
    actions: list[tuple[str, int]]

    def game(self, query: str = "") -> str:
        """Where Anh's game is watched."""
        return f"{self.origin}/games/{self.anh}/{query}"


@pytest.fixture(scope="module")
def watched(free_server: Server) -> Watched:
    anh, oksana = Guest(free_server.origin, "Anh"), Guest(free_server.origin, "Oksana")
    code = anh.open_race(DEAL, seats=2)
    oksana.take_seat(code)
    line = winning_line(DEAL)
    line = [*line[:3], "<<", *line[2:]]
    with anh.socket(code) as his, oksana.socket(code) as hers:
        his.until("welcome")
        his.send("start")
        his.until("go", timeout=20)
        hers.until("go", timeout=20)
        for action in line[:10]:
            assert hers.act(action)["type"] == "acted"
        for action in line:
            assert his.act(action)["type"] == "acted"
        hers.send("resign")
        places = his.until("closed", timeout=30)["standings"]
    games = [row["racer"] for row in places]
    replay = anh.get(f"/api/games/{games[0]}/replay")
    return Watched(free_server.origin, code, games[0], games[1], replay["actions"])


def told(page: Page) -> str:
    """The line that says how far the game is."""
    return page.locator(".who3").inner_text()


def at(page: Page) -> int:
    """The moment that the address tells."""
    found = re.search(r"[?&]at=(\d+)", page.url)
    return int(found[1]) if found else 0


def test_a_link_opens_at_its_moment_and_the_address_follows(
    watched: Watched, new_page: NewPage
) -> None:
    page = new_page()
    moment = watched.actions[9][1]
    page.goto(watched.game(f"?at={moment}"))
    shown = sum(ms <= moment for _, ms in watched.actions)
    assert f"{shown} of {len(watched.actions)}" in told(page)
    page.keyboard.press("ArrowRight")
    later = watched.actions[shown][1]
    page.wait_for_url(lambda url: f"at={later}" in url)
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(lambda url: f"at={later}" not in url)
    assert at(page) < later
    page.keyboard.press("End")
    page.wait_for_url(lambda url: f"at={watched.actions[-1][1]}" in url)
    assert "104 of 104" in told(page)
    page.keyboard.press("Home")
    page.wait_for_url(watched.game())
    assert f"0 of {len(watched.actions)}" in told(page)


def test_it_plays_to_the_end_at_any_speed_and_can_be_stopped(
    watched: Watched, new_page: NewPage
) -> None:
    page = new_page()
    page.goto(watched.game())
    speeds = page.get_by_role("group", name="Speed").get_by_role("button")
    expect(speeds).to_have_text(["½×", "1×", "2×", "4×", "8×", "16×"])
    page.keyboard.press("Minus")
    expect(page.get_by_role("button", name="2×", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="½×").click()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="16×").click()
    page.get_by_role("checkbox", name="Cut pauses short").check()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".who3")).to_contain_text("104 of 104", timeout=30_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_every_action_is_on_the_time_line(watched: Watched, new_page: NewPage) -> None:
    page = new_page()
    page.goto(watched.game())
    lane = page.locator(".lane")
    codes = [code for code, _ in watched.actions]
    ticks = lane.locator(".tick").get_attribute("d") or ""
    assert ticks.count("M") == len(codes)
    expect(lane.locator(".rdm")).to_have_count(codes.count("**"))
    expect(lane.locator(".un")).to_have_count(codes.count("<<"))


def test_all_cards_can_be_seen_and_which_of_them_the_player_had(
    watched: Watched, new_page: NewPage
) -> None:
    page = new_page()
    page.goto(watched.game())
    expect(page.locator(".board")).to_be_visible()
    page.get_by_role("checkbox", name="All cards").check()
    expect(page.locator(".spread .sp-piles .hold")).to_have_count(96)
    expect(page.locator(".spread .unseen")).to_have_count(80)
    page.keyboard.press("End")
    expect(page.locator(".spread .sp-piles .hold")).to_have_count(0)
    page.get_by_role("checkbox", name="All cards").uncheck()
    expect(page.locator(".board")).to_be_visible()


def test_a_game_is_downloaded_and_holds(
    watched: Watched, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page()
    page.goto(watched.game())
    for name in ("Download JSON", "Download text"):
        page.get_by_role("button", name="More").click()
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        path = tmp_path / name
        download.value.save_as(path)
        document = exporting.read(path.read_text())
        assert exported.faults_of(document) == []
        assert document.game == watched.anh
        page.keyboard.press("Escape")


def test_two_games_are_compared_from_the_replay(watched: Watched, new_page: NewPage) -> None:
    page = new_page(390, 844)
    page.goto(watched.game())
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Oksana").click()
    page.wait_for_url(f"**/games/{watched.anh}/compare/{watched.oksana}/")
    expect(page.get_by_role("heading", name="Where they part")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_games_are_compared_from_the_results_and_from_the_deal(
    watched: Watched, new_page: NewPage
) -> None:
    page = new_page()
    compared = f"**/games/{watched.anh}/compare/{watched.oksana}/"
    page.goto(f"{watched.origin}/races/{watched.race}/")
    page.get_by_role("link", name="Compare the games of Anh and Oksana").click()
    page.wait_for_url(compared)
    page.goto(f"{watched.origin}/deals/{DEAL}/")
    button = page.get_by_role("button", name="Compare two games")
    expect(button).to_be_disabled()
    for name in ("Anh", "Oksana"):
        page.get_by_role("checkbox", name=f"Compare the game of {name}").first.check()
    button.click()
    page.wait_for_url(compared)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_any_racer_is_made_large_and_the_leader_is_marked(
    watched: Watched, new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(width, height)
    page.goto(f"{watched.origin}/races/{watched.race}/replay/?at={watched.actions[-1][1]}")
    marked = page.locator(".ahead:visible")
    expect(marked).to_have_count(1)
    if width > 900:
        page.locator(".rr", has_text="Oksana").click()
        expect(page.locator(".who3")).to_contain_text("Oksana")
        expect(page.locator(".rr")).to_contain_text("in the lead")
    else:
        page.get_by_role("tab", name="Oksana").click()
        expect(page.get_by_role("tab", name="Oksana")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tab", name="Anh").locator(".ahead")).to_be_visible()
    page.wait_for_url(lambda url: f"racer={watched.oksana}" in url)
    page.reload()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator(".board .place").first).to_be_visible()
    if width > 900:
        expect(page.locator(".who3")).to_contain_text("Oksana")
