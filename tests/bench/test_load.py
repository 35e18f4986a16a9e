"""What a run is set up with, and what is made of its reports."""

import json
from pathlib import Path

import pytest

from bench.load import figure, line_length, main, medians
from bench.plan import PlannedRace, seat_sizes, write_plan


def test_racers_are_spread_evenly_over_the_races() -> None:
    assert seat_sizes(100, 25) == [4] * 25
    assert seat_sizes(10, 4) == [3, 3, 2, 2]


@pytest.mark.parametrize(("racers", "races"), [(3, 4), (3, 0), (0, 1)])
def test_a_race_without_racers_is_not_planned(racers: int, races: int) -> None:
    with pytest.raises(ValueError, match="can't fill"):
        seat_sizes(racers, races)


def test_a_plan_names_a_script_before_the_racer_who_plays_it(tmp_path: Path) -> None:
    races = [
        PlannedRace("R1", "CR1-N-AAAAAAB", ("sessionid=a; csrftoken=b", "sessionid=c")),
        PlannedRace("R2", "CR1-N-AAAAAAC", ("sessionid=d",)),
    ]
    write_plan(tmp_path / "plan", races, watchers=3, length=5)
    lines = [line.split(" ", 3) for line in (tmp_path / "plan").read_text().splitlines()]
    scripts = [line[1] for line in lines if line[0] == "script"]
    assert scripts == ["R1/0", "R1/1", "R2/0"]
    assert [line[1:] for line in lines if line[0] == "racer"] == [
        ["R1", "R1/0", "sessionid=a; csrftoken=b"],
        ["R1", "R1/1", "sessionid=c"],
        ["R2", "R2/0", "sessionid=d"],
    ]
    assert [line[1:] for line in lines if line[0] == "watcher"] == [
        ["R1", "-"],
        ["R2", "-"],
        ["R1", "-"],
    ]
    assert all(len(line[2]) == 10 for line in lines if line[0] == "script")


def test_a_line_is_longer_than_the_run_can_play() -> None:
    assert line_length(racers=100, seconds=11, rate=3) > 33
    assert line_length(racers=100, seconds=10, rate=0) > 4_000


def test_figures_are_found_by_path_and_missing_ones_left_out() -> None:
    reports = [{"acted_ms": {"p50": value}, "acted_a_second": 2 * value} for value in (3, 1, 2)]
    assert figure(reports[0], "acted_ms.p50") == 3
    assert medians(reports) == {"acted_a_second": 4, "acted_ms.p50": 2}


@pytest.mark.c_compiler
def test_a_real_server_delivers_every_push_of_a_short_run(
    capfd: pytest.CaptureFixture[str],
) -> None:
    options = "--racers 4 --races 2 --watchers 2 --rate 20 --seconds 0.5 --warm 0.1 --rounds 1"
    status = main([*options.split(), "--json"])
    report = json.loads(capfd.readouterr().out)["rounds"][0]
    assert status == 0, report
    assert report["acted"] == report["sent"] > 0
    assert report["pushes_delivered"] == report["pushes_expected"] == report["acted"] * 3
