"""What watches the service: readiness, numbers, log lines."""

import json
import os
from pathlib import Path

import httpx
import pytest

from tests.support.client import Guest
from tests.support.needs import REDIS_URL
from tests.support.rooms import running
from tests.support.server import Server, free_port


def numbers(server: Server) -> dict[str, float]:
    text = httpx.get(f"{server.origin}/metrics").text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_what_was_played_is_counted_and_logged_without_a_card(tmp_path: Path) -> None:
    options = {"CRESCENT_LIMITS": "off", "CRESCENT_LOG": "json"}
    with Server(tmp_path, environment=options) as server:
        race = running(server)
        one, two = race.sockets
        assert one.act("b+")["type"] == "acted"
        assert one.act("aa")["reason"] == "same_place"
        one.send_text("nonsense")
        one.until("fault")
        counted = numbers(server)
        assert counted["crescent_sockets"] == 2
        assert counted["crescent_races_live"] == 1
        assert counted["crescent_actions_total"] == 1
        assert counted['crescent_refused_total{reason="same_place"}'] == 1
        assert counted['crescent_refused_total{reason="bad_message"}'] == 1
        assert counted["crescent_batch_actions_count"] == counted["crescent_commit_seconds_count"]
        assert counted["crescent_answer_seconds_count"] == 1
        assert counted["crescent_announcements_failed_total"] == 0
        assert counted["process_resident_memory_bytes"] > 0
        two.send("resign")
        one.until("finished")
        server.stop()
        lines = [json.loads(line) for line in server.log.read_text().splitlines()[1:]]
    marks = {"race": race.code, "player": race.guests[0].player, "game": race.racers[0]}
    bad = next(line for line in lines if line["message"].startswith("a bad message"))
    assert marks.items() <= bad.items()
    ended = next(line for line in lines if "ended" in line["message"])
    assert ended["game"] == race.racers[1]


def test_a_clients_mistake_is_one_line_of_the_log(tmp_path: Path) -> None:
    with Server(tmp_path, arguments=("--server", "uvicorn")) as server:
        guest, before = Guest(server.origin), server.log.read_text()
        kind = {"Content-Type": "multipart/form-data"}  # without the boundary that it needs
        answer = guest.http.post("/api/guest", content=b"x", headers=kind)
        assert (answer.status_code, answer.json()["reason"]) == (400, "bad_message")
        (line,) = server.log.read_text().removeprefix(before).splitlines()
        assert "/api/guest" in line


def test_a_process_is_ready_where_its_database_answers(server: Server) -> None:
    answer = httpx.get(f"{server.origin}/readyz", headers={"Host": "anything"})
    assert (answer.status_code, answer.json()) == (200, {"database": "ok"})


@pytest.mark.redis
@pytest.mark.postgres
def test_a_process_is_ready_where_both_stores_answer(two_servers: tuple[Server, Server]) -> None:
    answer = httpx.get(f"{two_servers[0].origin}/readyz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "redis": "ok"})


def test_a_process_without_its_stores_is_up_and_not_ready(tmp_path: Path) -> None:
    nowhere = free_port()
    stores = {
        "DATABASE_URL": f"postgres://nobody@127.0.0.1:{nowhere}/nothing",
        "REDIS_URL": f"redis://127.0.0.1:{nowhere}/0",
        "CRESCENT_PREFIX": f"crescent-test-{os.getpid()}",
    }
    server = Server(tmp_path, environment=stores).start()  # nothing to migrate
    try:
        answer = httpx.get(f"{server.origin}/readyz", timeout=20)
        assert answer.status_code == 503
        assert answer.json() == {"database": "failed", "redis": "failed"}
        assert REDIS_URL not in answer.text
    finally:
        server.stop()
