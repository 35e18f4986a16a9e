"""What a race took is given back: after everybody has left, a process is as it was."""

from pathlib import Path

import httpx
import pytest

from tests.faults import alive
from tests.support.client import RaceSocket, close_all
from tests.support.rooms import alone
from tests.support.server import Server

WARM, ROUNDS, RACES = 3, 4, 6
PER_RACE = 60
"""Blocks of memory that a race may leave behind, on average, of the thousands that it takes: what
belongs to the standard library's caches, such as that of addresses, until they have their size."""


def play_a_round(server: Server) -> None:
    """Play in several races with a watcher in each, and leave in one way or the other."""
    sockets: list[RaceSocket] = []
    for number in range(RACES):
        racer = alone(server)
        watcher = RaceSocket(server.origin, str(racer.frames[0]["race"]["code"]), "")
        watcher.until("welcome")
        for code in ("b+", "**", "aa", "<<"):
            racer.act(code, racer.seq + 1)
        racer.send_text("nonsense")
        if number % 2:
            racer.send("resign")
        racer.settled()
        sockets += [racer, watcher]
    for number, socket in enumerate(sockets):
        if number % 3:
            socket.close()
        else:
            socket.cut()
    close_all()


@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
def test_races_that_everybody_has_left_take_no_memory(kind: str, tmp_path: Path) -> None:
    environment = {"CRESCENT_LIMITS": "off", **alive.environment(tmp_path)}
    with Server(tmp_path, environment=environment, arguments=("--server", kind)) as server:
        empty, used = alive.count(server), list[int]()
        for _ in range(WARM + ROUNDS):
            play_a_round(server)
            assert alive.left_over(server, empty) == {}
            used.append(alive.blocks(server))
        grown = (used[-1] - used[WARM - 1]) / (ROUNDS * RACES)
        assert grown < PER_RACE, used
        numbers = httpx.get(f"{server.origin}/metrics").text
        for gauge in ("crescent_sockets", "crescent_races_live", "crescent_actions_queued"):
            assert f"\n{gauge} 0.0\n" in numbers
