"""Races that already run, for tests that are about what comes then."""

from dataclasses import dataclass

from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import GameLog
from tests.support.client import Guest, RaceSocket
from tests.support.server import Server
from tests.support.stores import shift_start

NAMES = ("Anh", "Oksana", "Minh", "Petro", "Linh", "Iryna")


@dataclass(frozen=True)
class Running:
    """A race after `go`: its racers' sessions, sockets and ids, the host's first."""

    code: str
    guests: list[Guest]
    sockets: list[RaceSocket]
    racers: list[int]


def alone(server: Server, deal: str = "CR1-N-AAAAAAB", **options: object) -> RaceSocket:
    """Start a race with one seat; return its socket after `go`."""
    guest = Guest(server.origin, "Minh")
    socket = guest.socket(guest.open_race(deal, **options))
    socket.until("welcome")
    socket.send("start")
    socket.until("go")
    return socket


def running(
    server: Server, deal: str = "CR1-N-AAAAAAB", *, racers: int = 2, **options: object
) -> Running:
    """Start a race of several without waiting for its countdown; return it when it runs."""
    guests = [Guest(server.origin, NAMES[number]) for number in range(racers)]
    code = guests[0].open_race(deal, seats=max(racers, 2), **options)
    for guest in guests[1:]:
        guest.take_seat(code)
    first = guests[0].socket(code)
    first.until("welcome")
    first.send("start")
    first.until("race", lambda frame: frame.get("starts_at"))
    shift_start(server, code, 6_000)
    sockets = [first]
    for guest in guests[1:]:  # whoever comes has the race read again
        sockets.append(guest.socket(code))
        sockets[-1].until("welcome", lambda frame: frame["table"])
    first.until("go")
    welcomes = [
        [frame for frame in socket.frames if frame["type"] == "welcome"][-1] for socket in sockets
    ]
    for socket in sockets:
        socket.settled()  # so that what comes next is what the test has caused
    return Running(code, guests, sockets, [welcome["you"] for welcome in welcomes])


def log_of(code: str, undo: bool = True) -> GameLog:
    """Give the log of a game that begins, on a deal whose cards follow from its code."""
    parsed = parse_deal_code(code)
    return GameLog.start(layout_of(parsed), parsed.redeals, undo)
