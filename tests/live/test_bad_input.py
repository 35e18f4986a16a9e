"""Whatever is sent to the room, protocol frames and close codes are all that comes back."""

import contextlib
import json
import socket as sockets
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games import protocol
from tests.support.client import Frame, Guest, RaceSocket
from tests.support.rooms import alone, running
from tests.support.server import Server
from tests.support.stores import stored_games

KNOWN_TYPES = {message.__struct_config__.tag for message in protocol.FromServer.__args__}
"""The types of the frames that a server may send."""
BACKSLASH_U = "\\u"


@pytest.fixture(autouse=True)
def _no_traceback(server: Server, free_server: Server) -> Iterator[None]:
    """No stack trace is left in a server's log by what these tests do."""
    before = {one.log: one.log.stat().st_size for one in (server, free_server)}
    yield
    for log, size in before.items():
        with log.open() as lines:
            lines.seek(size)
            assert "Traceback" not in (said := lines.read()), said[-3_000:]


def faults(frames: list[Frame]) -> list[str]:
    return [frame["reason"] for frame in frames if frame["type"] == "fault"]


# --- Frames ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "null",
        "[]",
        "1",
        '"act"',
        "{",
        "{}",
        '{"type":"act"',
        '{"type":"act","seq":1,"code":"b+"}}',
        '{"type":"act","seq":1,"code":"b+"}{"type":"resign"}',
        '{"type":null}',
        '{"type":"welcome"}',
        '{"type":"Act","seq":1,"code":"b+"}',
        '{"type":"act","seq":"1","code":"b+"}',
        '{"type":"act","seq":1.0,"code":"b+"}',
        '{"type":"act","seq":1e0,"code":"b+"}',
        '{"type":"act","seq":true,"code":"b+"}',
        '{"type":"act","seq":NaN,"code":"b+"}',
        '{"type":"act","seq":01,"code":"b+"}',
        '{"type":"act","seq":1,"code":null}',
        '{"type":"act","seq":1,"code":["b","+"]}',
        '{"type":"act","seq":1}',
        '{"type":"act","code":"b+"}',
        f'{{"type":"act","seq":1,"code":"{BACKSLASH_U}d800"}}',
        '{"type":"act","seq":1,"code":"b+\x00"}',
        "\x00",
        "{'type':'act'}",
        '{"type":"ready","ready":1}',
        '{"type":"ready"}',
        '{"type":"ping"}',
        '{"type":"host","racer":"1"}',
        '{"type":"kick","racer":null}',
        '{"type":"options","seats":true}',
        '{"type":"options","openness":"faces"}',
        '{"type":"options","start":""}',
        '{"type":"options","time_limit_min":"60"}',
        "[" * 2_000 + "]" * 2_000,
        '{"a":' * 600 + "1" + "}" * 600,
        '{"type":' * 400 + "1" + "}" * 400,
        b"",
        b"\xff\xfe\x00",
        b'{"type":"act","seq":1,"code":"b+"}',
    ],
    ids=lambda text: repr(text)[:44],
)
def test_what_is_no_message_is_told_so_and_changes_nothing(
    free_server: Server, text: str | bytes
) -> None:
    socket = alone(free_server)
    socket.send_text(text)
    assert socket.receive() == {"type": "fault", "reason": "bad_message"}
    assert socket.act("b+", 1)["type"] == "acted"


@pytest.mark.parametrize("kind", ["rematchh", "emotion", "", "__class__", "act\x00", "ACT"])
def test_unknown_types_are_bad_messages(server: Server, kind: str) -> None:
    socket = alone(server)
    socket.send(kind, seq=1, code="b+")
    assert socket.receive() == {"type": "fault", "reason": "bad_message"}


def test_fields_too_many_or_twice_are_no_harm(server: Server) -> None:
    socket = alone(server)
    socket.send_text('{"x":[{}],"type":"act","seq":9,"seq":1,"code":"zz","code":"b+","at":-5}')
    acted = socket.receive()
    assert (acted["type"], acted["seq"], acted["code"]) == ("acted", 1, "b+")
    assert acted["at"] >= 0


