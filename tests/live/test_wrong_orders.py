"""What is asked too early, too late, twice or at once: one process on SQLite, and two on PostgreSQL
and Redis, give the same reasons and end in the same room."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.client import Frame, Guest, RaceSocket
from tests.support.lines import solved_deal
from tests.support.server import Server
from tests.support.stores import add_revealed_deal, shift_start, stored_games

DEAL = "CR1-N-AAAAAAB"


@pytest.fixture(
    params=["one", pytest.param("two", marks=[pytest.mark.postgres, pytest.mark.redis])]
)
def processes(request: pytest.FixtureRequest) -> tuple[Server, Server]:
    """Where the host is and where the others are: the same process, or one each."""
    if request.param == "two":
        two: tuple[Server, Server] = request.getfixturevalue("two_servers")
        return two
    server: Server = request.getfixturevalue("free_server")
    return server, server


@dataclass
class Lobby:
    """A race of a host and a rival who are connected."""

    code: str
    host: Guest
    rival: Guest
    one: RaceSocket
    two: RaceSocket
    server: Server

    @property
    def racers(self) -> tuple[int, int]:
        return self.one.frames[0]["you"], self.two.frames[0]["you"]

    def run(self) -> "Lobby":
        """Start it, without waiting for the countdown."""
        self.one.send("start")
        for socket in (self.one, self.two):
            socket.until("race", lambda frame: frame.get("starts_at"))
        shift_start(self.server, self.code, 6_000)
        for guest in (self.host, self.rival):  # whoever comes has the race read again
            Guest(guest.origin).socket(self.code).until("welcome")
        for socket in (self.one, self.two):
            socket.until("go")
        return self


def lobby(processes: tuple[Server, Server], deal: str = DEAL, **options: object) -> Lobby:
    here, there = processes
    host, rival = Guest(here.origin, "Anh"), Guest(there.origin, "Oksana")
    code = host.open_race(deal, **{"seats": 3, **options})
    one = host.socket(code)
    one.until("welcome")
    rival.take_seat(code)
    two = rival.socket(code)
    two.until("welcome")
    one.until("racer", lambda frame: frame["name"] == "Oksana" and frame["online"])
    return Lobby(code, host, rival, one, two, here)


def reasons(socket: RaceSocket, type_: str, **fields: object) -> list[str]:
    """Send a message and return the faults that it is answered with."""
    socket.send(type_, **fields)
    return [frame["reason"] for frame in socket.settled() if frame["type"] == "fault"]


def at_once(*steps: Callable[[], Any]) -> list[Any]:
    """Take steps at the same instant, each in a thread; return what they returned."""
    barrier, results = threading.Barrier(len(steps)), dict[int, Any]()

    def take(place: int, step: Callable[[], Any]) -> None:
        barrier.wait()
        results[place] = step()

    threads = [threading.Thread(target=take, args=step) for step in enumerate(steps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return [results[place] for place in range(len(steps))]


def starts(*sockets: RaceSocket) -> set[int]:
    """Return the starts that were announced to any of them."""
    for socket in sockets:
        socket.settled()
    races = [frame for s in sockets for frame in s.frames if frame["type"] == "race"]
    return {frame["starts_at"] for frame in races if frame.get("starts_at")}


def test_two_starts_at_once_are_one(processes: tuple[Server, Server]) -> None:
    room = lobby(processes)
    room.one.send("start")
    assert reasons(room.one, "start") == []
    room.two.until("race", lambda frame: frame.get("starts_at"))
    assert len(starts(room.one, room.two)) == 1


def test_a_start_and_the_last_ready_mark_at_once_start_one_race(
    processes: tuple[Server, Server],
) -> None:
    room = lobby(processes, start="all_ready")
    room.one.send("ready", ready=True)
    room.one.settled()
    at_once(lambda: room.one.send("start"), lambda: room.two.send("ready", ready=True))
    for socket in (room.one, room.two):
        socket.until("race", lambda frame: frame.get("starts_at"))
    assert len(starts(room.one, room.two)) == 1


def test_who_joins_while_it_starts_is_in_from_the_start_or_not_at_all(
    processes: tuple[Server, Server],
) -> None:
    for number in range(4):
        room = lobby(processes)
        late = Guest(processes[1].origin, f"Minh {number}")
        _, answer = at_once(
            partial(room.one.send, "start"),
            partial(late.request, "POST", f"/api/races/{room.code}/seat"),
        )
        room.two.until("race", lambda frame: frame.get("starts_at"))
        with late.socket(room.code) as socket:
            welcome = socket.until("welcome")
        if answer.status_code == 201:
            assert welcome["you"] == answer.json()["racer"]
        else:
            assert (answer.status_code, answer.json()["reason"]) == (409, "race_started")
            assert welcome["you"] is None
        seated = {row["racer"] for row in welcome["racers"]}
        assert seated == set(stored_games(processes[0], room.code))
        assert len(seated) == (3 if answer.status_code == 201 else 2)


def test_what_belongs_into_the_lobby_is_refused_after_the_start(
    processes: tuple[Server, Server],
) -> None:
    room = lobby(processes).run()
    own, rival = room.racers
    for ready in (True, False):
        assert reasons(room.two, "ready", ready=ready) == ["race_started"]
    assert reasons(room.two, "leave") == ["race_started"]
    assert reasons(room.two, "start") == ["not_host"]
    assert reasons(room.one, "start") == []
    assert reasons(room.one, "call_off") == ["race_started"]
    assert reasons(room.one, "options", seats=9) == ["race_started"]
    assert reasons(room.one, "kick", racer=rival) == ["race_started"]
    assert reasons(room.one, "ghost", game=own) == ["race_started"]
    assert reasons(room.one, "rematch", agree=True) == ["race_started"]
    assert reasons(room.one, "unresign") == []
    late = Guest(processes[1].origin, "Minh")
    assert late.request("POST", f"/api/races/{room.code}/seat").json()["reason"] == "race_started"
    with late.socket(room.code) as watcher:
        assert watcher.until("welcome")["you"] is None
        assert watcher.act("b+")["reason"] == "not_a_racer"
        for type_ in ("resign", "unresign", "start"):
            assert reasons(watcher, type_) == ["not_a_racer"]
        assert reasons(watcher, "rematch", agree=True) == ["not_a_racer"]
    assert room.two.act("b+")["type"] == "acted"


def test_what_belongs_into_the_race_is_refused_before_the_start(
    processes: tuple[Server, Server],
) -> None:
    room = lobby(processes)
    assert room.two.act("b+")["reason"] == "not_started"
    assert reasons(room.two, "resign") == ["not_started"]
    assert reasons(room.two, "rematch", agree=True) == ["not_started"]
    assert reasons(room.two, "unresign") == []
    assert reasons(room.two, "call_off") == ["not_host"]
    assert reasons(room.one, "call_off") == []
    assert reasons(room.one, "kick", racer=room.racers[0]) == ["not_a_racer"]
    assert reasons(room.one, "host", racer=10**9) == ["not_a_racer"]


def test_who_is_removed_can_do_nothing_more(processes: tuple[Server, Server]) -> None:
    room = lobby(processes)
    _, removed = room.racers
    room.one.send("kick", racer=removed)
    room.one.until("racer", lambda frame: frame.get("left"))
    with contextlib.suppress(ConnectionClosed):  # it may be so already
        room.two.send("ready", ready=True)
        room.two.send("act", seq=1, code="b+")
    assert room.two.closed() == 4403
    assert reasons(room.one, "kick", racer=removed) == []
    assert reasons(room.one, "host", racer=removed) == ["not_a_racer"]
    answer = room.rival.request("POST", f"/api/races/{room.code}/seat")
    assert (answer.status_code, answer.json()["reason"]) == (403, "removed")
    with room.rival.socket(room.code) as again:
        assert again.closed() == 4403
    assert room.one.settled() == []
    assert [frame["left"] for frame in room.one.frames if frame.get("left")] == [True]


def won(processes: tuple[Server, Server], letters: str) -> tuple[Lobby, tuple[str, ...]]:
    """Race on a solved deal to one action before the end of both games."""
    layout, line = solved_deal()
    room = lobby(processes, add_revealed_deal(processes[0], letters, layout)).run()
    for socket in (room.one, room.two):
        for seq, played in enumerate(line[:-1], 1):
            socket.send("act", seq=seq, code=played)
    for socket in (room.one, room.two):
        socket.until("acted", lambda frame: frame["seq"] == len(line) - 1)
    return room, line


def test_after_a_win_nothing_is_resigned_and_after_the_end_nothing_is_taken_back(
    processes: tuple[Server, Server],
) -> None:
    room, line = won(processes, "WRONGSA")
    winner, other = room.racers
    assert room.one.act(line[-1], len(line))["type"] == "acted"
    assert reasons(room.one, "resign") == []
    assert reasons(room.one, "unresign") == ["race_closed"]
    assert room.one.act("<<", len(line) + 1)["reason"] == "game_over"
    room.two.send("resign")
    room.one.until("finished", lambda frame: frame["racer"] == other)
    assert reasons(room.two, "resign") == []
    assert room.two.act(line[-1], len(line))["reason"] == "game_over"
    shift_start(processes[0], room.code, 11_000)
    for socket in (room.one, room.two):
        assert socket.until("closed", timeout=20)["standings"][0]["racer"] == winner
    assert reasons(room.two, "unresign") == ["race_closed"]
    assert reasons(room.two, "ready", ready=True) == ["race_closed"]
    assert reasons(room.one, "start") == ["race_closed"]
    assert reasons(room.one, "call_off") == ["race_closed"]
    outcomes = {pk: game["outcome"] for pk, game in stored_games(processes[0], room.code).items()}
    assert outcomes == {winner: "won", other: "resigned"}
    for socket in (room.one, room.two):
        ends = [frame["racer"] for frame in socket.frames if frame["type"] == "finished"]
        assert sorted(ends) == sorted([winner, other])


def test_the_last_two_who_win_at_one_instant_end_it_once(processes: tuple[Server, Server]) -> None:
    room, line = won(processes, "WRONGSB")
    last = {"seq": len(line), "code": line[-1]}
    at_once(*[partial(socket.send, "act", **last) for socket in (room.one, room.two)])
    ends = [socket.until("closed")["standings"] for socket in (room.one, room.two)]
    assert ends[0] == ends[1]
    assert [row["outcome"] for row in ends[0]] == ["won", "won"]
    for socket in (room.one, room.two):
        socket.settled()
        assert [frame["type"] for frame in socket.frames].count("closed") == 1


def test_no_second_race_is_opened_on_a_deal_that_is_closed(
    processes: tuple[Server, Server],
) -> None:
    room = lobby(processes, "sealed")
    deal = room.one.frames[0]["deal"]["code"]

    def opened(guest: Guest) -> tuple[int, str | None]:
        answer = guest.request("POST", "/api/races", {"deal": deal})
        return answer.status_code, answer.json().get("reason")

    stranger = Guest(processes[1].origin, "Minh")
    for guest in (room.host, room.rival, stranger):
        assert opened(guest) == (403, "deal_closed")
    room.run()
    for guest in (room.host, stranger):
        assert opened(guest) == (403, "deal_closed")
    for socket in (room.one, room.two):
        socket.send("resign")
        socket.until("finished")
    shift_start(processes[0], room.code, 11_000)
    room.one.until("closed", timeout=20)
    assert opened(stranger) == (201, None)


def test_a_seat_in_a_second_lobby_on_a_deal_is_lost_when_that_race_starts(
    processes: tuple[Server, Server],
) -> None:
    second = lobby(processes)
    first = second.rival.open_race(DEAL)
    with second.rival.socket(first) as playing:
        playing.send("start")
        playing.until("go")
        second.one.send("start")
        for socket in (second.one, second.two):
            left = socket.until("racer", lambda frame: frame.get("left"))
            assert left["name"] == "Oksana"
        second.two.until("race", lambda frame: frame.get("starts_at"))
        assert reasons(second.two, "ready", ready=True) == ["not_a_racer"]
        assert second.two.act("b+")["reason"] == "not_a_racer"
        assert playing.act("b+")["type"] == "acted"


def test_a_host_who_plays_the_deal_elsewhere_starts_nothing(
    processes: tuple[Server, Server],
) -> None:
    second = lobby(processes)
    first = second.host.open_race(DEAL)
    with second.host.socket(first) as playing:
        playing.send("start")
        playing.until("go")
        assert reasons(second.one, "start") == ["deal_closed"]
        playing.send("resign")
        playing.until("finished")
        assert reasons(second.one, "start") == []
        assert reasons(playing, "unresign") == ["deal_closed"]


def is_own_end(socket: RaceSocket, end: Frame) -> bool:
    return bool(end["racer"] == socket.frames[0]["you"])


def test_whoever_agrees_to_a_rematch_is_told_where_it_is(processes: tuple[Server, Server]) -> None:
    room = lobby(processes).run()
    for socket in (room.one, room.two):
        socket.send("resign")
        socket.until("finished", partial(is_own_end, socket))
    following = set()
    for socket in (room.one, room.two, room.two):
        socket.send("rematch", agree=True)
        answers = [frame for frame in socket.settled() if frame["type"] == "race"]
        following |= {frame["next"] for frame in answers if "next" in frame}
        assert answers
    (code,) = following
    names = [row["name"] for row in room.host.get(f"/api/races/{code}")["racers"]]
    assert names == ["Anh", "Oksana"]
    room.two.send("rematch", agree=False)
    room.two.settled()
    assert [row["name"] for row in room.host.get(f"/api/races/{code}")["racers"]] == ["Anh"]
