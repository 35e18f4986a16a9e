"""What befalls an evening: pages, connections and servers that are cut off at random points."""

import threading
from collections.abc import Callable
from random import Random

from playwright.sync_api import Error, Page

from tests.e2e.evening import RoomPage
from tests.e2e.table import READ
from tests.support.server import Server

LONGEST_AWAY_S = 1.5
"""How long a server stays away, at most, before it is started again."""
LONGEST_CUT = 12
"""How many glances at their screen a person's connection stays cut, at most."""


class Sitter:
    """A person at a browser of their own, who looks at the screen and does what it offers.

    Nothing here waits for long: what isn't possible now is tried again at the next glance.
    """

    def __init__(self, first: Page, origin: str, name: str) -> None:
        self.room = RoomPage(first, origin, name)
        self.name = name
        self._address = ""
        """Where they were last, for when a page didn't come."""
        self._cut_for = 0
        self._older: RoomPage | None = None

    def glance(self, done: Callable[[RoomPage], bool], act: Callable[[RoomPage], object]) -> bool:
        """Tell whether something is done; where it isn't, get the page back and act."""
        if self._cut_for:
            self._cut_for -= 1
            if not self._cut_for:
                self._plug_in()
        try:
            if self._put_right():
                return False
            if done(self.room):
                return True
            act(self.room)
        except Error as error:  # in the middle of a navigation, or what was there has just gone
            if "Timeout" not in error.message and "navigat" not in error.message:
                print(f"  {self.name}: {error.message.splitlines()[0]}")
        return False

    def comes_back(self) -> None:
        """Be connected again, at one page."""
        if self._cut_for:
            self._cut_for = 0
            self._plug_in()
        if self._older is not None:
            # Not waiting until it is gone: Chromium may lose a close that meets a navigation, and
            # Playwright would wait for ever (microsoft/playwright#42366).
            self._older.page.close(run_before_unload=True)
            self._older = None

    def seen(self) -> str:
        """Say what is on the screen, for whoever finds this person stuck."""
        page = self.room.page
        text = page.evaluate("document.body.innerText.slice(0, 1_500)")
        return f"{self.name} at {page.url}: {text!r}, {page.evaluate(READ)}"

    # --- What may happen to them -----------------------------------------------------------------

    def reload(self) -> None:
        """Load the page anew."""
        self.room.page.reload(wait_until="commit")

    def lose_the_line(self, glances: int) -> None:
        """Be without any connection for some glances."""
        self._cut_for = max(1, glances)
        self.room.page.context.set_offline(True)
        self.room.cable.pull()

    def close_the_page(self) -> None:
        """Close the page, and open the address again."""
        self._take_another_page()
        self.comes_back()

    def open_another_tab(self, *, stay: bool) -> None:
        """Open the room a second time; then go on there, or go back to the first."""
        self.comes_back()
        first = self.room
        self._take_another_page()
        if stay:
            self._older = first
        else:
            self._older, self.room = self.room, first
            first.page.bring_to_front()

    def _take_another_page(self) -> None:
        self._older = self.room
        page = self.room.page.context.new_page()
        self.room = RoomPage(page, self.room.origin, self.name)
        if self._address:
            page.goto(self._address, wait_until="commit")

    def _plug_in(self) -> None:
        self.room.cable.plug_in()
        self.room.page.context.set_offline(False)

    def _put_right(self) -> bool:
        """Do what a person does whose page isn't there, or was opened elsewhere."""
        page = self.room.page
        if page.url.startswith(self.room.origin):
            self._address = page.url
        elif self._address:  # the server was away when it was asked for
            page.goto(self._address, wait_until="commit")
            return True
        if page.get_by_text("You have opened this race in another window.").count():
            self.room.button("Play here").click(timeout=500)
            return True
        return False


class Storm:
    """Draws from its seed when something is cut off, and what."""

    def __init__(self, server: Server, people: list[Sitter], chance: Random) -> None:
        self.cuts: dict[str, int] = {}
        self._server = server
        self._people = people
        self._chance = chance
        self._returning: threading.Thread | None = None

    def strike(self) -> None:
        """Let something happen to somebody, or to the server."""
        person = self._chance.choice(self._people)
        befalls: dict[str, Callable[[], object]] = {
            "reload": person.reload,
            "line": lambda: person.lose_the_line(self._chance.randint(1, LONGEST_CUT)),
            "page": person.close_the_page,
            "tab": lambda: person.open_another_tab(stay=self._chance.random() < 0.5),
            "kill": lambda: self._end(self._server.kill),
            "restart": lambda: self._end(self._server.stop),
        }
        what = self._chance.choice(list(befalls))
        print(f"  cut: {what} ({person.name})")
        self.cuts[what] = self.cuts.get(what, 0) + 1
        try:
            befalls[what]()
        except Error as error:  # the server is away, too: the page comes back at a later glance
            print(f"  {person.name}: {error.message.splitlines()[0]}")

    def pass_over(self) -> None:
        """Let everything be there again."""
        self._wait_for_the_server()
        for person in self._people:
            person.comes_back()

    def _end(self, end: Callable[[], None]) -> None:
        self._wait_for_the_server()
        away_s = self._chance.uniform(0, LONGEST_AWAY_S)
        end()
        self._returning = threading.Timer(away_s, self._server.start)
        self._returning.start()

    def _wait_for_the_server(self) -> None:
        if self._returning is not None:
            self._returning.join()
            self._returning = None
