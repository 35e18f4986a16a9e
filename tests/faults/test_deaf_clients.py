"""Who stops reading costs a bounded amount of memory and is closed with 4408; nobody else is."""

import signal
from pathlib import Path

import pytest

from tests.faults.wire import BareSocket
from tests.support.rooms import alone
from tests.support.server import Server

KINDS = ("daphne", "uvicorn")
WAVES, CHUNK = 12_000, 400


def resident_mib(server: Server) -> float:
    for line in Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


@pytest.mark.parametrize("kind", KINDS)
def test_who_stops_reading_is_closed_and_who_reads_without_a_word_is_not(
    kind: str, tmp_path: Path
) -> None:
    options = {"CRESCENT_LIMITS": "off"}
    with Server(tmp_path, environment=options, arguments=("--server", kind)) as server:
        racer = alone(server)
        code = str(racer.frames[0]["race"]["code"])
        with (
            BareSocket(server.origin, code) as reader,
            BareSocket(server.origin, code) as deaf,
            BareSocket(server.origin, code) as chatty,
        ):
            reader.until("welcome")
            before = resident_mib(server)
            for _ in range(WAVES // CHUNK):
                for _ in range(CHUNK):
                    racer.send("emote", id="wave")
                racer.settled()
                chatty.socket.sendall(chatty.message("ping", sent=1, heard=1))
                for _ in range(CHUNK):
                    reader.until("emote")
            assert resident_mib(server) - before < 12
            assert deaf.close_code() == 4408
            assert chatty.close_code() == 4408
            reader.socket.sendall(reader.message("ping", sent=7, heard=0))
            assert reader.until("pong")["sent"] == 7


@pytest.mark.parametrize("kind", KINDS)
def test_who_does_not_read_cannot_hold_a_process_that_ends(kind: str, tmp_path: Path) -> None:
    options = {"CRESCENT_LIMITS": "off"}
    with Server(tmp_path, environment=options, arguments=("--server", kind)) as server:
        racer = alone(server)
        with BareSocket(server.origin, str(racer.frames[0]["race"]["code"])):
            for _ in range(20):
                for _ in range(CHUNK):
                    racer.send("emote", id="wave")
                racer.settled()
            process = server._process
            assert process is not None
            process.send_signal(signal.SIGTERM)
            assert process.wait(12) == 0
