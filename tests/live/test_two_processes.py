"""One service in two processes: what one commits the other tells, and no seat is played twice."""

import os
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import pytest
import redis
from websockets.exceptions import ConnectionClosed

from tests.support.client import Guest, RaceSocket
from tests.support.lines import legal_line, solved_deal
from tests.support.needs import REDIS_URL
from tests.support.rooms import NAMES, log_of
from tests.support.server import Server
from tests.support.stores import add_revealed_deal, shift_start, stored_games

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

DEAL = "CR1-N-AAAAAAB"
Two = tuple[Server, Server]


def at(server: Server, guest: Guest) -> Guest:
    """Give the same session at another process: a cookie is bound to no port."""
    other = Guest(server.origin)
    other.http.cookies = guest.http.cookies
    other.player = guest.player
    return other


def race_across(
    servers: Two, deal: str = DEAL
) -> tuple[str, list[Guest], list[RaceSocket], list[int]]:
    """Start a race with a racer in each process; return code, sessions, sockets, racers."""
    first, second = servers
    guests = [Guest(first.origin, NAMES[0]), Guest(second.origin, NAMES[1])]
    code = guests[0].open_race(deal, seats=2)
    one = guests[0].socket(code)
    one.until("welcome")
    guests[1].take_seat(code)
    two = guests[1].socket(code)
    two.until("welcome")
    assert one.until("racer", lambda f: f["name"] == NAMES[1] and f["online"])
    one.send("start")
    for socket in (one, two):
        socket.until("race", lambda frame: frame.get("starts_at"))
    shift_start(first, code, 6_000)
    for server in servers:  # whoever comes has the race read again
        Guest(server.origin).socket(code).until("welcome")
    for socket in (one, two):
        socket.until("go")
        socket.settled()
    welcomes = [next(f for f in s.frames if f["type"] == "welcome") for s in (one, two)]
    return code, guests, [one, two], [welcome["you"] for welcome in welcomes]


def test_the_room_and_its_moves_are_the_same_in_both(two_servers: Two) -> None:
    code, guests, (one, two), racers = race_across(two_servers)
    line = legal_line(log_of(DEAL), 40)
    for seq, played in enumerate(line, 1):
        one.send("act", seq=seq, code=played)
        two.send("act", seq=seq, code=played)
    for socket in (one, two):
        heard: dict[int, list[str]] = {racer: [] for racer in racers}
        while any(len(codes) < 40 for codes in heard.values()):
            for racer, seq, played, *_ in socket.until("moved")["moves"]:
                heard[racer].append(played)
                assert seq == len(heard[racer])
        assert set(map(tuple, heard.values())) == {tuple(line)}
        acted = [f["seq"] for f in socket.frames if f["type"] == "acted"]
        acted += [f["seq"] for f in socket.settled() if f["type"] == "acted"]
        assert acted == list(range(1, 41))
    one.send("resign")
    assert two.until("finished")["racer"] == racers[0]
    one.send("unresign")
    assert two.until("racer", lambda f: f["racer"] == racers[0])["outcome"] is None
    wait_until_online(two, racers[0])
    one.cut()
    assert two.until("racer", lambda f: f["racer"] == racers[0] and not f["online"])
    with at(two_servers[1], guests[0]).socket(code) as moved_over:
        welcome = moved_over.until("welcome")
        assert (welcome["you"], welcome["seq"]) == (racers[0], 40)
        assert two.until("racer", lambda f: f["racer"] == racers[0] and f["online"])


def wait_until_online(socket: RaceSocket, racer: int) -> None:
    """Wait for what a process knows a few seconds late of those who came before its room opened."""
    while True:
        rows = [row for f in socket.frames if f["type"] == "welcome" for row in f["racers"]]
        rows += [f for f in socket.frames if f["type"] == "racer"]
        if [row["online"] for row in rows if row["racer"] == racer][-1]:
            return
        socket.until("racer", lambda f: f["racer"] == racer)


