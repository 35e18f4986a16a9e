"""The table of the faults: a row each, and every wrong is counted and told."""

import argparse
from typing import Any

import pytest

from tests.faults import chaos
from tests.faults.faults import nothing
from tests.faults.town import Outcome


class Bad:
    """A town in which every round loses something."""

    def __init__(self, wrongs: list[str]) -> None:
        self.wrongs, self.asked = wrongs, list[dict[str, Any]]()

    async def race(self, fault: object, **asked: Any) -> Outcome:
        self.asked.append(asked)
        return Outcome(actions=1_000, reconnects=2, wrongs=list(self.wrongs))


@pytest.mark.parametrize(
    "wrongs", [[], ["RACE/1: stuck at 5", "RACE/2: acknowledged and not stored"]]
)
async def test_each_round_is_done_and_its_wrongs_are_counted(
    wrongs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    town, wanted = Bad(wrongs), argparse.Namespace(rounds=3, clients=50)
    found = await chaos.rounds(town, "a fault", nothing, {"hop_s": 2}, wanted)  # type: ignore[arg-type]
    assert found == 3 * len(wrongs)
    assert town.asked == [{"races": 10, "seats": 5, "hop_s": 2}] * 3
    said = capsys.readouterr()
    assert said.out.startswith(f"| a fault | 3 | 3,000 | 6 | {found} | ")
    assert said.err.count("stuck at 5") == 3 * bool(wrongs)
