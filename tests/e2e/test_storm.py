"""Whole evenings cut off at random points: nobody is stuck, and all end with the same results."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator

from tests.e2e.conftest import NewPage
from tests.e2e.evening import DEAL, OPENING, ROOM, RoomPage
from tests.e2e.plans import Line, Redeals
from tests.e2e.storm import Sitter, Storm
from tests.support.lines import winning_line
from tests.support.server import Server

FULL = os.environ.get("CRESCENT_CHAOS") == "full"
EVENINGS = [(2, 1), (3, 2), (4, 3), (5, 4), (8, 5), (8, 6)] if FULL else [(4, 1)]
"""How many people, and the seed of all that is drawn."""
NAMES = ("Anh", "Oksana", "Minh", "Taras", "Linh", "Olena", "Hoa", "Bohdan")
PATIENCE = 100
"""Rounds of glances after which somebody is stuck."""

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(1_200 if FULL else 600)]


class Evening:
    """People who do each step of an evening together, while a storm goes on around them."""

    def __init__(self, server: Server, people: list[Sitter], chance: Random) -> None:
        self.server = server
        self.people = people
        self.chance = chance
        self.storm = Storm(server, people, chance)

    def step(
        self,
        what: str,
        done: Callable[[RoomPage], bool],
        act: Callable[[RoomPage], object],
        *,
        only: list[Sitter] | None = None,
        cuts: int = 1,
    ) -> None:
        """Let everybody (or `only` some) act until it is done, cut off so many times meanwhile."""
        print(what)
        people = only or self.people
        strikes = [self.chance.randrange(5) for _ in range(cuts)]
        for round_ in range(PATIENCE):
            for _ in range(strikes.count(round_)):
                self.storm.strike()
            waiting = [one for one in people if not one.glance(done, act)]
            if not waiting and round_ >= max(strikes, default=0):
                return
            people[0].room.page.wait_for_timeout(100)
        raise AssertionError(f"stuck at {what!r}: " + "; ".join(one.seen() for one in waiting))

    def race(self, code: str, line: Line | Redeals, opening: Line | Redeals) -> None:
        """Play the race of a code from its lobby to its results: one plays `line`, and has won if
        it is long enough, the others no more than an opening."""
        here = in_room(code)
        self.step("ready", lambda r: here(r) and shows(r, "I’m not ready"), be_ready)
        self.step("start", lambda r: here(r) and at_table(r), start, cuts=2)
        winner, *others = self.chance.sample(self.people, len(self.people))
        self.step("others play", opening.is_played, opening.play_on, only=others)
        self.step(
            f"{winner.name} plays",
            lambda r: r.is_over() or line.is_played(r),
            lambda r: line.play_on(r, most=15),
            only=[winner],
            cuts=3,
        )
        self.step("end", RoomPage.is_over, resign)
        self.step("results", lambda r: here(r) and in_results(r), to_results, cuts=2)

    def check(self, code: str) -> None:
        """Compare what each page shows with what the server says."""
        self.storm.pass_over()
        told = httpx.get(f"{self.server.origin}/api/races/{code}").json()
        rows = sorted(told["racers"], key=lambda row: row["place"])
        wanted = [(str(row["place"]), row["name"], row["moves"], row["home"]) for row in rows]
        points = [(row["player"], row["points"]) for row in told["tally"]]
        assert told["race"]["closed_at"]
        assert len(rows) == len(self.people)
        for person in self.people:
            self.step("see", in_results, to_results, only=[person], cuts=0)
            assert sorted(standings(person)) == sorted(wanted), person.name
            assert [place for place, *_ in standings(person)] == [place for place, *_ in wanted]
            person.room.page.locator(".tally tbody tr").first.wait_for()
            assert tally(person) == points, person.name


@pytest.mark.parametrize(("seats", "seed"), EVENINGS)
def test_an_evening_cut_off_at_random_points_ends_the_same_on_every_page(
    own_server: Server, new_page: NewPage, seats: int, seed: int
) -> None:
    print(f"{seats} people, seed {seed}")
    chance = Random(seed)
    sizes = [(1280, 800), (390, 844)]
    people = []
    for number, name in enumerate(NAMES[:seats]):
        width, height = sizes[number % 2]
        people.append(Sitter(new_page(width=width, height=height), own_server.origin, name))
    evening = Evening(own_server, people, chance)
    host, *guests = people
    evening.step(
        "open a race",
        lambda r: bool(ROOM.search(r.page.url)),
        open_race(seats),
        only=[host],
    )
    first = host.room.code
    here = in_room(first)
    evening.step("join", lambda r: here(r) and has_seat(r), join(first), only=guests)
    evening.race(first, Line(winning_line(DEAL)), Line(list(OPENING)))
    evening.check(first)

    evening.step("rematch", lambda r: not here(r) and has_seat(r), agree, cuts=3)
    (second,) = {person.room.code for person in people}
    evening.race(second, Redeals(3), Redeals(1))
    evening.check(second)
    print(f"cuts: {evening.storm.cuts}")
    own_server.manage("verify_games")


# --- What is on a screen -------------------------------------------------------------------------


def in_room(code: str) -> Callable[[RoomPage], bool]:
    return lambda room: bool(ROOM.search(room.page.url)) and room.code == code


def shows(room: RoomPage, button: str) -> bool:
    return room.button(button).locator("visible=true").count() > 0


def has_seat(room: RoomPage) -> bool:
    return bool(ROOM.search(room.page.url)) and (
        shows(room, "I’m ready") or shows(room, "I’m not ready")
    )


def at_table(room: RoomPage) -> bool:
    label = room.page.locator("main [data-place=a]").first
    return bool(label.count()) and "face-down" not in (
        label.get_attribute("aria-label", timeout=500) or ""
    )


def in_results(room: RoomPage) -> bool:
    return room.page.locator(".results").get_by_role("link", name="Replay").count() > 0


def standings(person: Sitter) -> list[tuple[str, str, int, int]]:
    rows = cells(person.room.page.locator(".results .t tbody tr"))
    named = [(row[0], person.name if row[1] == "You" else row[1], row) for row in rows]
    return [(place, name, int(row[-5]), int(row[-2])) for place, name, row in named]


def tally(person: Sitter) -> list[tuple[str, int]]:
    rows = cells(person.room.page.locator(".tally tbody tr"))
    return [(person.name if row[0] == "You" else row[0], int(row[-1])) for row in rows]


def cells(rows: Locator) -> list[list[str]]:
    """Read a table: the text of each cell, a name without its initial."""
    texts: list[list[str]] = rows.evaluate_all(
        """(rows) => rows.map((row) => [...row.cells].map((cell) =>
          (cell.querySelector('.clip') ?? cell).textContent.trim()))"""
    )
    return texts


# --- What people do ------------------------------------------------------------------------------


def open_race(seats: int) -> Callable[[RoomPage], Any]:
    def act(room: RoomPage) -> None:
        room.page.goto(f"{room.origin}/races/?deal={DEAL}", timeout=5_000)
        form = room.page.locator("form:has([name=seats])")
        form.locator("[name=name]").fill(room.name, timeout=1_000)
        form.locator("[name=seats]").select_option(str(seats), timeout=1_000)
        form.get_by_role("button").click(timeout=1_000)
        room.page.wait_for_url(ROOM, timeout=3_000)

    return act


def join(code: str) -> Callable[[RoomPage], Any]:
    def act(room: RoomPage) -> None:
        if not ROOM.search(room.page.url):
            room.page.goto(f"{room.origin}/races/{code}/", timeout=5_000)
            return
        name = room.page.get_by_label("Your name")
        if name.count():
            name.fill(room.name, timeout=500)
        room.press("Join")

    return act


def be_ready(room: RoomPage) -> None:
    room.press("I’m ready")


def start(room: RoomPage) -> None:
    room.press("Start the race")


def resign(room: RoomPage) -> None:
    dialog = room.page.locator("dialog[open]")
    if not dialog.count():
        room.press("Open the menu")
        return
    dialog.get_by_role("button", name="Resign").first.click(timeout=700)


def to_results(room: RoomPage) -> None:
    if not room.page.locator(".results").count():
        room.press("Results")


def agree(room: RoomPage) -> None:
    if not room.press("Rematch"):
        room.press("Join the rematch")
