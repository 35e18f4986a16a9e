"""A guest plays, keeps the game in an account, and finds it and the settings on another device."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import findings
from tests.e2e.conftest import NewPage
from tests.e2e.hands import Keys
from tests.e2e.table import DEAL, TablePage
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(120)]

PASSWORD = "seven of spades"


def settings(page: Page) -> None:
    """Open the menu of the table."""
    page.locator(".iconbtn:visible").first.click()


def root(page: Page, name: str) -> str | None:
    return page.locator("html").get_attribute(f"data-{name}")


def sign_in(page: Page, origin: str, name: str) -> None:
    page.goto(f"{origin}/account/sign-in/")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_games_and_settings_come_along_to_another_device(
    free_server: Server, new_page: NewPage
) -> None:
    origin = free_server.origin
    page = new_page()
    player = TablePage(page).play_alone(origin)
    settings(page)
    page.get_by_label("Four colours").check()
    page.get_by_label("Explain").uncheck()
    page.keyboard.press("Escape")
    Keys(player).play_all(winning_line(DEAL))
    expect(page.get_by_role("heading", name="All home in")).to_be_visible(timeout=15_000)

    page.goto(origin)
    page.get_by_role("button", name="Menu of Guest").click()
    assert findings(page) == []
    page.get_by_role("link", name="Keep your games").first.click()
    page.get_by_label("Your name").fill("Anh Thu")
    page.get_by_label("Password", exact=True).fill("7S")
    page.get_by_label("Password again").fill("8S")
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert findings(page) == []
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    page.wait_for_url(re.compile(r"/players/\d+/"))
    games = page.url
    expect(page.get_by_role("link", name=DEAL)).to_be_visible()
    with page.expect_response("**/api/settings"):
        page.get_by_role("button", name="Dark colours").click()
    page.reload()
    assert (root(page, "theme"), root(page, "suits")) == ("dark", "4")

    elsewhere = new_page(390, 844)
    sign_in(elsewhere, origin, "anh thu")
    elsewhere.wait_for_url(f"{origin}/")
    assert (root(elsewhere, "theme"), root(elsewhere, "suits")) == ("dark", "4")
    elsewhere.goto(games)
    expect(elsewhere.get_by_role("link", name=DEAL)).to_be_visible()
    TablePage(elsewhere).play_alone(origin)
    settings(elsewhere)
    expect(elsewhere.get_by_label("Explain")).not_to_be_checked()
    expect(elsewhere.get_by_label("Four colours")).to_be_checked()
    elsewhere.keyboard.press("Escape")

    # Signed out in another window, the table says so and offers the way back to this very race.
    race = elsewhere.url
    window = elsewhere.context.new_page()
    for path in ("/account/password/", "/account/"):
        window.goto(origin + path)
        assert findings(window) == []
    window.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(elsewhere.get_by_text("Your session has ended.")).to_be_visible(timeout=15_000)
    elsewhere.get_by_role("main").get_by_role("link", name="Sign in").click()
    elsewhere.get_by_label("Your name").fill("Anh Thu")
    elsewhere.get_by_label("Password").fill(PASSWORD)
    elsewhere.get_by_role("button", name="Sign in").click()
    elsewhere.wait_for_url(race)
    expect(elsewhere.locator("main .board [data-place='a']").first).to_be_visible()


def test_what_another_device_played_as_a_guest_goes_over(
    free_server: Server, new_page: NewPage
) -> None:
    origin = free_server.origin
    first = new_page()
    first.goto(f"{origin}/account/")
    first.get_by_label("Your name").fill("Oksana")
    first.get_by_label("Password", exact=True).fill(PASSWORD)
    first.get_by_label("Password again").fill(PASSWORD)
    first.get_by_role("button", name="Make an account").click()
    first.wait_for_url(re.compile(r"/players/\d+/"))

    page = new_page()
    player = TablePage(page).play_alone(origin)
    Keys(player).play_all(winning_line(DEAL))
    expect(page.get_by_role("heading", name="All home in")).to_be_visible(timeout=15_000)
    sign_in(page, origin, "Oksana")
    page.wait_for_url(f"{origin}/")
    page.goto(first.url)
    expect(page.get_by_role("link", name=DEAL)).to_be_visible()
    page.goto(f"{origin}/deals/{DEAL}/")
    expect(page.get_by_role("row", name="Oksana").first).to_be_visible()
