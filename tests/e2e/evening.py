"""One person's evening in a browser: the race room driven by what it says on the screen."""

import re
from typing import Self

from playwright.sync_api import Locator, Page, TimeoutError, WebSocketRoute, expect

DEAL = "CR1-N-AAAAAAB"
OPENING = ("l+", "b+", "in", "jk")
"""Moves of four cards that lie open from the start: none waits for a card to be uncovered."""
ROOM = re.compile(r"/races/([A-Z0-9]{7})/$")


class Cable:
    """The connection of a page, which a test can pull out; a browser's offline mode leaves open
    sockets alone."""

    def __init__(self, page: Page) -> None:
        self._out = False
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._opened)

    def pull(self) -> None:
        """Cut what is open, and let nothing be opened."""
        self._out = True
        for socket in self._sockets:
            socket.close(code=1012)
        self._sockets.clear()

    def plug_in(self) -> None:
        """Let the page connect again, when it next tries."""
        self._out = False

    def _opened(self, socket: WebSocketRoute) -> None:
        if self._out:
            socket.close(code=1012)
            return
        socket.connect_to_server()
        self._sockets.append(socket)


class RoomPage:
    """A page in a race room, and who is at it."""

    def __init__(self, page: Page, origin: str, name: str) -> None:
        self.page = page
        self.origin = origin
        self.name = name
        self.cable = Cable(page)

    @property
    def code(self) -> str:
        """The race that the page is at."""
        found = ROOM.search(self.page.url)
        assert found, self.page.url
        return found[1]

    # --- The lobby -----------------------------------------------------------------------------

    def open_race(self, *, deal: str = "", seats: int = 2, listed: bool = False) -> str:
        """Open a race by the form; return its code once in its lobby."""
        self.page.goto(f"{self.origin}/races/" + (f"?deal={deal}" if deal else ""))
        form = self.page.locator("form:has([name=seats])")
        form.locator("[name=name]").fill(self.name)
        form.locator("[name=seats]").select_option(str(seats))
        if listed:
            form.locator("summary").click()
            form.locator("[name=listed]").check()
        form.get_by_role("button").click()
        self.page.wait_for_url(ROOM)
        expect(self.button("I’m ready")).to_be_visible()
        return self.code

    def look(self, code: str) -> Self:
        """Follow a race's link, without taking a seat."""
        self.page.goto(f"{self.origin}/races/{code}/")
        return self

    def join(self, code: str) -> Self:
        """Follow a race's link and give a name."""
        self.look(code)
        self.page.get_by_label("Your name").fill(self.name)
        self.button("Join").click()
        expect(self.button("I’m ready")).to_be_visible()
        return self

    def ready(self) -> None:
        """Say that one is ready."""
        self.button("I’m ready").click()
        expect(self.button("I’m not ready")).to_be_visible()

    def start(self) -> None:
        """Start the race, as its host."""
        self.button("Start the race").click()

    def connected(self) -> None:
        """Wait until the page has its connection back."""
        expect(self.page.get_by_text("No connection.")).to_have_count(0, timeout=30_000)

    # --- The race ------------------------------------------------------------------------------

    def at_table(self, timeout: float = 15_000) -> Self:
        """Wait until the cards lie open."""
        expect(self.page.locator("main [data-place=a]").first).to_have_attribute(
            "aria-label", re.compile(r", (?!a face-down)[^,]+ on top"), timeout=timeout
        )
        return self

    def play(self, *codes: str) -> None:
        """Play moves by their keys: the pile, and where its card goes if that is to be chosen."""
        for code in codes:
            self.page.keyboard.press(code[0])
            if self._selected():
                self.page.keyboard.press({"+": "Equal", "-": "Minus"}.get(code[1], code[1]))

    def _selected(self) -> bool:
        """Wait until a card is seen to be selected, in its turn; False where none may be."""
        try:
            self.page.locator(".place.sel").first.wait_for(timeout=1_000)
        except TimeoutError:
            return False
        return True

    def resign(self) -> None:
        """Give the game up, by the menu."""
        self.page.get_by_role("button", name="Open the menu").locator("visible=true").first.click()
        self.button("Resign").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(self.page.get_by_role("status").get_by_text("resigned")).to_be_visible()

    def rival(self, name: str) -> Locator:
        """The line of a rival beside the table."""
        return self.page.locator("aside .rv").filter(has_text=name)

    # --- The results ---------------------------------------------------------------------------

    def results(self) -> Self:
        """Look at the results, whether others still play or not."""
        self.page.locator(".results, .line button:has-text('Results')").first.wait_for()
        if not self.page.locator(".results").count():
            self.button("Results").click()
        expect(self.page.locator(".results")).to_be_visible()
        return self

    def closed(self) -> Self:
        """Wait until the race is over, at its results."""
        expect(self.page.get_by_role("link", name="Replay").first).to_be_visible(timeout=30_000)
        return self

    def row(self, name: str) -> Locator:
        """The row of a racer in the table of results or in the lobby."""
        return self.page.locator(".results .t tbody tr, .lobby .list > li").filter(has_text=name)

    def rematch(self, label: str = "Rematch") -> str:
        """Agree to a rematch and be taken along; return the next race's code."""
        before = self.code
        self.button(label).click()
        self.page.wait_for_url(lambda url: bool(ROOM.search(url)) and before not in url)
        expect(self.button("I’m ready")).to_be_visible()
        return self.code

    def is_over(self) -> bool:
        """Tell whether one's game is over, or the race."""
        return self.page.locator(".results, .line button:has-text('Results')").count() > 0

    def press(self, name: str | re.Pattern[str]) -> bool:
        """Press a button if it is to be seen now; tell whether it was."""
        button = self.page.get_by_role("button", name=name, exact=isinstance(name, str))
        if not button.locator("visible=true").count():
            return False
        button.locator("visible=true").first.click(timeout=700)
        return True

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)