def test_who_is_in_another_process_is_online_as_soon_as_a_room_is_opened(two_servers: Two) -> None:
    """Not only when the room is read again: the other process is asked who is there."""
    first, second = two_servers
    host = Guest(first.origin, "Anh")
    code = host.open_race(DEAL, seats=2)
    with host.socket(code) as one, Guest(second.origin).socket(code) as watcher:
        you = one.until("welcome")["you"]
        online = [row["online"] for row in watcher.until("welcome")["racers"]]
        for _ in range(20):  # what is said comes in order: a few waves later it has been said
            one.send("emote", id="wave")
            watcher.until("emote")
        online += [
            f["online"] for f in watcher.frames if f["type"] == "racer" and f["racer"] == you
        ]
        assert online[-1]


def test_the_newer_socket_plays_wherever_it_is(two_servers: Two) -> None:
    first, second = two_servers
    guest = Guest(first.origin, "Minh")
    code = guest.open_race(DEAL)
    older = guest.socket(code)
    older.send("start")
    older.until("go")
    older.act("b+")
    newer = at(second, guest).socket(code)
    assert newer.until("welcome")["seq"] == 1
    assert older.closed() == 4409
    assert newer.act("**", 2)["type"] == "acted"
    again = guest.socket(code)
    assert again.until("welcome")["seq"] == 2
    assert newer.closed() == 4409


def test_of_two_sockets_that_come_at_once_one_stays(two_servers: Two) -> None:
    first, second = two_servers
    guest = Guest(first.origin, "Minh")
    code = guest.open_race(DEAL)
    sessions = (guest, at(second, guest))
    sockets: list[RaceSocket] = []
    for _ in range(12):
        sockets.clear()
        at_once(*[partial(come, session, code, sockets) for session in sessions])
        codes: list[int] = []
        deadline = time.monotonic() + 5
        while not codes and time.monotonic() < deadline:
            for socket in sockets:
                try:
                    socket.settled()
                except ConnectionClosed:
                    codes.append(socket.closed())
        assert codes == [4409]
        for socket in sockets:
            if socket.close_code is None:
                socket.settled()
            socket.close()


def come(session: Guest, code: str, sockets: list[RaceSocket]) -> None:
    sockets.append(session.socket(code))


def at_once(*steps: Callable[[], object]) -> None:
    """Take steps at the same instant, each in a thread."""
    barrier = threading.Barrier(len(steps))
    errors: list[BaseException] = []

    def take(step: Callable[[], object]) -> None:
        barrier.wait()
        try:
            step()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=take, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not errors, errors


def test_one_player_playing_two_lines_in_two_processes_stores_one_legal_game(
    two_servers: Two,
) -> None:
    """The takeover happens in the middle of both: whatever is acknowledged stands."""
    first, second = two_servers
    guest = Guest(first.origin, "Minh")
    code = guest.open_race(DEAL)
    older = guest.socket(code)
    older.send("start")
    older.until("go")
    you: int = older.frames[0]["you"]
    elsewhere = at(second, guest)
    lines = [legal_line(log_of(DEAL), 60, seed=seed) for seed in (1, 2)]
    acted: list[tuple[int, str]] = []
    sockets = {0: older}

    def play(socket: RaceSocket, line: list[str]) -> None:
        try:
            for seq, played in enumerate(line, 1):
                socket.send("act", seq=seq, code=played)
            socket.settled()
        except (ConnectionClosed, OSError):
            pass
        acted.extend((f["seq"], f["code"]) for f in socket.frames if f["type"] == "acted")

    def come_and_play() -> None:
        sockets[1] = elsewhere.socket(code)
        play(sockets[1], lines[1])

    at_once(lambda: play(older, lines[0]), come_and_play)
    game = stored_games(first, code)[you]
    stored = {(seq, played) for seq, _, played in game["log"]}
    assert set(acted) <= stored
    assert len(stored) == game["seq"]
    with elsewhere.socket(code) as again:
        welcome = again.until("welcome")
        assert welcome["seq"] == game["seq"]
        assert welcome["logs"][str(you)] == "".join(played for _, _, played in game["log"])
        assert again.act("zz", game["seq"] + 1)["reason"] == "not_an_action"
    assert "differ" not in first.manage("verify_games")


