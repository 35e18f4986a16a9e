"""The racers count what a server really sent, drops and refusals included, however bytes are cut."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.load import SOURCES, build

from .stand_in import Manners, StandIn, standing_in

pytestmark = pytest.mark.c_compiler

SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
RACES, SEATS, WATCHERS = 3, 4, 2


@pytest.fixture(scope="module")
def racers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("-Werror", *SANITIZERS, into=tmp_path_factory.mktemp("racers"))


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    lines = ["# three races", "script all " + "abcd<<**S+a-" * 4000]
    for race in range(RACES):
        lines += [f"racer R{race} all sessionid={race}{seat}; csrftoken=t" for seat in range(SEATS)]
        lines += [f"watcher R{race} -"] * WATCHERS
    path = tmp_path / "plan"
    path.write_text("\n".join(lines) + "\n")
    return path


def race(
    racers: Path, plan: Path, manners: Manners, *options: str, well: bool
) -> tuple[dict[str, Any], StandIn]:
    """Let the racers play against a stand-in for a moment; gives their report and the stand-in."""
    timing = ("--warm", "0.05", "--seconds", "0.3", "--patience", "3")
    with standing_in(manners) as (stand_in, port):
        done = subprocess.run(
            [racers, "--json", "--plan", plan, "--port", str(port), *timing, *options],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert "Sanitizer" not in done.stderr
    assert "runtime error" not in done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 0) == well == report["well"], done.stderr
    return report, stand_in


@pytest.mark.parametrize("rate", ["0", "20"])
def test_every_act_and_every_push_is_counted(racers: Path, plan: Path, rate: str) -> None:
    report, stand_in = race(racers, plan, Manners(), "--rate", rate, well=True)
    assert report["acted"] == report["sent"] == stand_in.acts > 0
    assert report["pushes_delivered"] == report["pushes_expected"] == stand_in.pushes
    assert stand_in.pushes == stand_in.acts * (SEATS + WATCHERS)
    assert 0 < report["acted_ms"]["p50"] <= report["acted_ms"]["p99"] <= report["acted_ms"]["max"]


def test_the_open_loop_keeps_its_rate(racers: Path, plan: Path) -> None:
    report, _ = race(racers, plan, Manners(), "--rate", "50", "--seconds", "1", well=True)
    assert report["offered_a_second"] == pytest.approx(50 * RACES * SEATS, rel=0.25)


@pytest.mark.parametrize(
    ("manners", "options"),
    [
        (Manners(piece=1), ()),
        (Manners(fragment=1), ()),
        (Manners(fragment=7, piece=3), ()),
        (Manners(), ("--read-at-most", "1")),
    ],
)
def test_messages_are_whole_however_bytes_are_cut(
    racers: Path, plan: Path, manners: Manners, options: tuple[str, ...]
) -> None:
    report, stand_in = race(racers, plan, manners, "--rate", "4", *options, well=True)
    assert report["pushes_delivered"] == stand_in.pushes
    assert report["unreadable"] == 0
    assert (stand_in.pongs > 0) == (manners.fragment > 0)


def test_a_dropped_push_is_missed(racers: Path, plan: Path) -> None:
    report, stand_in = race(racers, plan, Manners(drop_push=50), "--rate", "20", well=False)
    missing = report["pushes_expected"] - report["pushes_delivered"]
    assert missing == stand_in.pushes // 50 > 0


def test_a_refused_racer_goes_on_and_the_refusal_is_counted(racers: Path, plan: Path) -> None:
    report, _ = race(racers, plan, Manners(refuse=7), well=False)
    assert report["refusals"]["unavailable"] > 1
    assert report["acted"] + report["refused"] == report["sent"]
    assert report["pushes_delivered"] == report["pushes_expected"]
    assert report["halted"] == 0


def test_a_close_is_counted_by_its_code(racers: Path, plan: Path) -> None:
    report, _ = race(racers, plan, Manners(close_after=30), well=False)
    assert report["closes"]["4429"] > 0


def test_an_answer_that_never_comes_is_missed(racers: Path, plan: Path) -> None:
    report, _ = race(racers, plan, Manners(silent=20), "--patience", "0.5", well=False)
    assert report["sent"] - report["acted"] == 1
    assert not report["settled"]


def test_a_script_played_to_its_end_is_no_good_run(racers: Path, plan: Path) -> None:
    plan.write_text(plan.read_text().replace("abcd<<**S+a-" * 4000, "abcd<<"))
    report, _ = race(racers, plan, Manners(), well=False)
    assert report["played_out"] == RACES * SEATS


def test_a_storm_ends_when_all_have_their_welcome(racers: Path, plan: Path) -> None:
    report, stand_in = race(racers, plan, Manners(), "--mode", "storm", well=True)
    assert report["joined"] == len(stand_in.heads) == RACES * (SEATS + WATCHERS)


def test_idle_sockets_ping_and_hear_the_pongs(racers: Path, plan: Path) -> None:
    options = ("--mode", "idle", "--ping", "0.05")
    report, _ = race(racers, plan, Manners(), *options, well=True)
    assert report["pongs"] == report["pings"] > 0


def test_the_handshake_says_what_a_browser_says(racers: Path, plan: Path) -> None:
    _, stand_in = race(racers, plan, Manners(), "--mode", "storm", well=True)
    head = next(head for head in stand_in.heads if "sessionid=12;" in head)
    host = head.split("Host: ")[1].split("\r\n")[0]
    assert head.startswith("GET /ws/races/R1/ HTTP/1.1\r\n")
    assert f"\r\nOrigin: http://{host}\r\n" in head
    assert "\r\nCookie: sessionid=12; csrftoken=t\r\n" in head
    assert "\r\nSec-WebSocket-Protocol: crescent.1\r\n" in head


def test_load_goes_to_the_loopback_only(racers: Path, plan: Path) -> None:
    command = [str(racers), "--plan", str(plan), "--port", "9", "--address", "10.0.0.1"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2


def test_damaged_bytes_do_no_harm_to_the_reader(tmp_path: Path) -> None:
    program = tmp_path / "try_wire"
    sources = [Path(__file__).with_name("try_wire.c"), SOURCES / "wire.c"]
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", *SANITIZERS, f"-I{SOURCES}"]
    subprocess.run(["cc", *flags, *sources, "-o", program], check=True)
    subprocess.run([program], check=True, timeout=120)
