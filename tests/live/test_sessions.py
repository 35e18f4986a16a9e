"""A session that ends takes its sockets with it, in every process, and no others."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.client import Guest, RaceSocket
from tests.support.lines import winning_line
from tests.support.server import Server

DEAL = "CR1-N-AAAAAAB"
PASSWORD = "seven of spades"
NEW = "eight of hearts"
Servers = tuple[Server, Server]


@pytest.fixture(
    params=[
        "one process",
        pytest.param("two processes", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def servers(request: pytest.FixtureRequest) -> Servers:
    """Where a session ends, and where its sockets are."""
    if request.param == "one process":
        server: Server = request.getfixturevalue("free_server")
        return server, server
    pair: Servers = request.getfixturevalue("two_servers")
    return pair


def post(session: Guest, path: str, **fields: str) -> int:
    """Send a form; return the status of the answer."""
    token = {"csrfmiddlewaretoken": session.http.cookies["csrftoken"]}
    return session.http.post(path, data={**token, **fields}).status_code


def account(server: Server, name: str) -> Guest:
    """Make a guest, and an account of them."""
    guest = Guest(server.origin, name)
    wish = {"name": name, "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert post(guest, "/account/", **wish) == 302
    return guest


def signed_in(server: Server, name: str, session: Guest | None = None) -> Guest:
    """Sign a session in, a new one where none is given."""
    session = session or Guest(server.origin)
    assert post(session, "/account/sign-in/", username=name, password=PASSWORD) == 302
    return session


@contextmanager
def room(server: Server, session: Guest, code: str) -> Iterator[RaceSocket]:
    """Open a race's socket at a process, with the session of another."""
    there = Guest(server.origin)
    there.http.cookies = session.http.cookies
    with there.socket(code) as socket:
        socket.until("welcome")
        yield socket


def test_signing_out_closes_the_sockets_of_this_session_alone(servers: Servers) -> None:
    here, there = servers
    name = f"Anh {there.port}"
    anh = account(here, name)
    elsewhere = signed_in(there, name)
    code = anh.open_race(seats=2)
    other = anh.open_race(seats=1)
    with (
        room(there, anh, code) as own,
        room(there, elsewhere, other) as kept,
        room(there, Guest(there.origin), code) as watcher,
    ):
        assert post(anh, "/account/sign-out/") == 302
        assert own.closed() == 4401
        for socket in (kept, watcher):
            socket.settled()
    with anh.socket(code) as back:
        assert back.until("welcome")["you"] is None


def test_a_new_password_closes_the_sockets_of_all_other_sessions(servers: Servers) -> None:
    here, there = servers
    name = f"Linh {there.port}"
    linh = account(here, name)
    code = linh.open_race(seats=2)
    other = linh.open_race(seats=1)
    elsewhere = signed_in(there, name)
    with room(there, linh, code) as kept, room(there, elsewhere, other) as ended:
        fields = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
        assert post(linh, "/account/password/", **fields) == 302
        assert ended.closed() == 4401
        kept.settled()
    with elsewhere.socket(code) as back:
        assert back.until("welcome")["you"] is None
    with linh.socket(code) as own:
        assert own.until("welcome")["you"] is not None


def test_a_socket_from_before_the_account_is_known_by_its_session(servers: Servers) -> None:
    here, there = servers
    guest = Guest(here.origin, "Minh")
    code = guest.open_race()
    name = f"Minh {there.port}"
    with room(there, guest, code) as socket:
        wish = {"name": name, "new_password1": PASSWORD, "new_password2": PASSWORD}
        assert post(guest, "/account/", **wish) == 302
        socket.send("start")
        socket.until("go")
        assert socket.act("b+")["type"] == "acted"
        assert post(guest, "/account/sign-out/") == 302
        assert socket.closed() == 4401


def test_signing_in_ends_the_guest_that_the_browser_was(servers: Servers) -> None:
    here, there = servers
    name = f"Oksana {there.port}"
    account(here, name)
    guest = Guest(here.origin, "Petro")
    code = guest.open_race()
    with room(there, guest, code) as socket:
        signed_in(here, name, guest)
        assert socket.closed() == 4401


def test_a_room_that_is_live_knows_whose_a_game_is_once_it_was_taken_along(
    servers: Servers,
) -> None:
    here, there = servers
    name = f"Halyna {there.port}"
    account(here, name)
    guest = Guest(here.origin, "Nam")
    code = guest.open_race(DEAL)
    with room(there, Guest(there.origin), code) as watcher:
        with room(there, guest, code) as socket:
            racer = socket.frames[0]["you"]
            socket.send("start")
            socket.until("go")
            for played in winning_line(DEAL):
                assert socket.act(played)["type"] == "acted"
            socket.until("closed")
        fields = {"username": name, "password": PASSWORD, "take_along": "on"}
        assert post(guest, "/account/sign-in/", **fields) == 302
        with room(there, guest, code) as own:
            assert own.frames[0]["you"] == racer
            assert [row["name"] for row in own.frames[0]["racers"]] == [name]
        watcher.settled()