def test_numbers_beyond_the_database_are_refused_like_others(free_server: Server) -> None:
    race = running(free_server)
    one = race.sockets[0]
    lobby = race.guests[1].socket(race.guests[1].open_race("CR1-N-AAAAAAC"))
    lobby.until("welcome")
    for number in (2**31, 2**53, 2**63, 2**64, 10**40, -(2**63), -1):
        one.send("ping", sent=number, heard=number)
        assert one.until("pong")["sent"] == number
        for kind, reason in (("host", "not_a_racer"), ("kick", "race_started")):
            one.send(kind, racer=number)
            assert one.until("fault")["reason"] == reason
        one.send("options", seats=number)
        assert one.until("fault")["reason"] == "race_started"
        for kind in ("host", "kick"):
            lobby.send(kind, racer=number)
            assert lobby.until("fault")["reason"] == "not_a_racer"
        for option in ("seats", "time_limit_min"):
            lobby.send("options", **{option: number})
            assert lobby.until("fault")["reason"] == "bad_option"


@pytest.mark.parametrize("text", ["x" * 4096, "я" * 2048, "😀" * 1024], ids=["1", "2", "4"])
def test_a_frame_of_exactly_4_kib_is_read_and_one_byte_more_closes(
    server: Server, text: str
) -> None:
    socket = alone(server)
    padded = json.dumps({"type": "act", "seq": 1, "code": "b+", "x": ""}, ensure_ascii=False)
    size = 4096 - len(padded)
    filler = (text * 2)[: size // len(text[0].encode())]
    filler += "y" * (size - len(filler.encode()))
    whole = padded[:-2] + filler + padded[-2:]
    assert len(whole.encode()) == 4096
    socket.send_text(whole)
    assert socket.receive()["type"] == "acted"
    socket.send_text(whole + " ")
    assert socket.until("fault")["reason"] == "bad_message"
    assert socket.closed() == 1009


@pytest.mark.parametrize("size", [4097, 60_000, 900_000])
@pytest.mark.parametrize("binary", [False, True], ids=["text", "bytes"])
def test_an_oversized_frame_closes_with_1009(server: Server, size: int, binary: bool) -> None:
    socket = alone(server)
    socket.send_text(b"x" * size if binary else "x" * size)
    assert socket.closed() == 1009
    assert faults(socket.frames) == ["bad_message"]


def test_a_frame_beyond_the_servers_own_limit_ends_the_socket_and_nothing_else(
    server: Server,
) -> None:
    socket, other = alone(server), alone(server)
    with contextlib.suppress(ConnectionClosed, OSError):
        socket.send_text("x" * 3_000_000)
    assert socket.closed() in {1006, 1009}  # daphne hangs up where a MiB is passed
    assert other.act("b+")["type"] == "acted"


def test_after_the_close_nothing_that_was_sent_is_played(free_server: Server) -> None:
    guest = Guest(free_server.origin, "Minh")
    code = guest.open_race()
    with guest.socket(code) as socket:
        socket.send("start")
        socket.until("go")
        socket.send_text("x" * 4097)
        with contextlib.suppress(ConnectionClosed):  # the close may come sooner than we send
            for seq in range(1, 4):
                socket.send("act", seq=seq, code="b+" if seq % 2 else "<<")
        assert socket.closed() == 1009
        assert "acted" not in {frame["type"] for frame in socket.frames}
    with guest.socket(code) as again:
        assert again.until("welcome")["seq"] == 0


# --- Handshakes ------------------------------------------------------------------------------


@pytest.mark.parametrize("offered", [(), ("crescent.2",), ("graphql-ws", "chat")])
def test_a_page_of_another_version_is_told_to_reload(
    server: Server, offered: tuple[str, ...]
) -> None:
    guest = Guest(server.origin, "Anh")
    with guest.socket(guest.open_race(), subprotocols=offered) as socket:
        assert socket.connection.subprotocol == (offered[0] if offered else None)
        assert socket.closed() == 4426
        assert socket.frames == []


def test_of_several_subprotocols_ours_is_chosen(server: Server) -> None:
    guest = Guest(server.origin, "Anh")
    with guest.socket(guest.open_race(), subprotocols=("chat", "crescent.1")) as socket:
        assert socket.connection.subprotocol == "crescent.1"
        socket.until("welcome")


@pytest.mark.parametrize(
    "claimed",
    ["https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "null", "file://", "x", ""],
)
def test_a_foreign_origin_is_refused_at_the_handshake(server: Server, claimed: str) -> None:
    guest = Guest(server.origin, "Anh")
    code = guest.open_race()
    with pytest.raises(InvalidStatus) as refused:
        guest.socket(code, claimed_origin=claimed)
    assert refused.value.response.status_code in {400, 403}


def raw_handshake(server: Server, code: str, *headers: str) -> str:
    """Open a socket by hand; return the status line of the answer."""
    lines = [
        f"GET /ws/races/{code}/ HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: crescent.1",
        *headers,
        "\r\n",
    ]
    with sockets.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        plain.sendall("\r\n".join(lines).encode("latin-1"))
        return plain.recv(4096).split(b"\r\n")[0].decode()


def test_a_missing_origin_is_refused_at_the_handshake(server: Server) -> None:
    code = Guest(server.origin, "Anh").open_race()
    assert " 403 " in raw_handshake(server, code)
    assert " 101 " in raw_handshake(server, code, f"Origin: {server.origin}")


@pytest.mark.parametrize(
    "code",
    [
        "AAAAAAA",
        "%00",
        "AAAAAA%00",
        "%ff%fe",
        "%0A",
        "..%2f..",
        "A" * 16,
        "A" * 4_000,
        "ß",
        "%F0%9F%98%80",
    ],
)
def test_any_wrong_address_is_no_such_race(server: Server, code: str) -> None:
    with Guest(server.origin, "Anh").socket(code) as socket:
        assert socket.closed() == 4404
        assert socket.frames == []


@pytest.mark.parametrize(
    "cookie", ["sessionid=", "sessionid=x", 'sessionid="\\000abcdefgh"', "=;;"]
)
def test_a_broken_session_watches_like_a_stranger(server: Server, cookie: str) -> None:
    code = Guest(server.origin, "Anh").open_race()
    with RaceSocket(server.origin, code, cookie) as socket:
        assert socket.until("welcome")["you"] is None


# --- Others' games ---------------------------------------------------------------------------


def test_a_foreign_seat_can_neither_be_played_nor_given_up(free_server: Server) -> None:
    race = running(free_server)
    other, watcher = Guest(free_server.origin, "Mallory"), Guest(free_server.origin)
    for guest in (other, watcher):
        with guest.socket(race.code) as socket:
            welcome = socket.until("welcome")
            assert (welcome["you"], welcome["table"], welcome["seen"]) == (None, None, {})
            refused = socket.act("b+", 1)
            assert (refused["type"], refused["reason"]) == ("refused", "not_a_racer")
            mine: tuple[tuple[str, dict[str, object]], ...] = (
                ("resign", {}),
                ("unresign", {}),
                ("ready", {"ready": True}),
                ("start", {}),
            )
            for kind, fields in mine:
                socket.send(kind, **fields)
                assert socket.until("fault")["reason"] == "not_a_racer"
            hosts: tuple[tuple[str, dict[str, object]], ...] = (
                ("call_off", {}),
                ("options", {"seats": 3}),
                ("host", {"racer": race.racers[1]}),
                ("kick", {"racer": race.racers[1]}),
            )
            for kind, fields in hosts:
                socket.send(kind, **fields)
                assert socket.until("fault")["reason"] in {"not_host", "not_a_racer"}
    for socket in race.sockets:
        assert {frame["type"] for frame in socket.settled()} <= {"racer"}
    games = stored_games(free_server, race.code)
    assert [(game["seq"], game["outcome"]) for game in games.values()] == [(0, None)] * 2


def test_who_gave_the_seat_up_is_a_stranger_to_the_race_that_starts(free_server: Server) -> None:
    """Leaving by HTTP while the socket stays open: neither a table nor a say is left."""
    host, fickle = Guest(free_server.origin, "Anh"), Guest(free_server.origin, "Oksana")
    code = host.open_race(seats=2)
    fickle.take_seat(code)
    with host.socket(code) as one, fickle.socket(code) as two:
        two.until("welcome")
        assert fickle.request("DELETE", f"/api/races/{code}/seat").status_code == 204
        one.until("racer", lambda f: f.get("left"))
        one.send("start")
        assert two.until("go")["table"] is None
        two.send("sync")
        welcome = two.until("welcome")
        assert (welcome["you"], welcome["table"], welcome["seen"]) == (None, None, {})
        assert two.act("b+", 1)["reason"] == "not_a_racer"
        two.send("resign")
        assert two.until("fault")["reason"] == "not_a_racer"


# --- Floods ----------------------------------------------------------------------------------


def test_a_flood_is_told_then_closed_and_others_play_on(server: Server) -> None:
    race = running(server)
    one, two = race.sockets
    pings = threading.Event()

    def flood() -> None:
        try:
            for number in range(3_000):
                one.send("ping", sent=number, heard=0)
        except (ConnectionClosed, OSError):
            pings.set()

    flooding = threading.Thread(target=flood)
    flooding.start()
    assert two.act("b+")["type"] == "acted"
    assert one.closed() == 4429
    flooding.join(10)
    assert 1 <= faults(one.frames).count("too_fast") <= 4
    assert sum(frame["type"] == "pong" for frame in one.frames) < 200
    assert two.act("**")["type"] == "acted"
    warned = [line for line in server.log.read_text().splitlines() if race.code in line]
    assert len(warned) == 1  # the log says what happened once
    with race.guests[0].socket(race.code) as again:
        assert again.until("welcome")["you"] == race.racers[0]
        assert again.act("b+", 1)["type"] == "acted"


def test_a_burst_is_no_flood_and_what_was_dropped_can_be_sent_again(server: Server) -> None:
    socket = alone(server)
    for seq in range(1, 91):
        socket.send("act", seq=seq, code="b+" if seq % 2 else "<<")
    assert socket.until("fault")["reason"] == "too_fast"
    time.sleep(1)
    socket.send("sync")
    reached = socket.until("welcome")["seq"]
    assert 55 <= reached <= 90
    assert socket.act("b+" if reached % 2 == 0 else "<<", reached + 1)["type"] == "acted"


def test_syncs_are_answered_once_in_two_seconds(server: Server) -> None:
    socket = alone(server)
    socket.send("sync")
    socket.until("welcome")
    socket.send("sync")
    assert socket.until("fault")["reason"] == "too_fast"


# --- Fuzz ------------------------------------------------------------------------------------

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=8)
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
_fields = {
    "seq": st.integers(-1, 4) | _values,
    "code": st.sampled_from(["b+", "<<", "**", "ab", "S+"]) | _values,
    "ready": st.booleans() | _values,
    "racer": st.integers(0, 30) | _values,
    "seats": st.integers(0, 60) | _values,
    "openness": st.sampled_from(["moves", "cards", "progress"]) | _values,
    "undo": st.booleans() | _values,
    "start": st.sampled_from(["host", "all_ready"]) | _values,
    "time_limit_min": st.integers(0, 200) | _values,
    "listed": st.booleans() | _values,
    "agree": _values,
    "id": _values,
    "game": _values,
    "sent": st.integers() | _values,
    "heard": st.integers() | _values,
}
_types = st.sampled_from(
    [
        "act",
        "act",
        "act",
        "ready",
        "options",
        "host",
        "kick",
        "leave",
        "unresign",
        "sync",
        "ping",
        "call_off",
        "start",
        "rematch",
        "emote",
        "ghost",
        "welcome",
        "go",
    ]
)


@st.composite
def _texts(draw: st.DrawFn) -> str:
    """A real message, mutated: fields lost, foreign, of other types; text cut, doubled, changed."""
    names = draw(st.lists(st.sampled_from(sorted(_fields)), max_size=4, unique=True))
    message = {"type": draw(_types | _values), **{name: draw(_fields[name]) for name in names}}
    text = json.dumps(message, ensure_ascii=draw(st.booleans()))
    if draw(st.integers(0, 3)) == 0:
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.text(max_size=3)) + text[place + draw(st.integers(0, 4)) :]
    return text.encode("utf-8", "replace").decode()


