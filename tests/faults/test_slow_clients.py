"""Who sends byte by byte is served like anybody, and holds nobody up."""

import time
from pathlib import Path

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
