"""Real messages, malformed, mutated and out of order, get frames of the protocol and nothing else."""

import random
from pathlib import Path

import pytest

from tests.faults.fuzzing import Fuzzer, log_of
from tests.support.server import Server

MESSAGES = 6_000
"""`python -m tests.faults.fuzzing` sends 100,000."""


@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
async def test_nothing_that_a_socket_sends_is_a_fault_of_the_server(
    kind: str, tmp_path: Path
) -> None:
    options = {"CRESCENT_LIMITS": "off"}
    with Server(tmp_path, environment=options, arguments=("--server", kind)) as server:
        fuzzer = Fuzzer(server, random.Random(random.getrandbits(64)))
        await fuzzer.run(MESSAGES)
        assert fuzzer.wrongs == []
        assert log_of(server) == []
        assert "differ" not in server.manage("verify_games")
    assert {"acted", "refused", "fault", "welcome"} <= set(fuzzer.frames)
    assert {"bad_message", "gap", "stale", "not_a_racer"} <= set(fuzzer.reasons)
