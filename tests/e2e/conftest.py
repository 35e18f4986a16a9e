"""Chromium, and pages in it that are strangers to each other."""

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.evening import RoomPage
from tests.support.server import Server

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NewPage = Callable[..., Page]
NewRoom = Callable[..., RoomPage]


@pytest.fixture(scope="module")
def free_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of each file's own, with rates lifted: boards and lists show what its tests did."""
    data = tmp_path_factory.mktemp("browsed-server")
    with Server(data, environment={"CRESCENT_LIMITS": "off"}) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the browser once."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Make pages with cookies of their own; an error in any page's script fails the test."""
    errors: list[str] = []
    contexts = []

    def make(width: int = 1280, height: int = 800, **options: object) -> Page:
        options = {"locale": "en-GB", "viewport": {"width": width, "height": height}, **options}
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        context.on("weberror", lambda error: errors.append(str(error.error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def room(free_server: Server, new_page: NewPage) -> NewRoom:
    """Make pages for people, each with a name, to be led to a race room."""

    def make(name: str, **options: object) -> RoomPage:
        return RoomPage(new_page(**options), free_server.origin, name)

    return make