def test_no_mutated_message_gets_anything_but_frames_of_the_protocol(free_server: Server) -> None:
    """In a lobby, in a running game and as a watcher; a fellow racer's game is not touched."""
    race = running(free_server)
    two = race.sockets[1]
    two.act("b+")
    guest = Guest(free_server.origin, "Fuzzer")
    lobby_code = guest.open_race("CR1-N-AAAAAAD", seats=50)
    seated: list[RaceSocket] = []

    def opened() -> list[RaceSocket]:
        for number, (who, code) in enumerate(
            ((guest, lobby_code), (race.guests[0], race.code), (guest, race.code))
        ):
            if len(seated) <= number:
                seated.append(who.socket(code))
        return seated

    count = 0

    @settings(
        max_examples=150,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(_texts(), min_size=5, max_size=12))
    def fuzz(texts: list[str]) -> None:
        nonlocal count
        for socket in opened():
            for text in texts:
                socket.send_text(text)
            count += len(texts)
            for frame in socket.settled():
                assert frame["type"] in KNOWN_TYPES
                if frame["type"] in {"fault", "refused"}:
                    assert frame["reason"].replace("_", "").isalpha()

    fuzz()
    assert count > 2_000
    assert {frame["type"] for frame in two.settled()} <= {"moved", "racer", "race", "finished"}
    assert two.act("**")["seq"] == 2
    assert "differ" not in free_server.manage("verify_games")
