"""Many at once, and sockets that are there only by half: nobody else notices."""

import threading
from concurrent.futures import ThreadPoolExecutor
from socket import create_connection

from tests.support.client import Guest, RaceSocket
from tests.support.server import Server


def test_a_start_decides_once_while_one_joins_one_leaves_and_one_is_ready(
    free_server: Server,
) -> None:
    """Whoever was answered "seated" races, and whoever was answered "left" doesn't."""
    for _ in range(4):
        rush(free_server)


def rush(server: Server) -> None:
    host, second, third = (Guest(server.origin, name) for name in ("Anh", "Oksana", "Minh"))
    code = host.open_race(seats=3)
    second.take_seat(code)
    one, two = host.socket(code), second.socket(code)
    one.until("welcome")
    two.until("welcome")
    barrier = threading.Barrier(4)

    def at_once(method: str) -> int:
        barrier.wait()
        if method == "start":
            one.send("start")
            return 0
        who = third if method == "POST" else second
        return who.request(method, f"/api/races/{code}/seat").status_code

    with ThreadPoolExecutor(4) as pool:
        *_, joined, left = pool.map(at_once, ("start", "start", "POST", "DELETE"))
    one.until("race", lambda f: f.get("starts_at"))
    assert joined in {201, 409}
    assert left in {204, 409}
    names = {row["name"] for row in host.get(f"/api/races/{code}")["racers"]}
    assert ("Minh" in names) == (joined == 201)
    assert ("Oksana" in names) == (left == 409)
    two.send("ready", ready=True)
    assert two.until("fault")["reason"] in {"race_started", "not_a_racer"}
    assert not [f for f in one.settled() if f["type"] == "fault"]
    starts = [f["starts_at"] for f in one.frames if f["type"] == "race" and f.get("starts_at")]
    assert len(starts) == 1


def test_two_hundred_sockets_that_come_at_once_are_all_let_in(free_server: Server) -> None:
    guest = Guest(free_server.origin, "Anh")
    code = guest.open_race(seats=3)

    def come(_: int) -> int | None:
        with RaceSocket(free_server.origin, code, "") as socket:
            you: int | None = socket.until("welcome")["you"]
            return you

    with ThreadPoolExecutor(40) as pool:
        assert list(pool.map(come, range(200))) == [None] * 200
    with guest.socket(code) as mine:
        assert mine.until("welcome")["you"] is not None


def test_half_frames_half_handshakes_and_ping_floods_hold_nobody_up(free_server: Server) -> None:
    guest = Guest(free_server.origin, "Anh")
    code = guest.open_race(seats=3)
    mine = guest.socket(code)
    mine.until("welcome")
    halves = [RaceSocket(free_server.origin, code, "") for _ in range(20)]
    for half in halves:
        half.connection.socket.sendall(b'\x81\xfe\x00\x80\x00\x00\x00\x00{"type":')
    slow = [create_connection(("127.0.0.1", free_server.port)) for _ in range(20)]
    for plain in slow:
        plain.sendall(b"GET /ws/races/")
    flooding = RaceSocket(free_server.origin, code, "")
    flooding.until("welcome")
    flooding.connection.socket.sendall(b"\x89\x80\x00\x00\x00\x00" * 5_000)
    mine.settled()
    mine.send("options", seats=4)
    assert mine.until("race", timeout=5)["seats"] == 4
    for plain in slow:
        plain.close()
    for half in halves:
        half.cut()
    mine.settled()


def test_a_message_in_fragments_is_measured_whole(free_server: Server) -> None:
    code = Guest(free_server.origin, "Anh").open_race()
    socket = RaceSocket(free_server.origin, code, "")
    socket.until("welcome")

    def fragment(opcode: int, data: bytes) -> bytes:
        length = (
            bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        )
        return bytes([opcode]) + length + bytes(4) + data

    whole = b'{"type":"ping","sent":1,"heard":0}'
    parts = fragment(0x01, whole[:10]) + fragment(0x00, whole[10:20]) + fragment(0x80, whole[20:])
    socket.connection.socket.sendall(parts)
    assert socket.until("pong")["sent"] == 1
    filler = b" " * 2_000
    socket.connection.socket.sendall(
        fragment(0x01, filler) + fragment(0x00, filler) + fragment(0x80, filler)
    )
    assert socket.until("fault")["reason"] == "bad_message"
    assert socket.closed() == 1009