def test_a_session_key_that_postgresql_does_not_take_is_a_strangers(two_servers: Two) -> None:
    code = Guest(two_servers[0].origin, "Anh").open_race(DEAL)
    with RaceSocket(two_servers[0].origin, code, 'sessionid="\\000abcdefgh"') as socket:
        assert socket.until("welcome")["you"] is None
    assert "Traceback" not in two_servers[0].log.read_text()


LETTERS = ("SOLVEDC", "SOLVEDD")


@pytest.mark.parametrize("number", range(2))
def test_the_last_two_who_finish_at_one_instant_close_the_race_once(
    two_servers: Two, number: int
) -> None:
    layout, line = solved_deal(number)
    deal = add_revealed_deal(two_servers[0], LETTERS[number], layout)
    code, _, sockets, racers = race_across(two_servers, deal)
    for socket in sockets:
        for seq, played in enumerate(line[:-1], 1):
            socket.send("act", seq=seq, code=played)
    for socket in sockets:
        socket.until("acted", lambda f: f["seq"] == len(line) - 1)
    last = {"seq": len(line), "code": line[-1]}
    at_once(*[partial(socket.send, "act", **last) for socket in sockets])
    ends = [socket.until("closed") for socket in sockets]
    for end in ends:
        for row in end["standings"]:
            del row["online"]  # known late of others, see above
    assert ends[0] == ends[1]
    assert [row["outcome"] for row in ends[0]["standings"]] == ["won", "won"]
    versions = set()
    for socket in sockets:
        socket.settled()
        types = [frame["type"] for frame in socket.frames]
        assert types.count("closed") == 1
        assert sorted(f["racer"] for f in socket.frames if f["type"] == "finished") == sorted(
            racers
        )
        closes = [f for f in socket.frames if f["type"] == "race" and f.get("closed_at")]
        versions |= {(f["closed_at"], f["version"]) for f in closes}
    assert len(versions) == 1
    assert {game["outcome"] for game in stored_games(two_servers[0], code).values()} == {"won"}


# --- A relay in trouble ----------------------------------------------------------------------


def cut_relay(server: Server) -> int:
    """Cut the subscriptions of one process to Redis, its own connections alone."""
    ports = set()
    for handle in Path(f"/proc/{server.pid}/fd").iterdir():
        try:
            ports.add(os.readlink(handle).removeprefix("socket:[").removesuffix("]"))
        except FileNotFoundError:
            continue
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    mine = {int(line[1].split(":")[1], 16) for line in lines if line[9] in ports}
    cut = 0
    with redis.Redis.from_url(REDIS_URL) as control:
        for client in control.client_list(_type="pubsub"):
            if int(client["addr"].rsplit(":", 1)[1]) in mine:
                control.client_kill(client["addr"])
                cut += 1
    return cut


@pytest.mark.procfs
def test_what_the_relay_lost_is_heard_all_the_same_and_it_recovers(two_servers: Two) -> None:
    code, _, (one, two), racers = race_across(two_servers)
    del code
    one.act("b+")
    two.until("moved", lambda f: f["moves"][0][:2] == [racers[0], 1])
    assert cut_relay(two_servers[1]) >= 1
    began = time.monotonic()
    one.act("**", 2)
    heard = two.until("moved", lambda f: f["moves"][0][:2] == [racers[0], 2], timeout=8)
    assert heard["moves"][0][2] == "**"
    assert time.monotonic() - began < 7
    began = time.monotonic()
    line, log = [], log_of(DEAL)
    for played in ("b+", "**"):
        log = log.offer(log.seq + 1, played, 0).log  # type: ignore[union-attr]
    line = legal_line(log, 6)
    for seq, played in zip(count(3), line, strict=False):
        one.act(played, seq)
        two.until("moved", lambda f, seq=seq: f["moves"][0][:2] == [racers[0], seq])  # type: ignore[misc]
    assert time.monotonic() - began < 10, "six re-reads would have taken half a minute"
