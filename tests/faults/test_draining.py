"""Told to end, a process answers what it has taken, sends everybody away with 1012 and exits 0."""

import signal
import time
from pathlib import Path

import pytest

from tests.support.lines import legal_line
from tests.support.rooms import log_of, running
from tests.support.server import Server
from tests.support.stores import stored_games

KINDS = ("daphne", "uvicorn")
DEAL = "CR1-N-AAAAAAB"


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_told_to_end_answers_what_it_took_and_says_restart(
    kind: str, tmp_path: Path
) -> None:
    with Server(
        tmp_path, environment={"CRESCENT_LIMITS": "off"}, arguments=("--server", kind)
    ) as server:
        race = running(server)
        process = server._process
        assert process is not None
        line = legal_line(log_of(DEAL), 400)
        for socket in race.sockets:
            for seq, code in enumerate(line, 1):
                socket.send("act", seq=seq, code=code)
        race.sockets[0].until("acted", lambda frame: frame["seq"] == 5)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert [socket.closed() for socket in race.sockets] == [1012, 1012]
        assert process.wait(10) == 0
        assert time.monotonic() - began < 10
        stored = stored_games(server, race.code)
        for racer, socket in zip(race.racers, race.sockets, strict=True):
            acted = [frame for frame in socket.frames if frame["type"] == "acted"]
            logged = [[seq, code] for seq, _, code in stored[racer]["log"]]
            assert [[frame["seq"], frame["code"]] for frame in acted] == logged
        assert "Traceback" not in server.log.read_text()
        server.start()
        for guest, racer in zip(race.guests, race.racers, strict=True):
            with guest.socket(race.code) as again:
                assert again.until("welcome")["seq"] == len(stored[racer]["log"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("interrupt", [signal.SIGTERM, signal.SIGINT])
def test_a_process_without_visitors_ends_at_once(
    kind: str, interrupt: signal.Signals, tmp_path: Path
) -> None:
    with Server(tmp_path, arguments=("--server", kind)) as server:
        process = server._process
        assert process is not None
        began = time.monotonic()
        process.send_signal(interrupt)
        assert process.wait(10) == 0
        assert time.monotonic() - began < 3
        assert "Traceback" not in server.log.read_text()
