"""Who sends byte by byte, or much at a time, is served like anybody, and holds nobody up."""

import socket
import time
from pathlib import Path
from random import Random

import pytest

from tests.faults.wire import BareSocket
from tests.support.rooms import running
from tests.support.server import Server


@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
def test_a_slow_sender_is_answered_and_delays_nobody(kind: str, tmp_path: Path) -> None:
    options = {"CRESCENT_LIMITS": "off"}
    with Server(tmp_path, environment=options, arguments=("--server", kind)) as server:
        race = running(server)
        one, two = race.sockets
        two.close()
        with BareSocket(server.origin, race.code, race.guests[1]._cookies()) as slow:
            assert slow.until("welcome")["you"] == race.racers[1]
            waits = []
            for byte in slow.message("act", seq=1, code="b+"):
                slow.socket.sendall(bytes([byte]))
                began = time.monotonic()
                one.settled()
                waits.append(time.monotonic() - began)
            assert slow.until("acted")["seq"] == 1
            assert sorted(waits)[len(waits) // 2] < 0.2
        assert one.until("moved")["moves"][0][0] == race.racers[1]


@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
def test_it_does_not_matter_where_a_stream_is_cut(kind: str, tmp_path: Path) -> None:
    chance = Random(1)
    options = {"CRESCENT_LIMITS": "off"}
    with Server(tmp_path, environment=options, arguments=("--server", kind)) as server:
        race = running(server)
        for one in race.sockets:
            one.close()
        with BareSocket(server.origin, race.code, race.guests[0]._cookies()) as client:
            client.until("welcome")
            client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = b""
            for number in range(300):
                frame = client.message("ping", sent=number, heard=0)
                stream += in_pieces(frame, chance) if number % 3 else frame
                if number % 7 == 0:
                    stream += PING
            while stream:
                size = chance.choice((1, 2, 6, 30, 46, 47, 48, 300))
                client.socket.sendall(stream[:size])
                stream = stream[size:]
                time.sleep(0.001)
            answers = [client.until("pong")["sent"] for _ in range(300)]
    assert answers == list(range(300))


PING = b"\x89\x82\0\0\0\0hi"


def in_pieces(frame: bytes, chance: Random) -> bytes:
    """Write a short text as two frames with a ping between them, or as it is."""
    mask, masked = frame[2:6], frame[6:]
    cut = 4 * chance.randrange(len(masked) // 4)
    if not cut:
        return frame
    first = bytes((0x01, 0x80 | cut)) + mask + masked[:cut]
    return first + PING + bytes((0x80, 0x80 | (len(masked) - cut))) + mask + masked[cut:]
