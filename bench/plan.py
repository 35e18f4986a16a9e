"""Sets races up over HTTP on a running server and writes down who plays what, for the racers."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from games.engine.deals import layout_of, parse_deal_code

from .lines import legal_line


class SetUpError(Exception):
    """The server did not do what setting a run up needs."""


@dataclass
class Visitor:
    """A browser as far as HTTP goes: a connection and its cookies."""

    connection: HTTPConnection
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def cookie_header(self) -> str:
        """The value of the Cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def get(self, path: str) -> None:
        """Open a page, for the cookies that it sets.

        :raises SetUpError: where the answer is not a page.
        """
        self._ask("GET", path, None)

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send JSON and give the JSON of the answer.

        :raises SetUpError: with the server's reason, where it refuses.
        """
        answer: dict[str, Any] = json.loads(self._ask("POST", path, json.dumps(body)))
        return answer

    def _ask(self, method: str, path: str, body: str | None) -> bytes:
        origin = f"http://{self.connection.host}:{self.connection.port}"
        headers = {"Origin": origin, "Referer": f"{origin}/", "Accept": "application/json, */*"}
        if self.cookies:
            headers["Cookie"] = self.cookie_header
        if body is not None:
            headers |= {"Content-Type": "application/json"}
            headers |= {"X-CSRFToken": self.cookies.get("csrftoken", "")}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        for value in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(value).items():
                self.cookies[name] = morsel.value
        if answer.status >= 400:
            raise SetUpError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content


@dataclass(frozen=True)
class PlannedRace:
    """A race that is open: its code, its deal's code, and the cookies of its racers, host first."""

    code: str
    deal: str
    cookies: tuple[str, ...]


def seat_sizes(racers: int, races: int) -> list[int]:
    """Give how many racers each race has, as even as can be.

    :raises ValueError: if a race would have none.
    """
    if not 1 <= races <= racers:
        raise ValueError(f"{racers} racers can't fill {races} races")
    return [racers // races + (place < racers % races) for place in range(races)]


def open_races(
    connection: HTTPConnection, *, racers: int, races: int, openness: str, first: int = 0
) -> list[PlannedRace]:
    """Sign `racers` guests in and seat them in `races` new races, each on a random deal.

    `first` numbers the guests, so that several runs on one server don't share names.

    :raises SetUpError: where the server refuses.
    """
    planned: list[PlannedRace] = []
    named = first
    for seats in seat_sizes(racers, races):
        guests: list[Visitor] = []
        for _ in range(seats):
            guest = Visitor(connection)
            guest.get("/")
            guest.post("/api/guest", {"name": f"Racer {named}"})
            guests.append(guest)
            named += 1
        options = {"deal": "random", "seats": seats, "openness": openness}
        opened = guests[0].post("/api/races", options)
        for guest in guests[1:]:
            guest.post(f"/api/races/{opened['code']}/seat", {})
        cookies = tuple(guest.cookie_header for guest in guests)
        planned.append(PlannedRace(opened["code"], opened["deal"], cookies))
    return planned


def write_plan(path: Path, races: Sequence[PlannedRace], *, watchers: int, length: int) -> None:
    """Write the plan: a line of `length` legal actions for every racer, and so many watchers.

    The watchers are spread over the races and have no session. A line of the plan is
    `script NAME CODES`, `racer RACE SCRIPT COOKIE` or `watcher RACE COOKIE` (`-`: none).
    """
    with path.open("w") as plan:
        for race in races:
            code = parse_deal_code(race.deal)
            layout = layout_of(code)
            for seat, cookie in enumerate(race.cookies):
                name = f"{race.code}/{seat}"
                codes = legal_line(
                    layout,
                    redeals=code.redeals,
                    length=length,
                    seed=zlib.crc32(f"{race.deal}/{seat}".encode()),
                )
                plan.write(f"script {name} {codes}\nracer {race.code} {name} {cookie}\n")
        for watcher in range(watchers):
            plan.write(f"watcher {races[watcher % len(races)].code} -\n")
