"""The frame that every page has: its head and its foot."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.support.server import Server

pytestmark = pytest.mark.chromium

LEFT = """(selector) => {
  const box = document.querySelector(selector);
  return box.getBoundingClientRect().left + parseFloat(getComputedStyle(box).paddingLeft);
}"""


@pytest.mark.parametrize("width", [390, 1600])
def test_the_foot_begins_where_the_page_above_it_does(
    free_server: Server, new_page: NewPage, width: int
) -> None:
    page = new_page(width=width)
    for path in (
        "/",
        "/daily/",
        "/leaderboards/",
        "/races/",
        "/rules/",
        "/account/sign-in/",
        "/no/",
    ):
        page.goto(free_server.origin + path)
        assert page.evaluate(LEFT, "main") == page.evaluate(LEFT, ".foot"), path


def test_the_theme_switch_shows_which_colours_are_on(
    free_server: Server, new_page: NewPage
) -> None:
    page = new_page(color_scheme="light")
    page.goto(free_server.origin)
    sun, moon = page.locator(".switch .sun"), page.locator(".switch .moon")
    expect(sun).to_be_visible()
    expect(moon).to_be_hidden()
    page.locator(".switch").click()
    expect(moon).to_be_visible()
    expect(sun).to_be_hidden()
    page.locator(".switch").click()
    page.emulate_media(
        color_scheme="dark"
    )  # the page follows the system again, and so does the switch
    expect(moon).to_be_visible()
