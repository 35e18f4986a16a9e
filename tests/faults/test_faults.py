"""One round of every fault: nothing acknowledged is lost or doubled, no race is stuck."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.faults import FAULTS, fill_the_disk
from tests.faults.town import Town, Village


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with Town(tmp_path_factory.mktemp("town")) as running:
        yield running


@pytest.mark.postgres_programs
@pytest.mark.redis_program
@pytest.mark.parametrize("name", [name for name in FAULTS if name != "nothing"])
async def test_nothing_is_lost(town: Town, name: str) -> None:
    fault, options = FAULTS[name]
    outcome = await town.race(fault, races=2, seats=3, **options)  # type: ignore[arg-type]
    assert outcome.wrongs == []
    assert outcome.actions > 600


async def test_nothing_is_lost_when_the_disk_is_full(tmp_path: Path) -> None:
    with Village(tmp_path) as village:
        outcome = await village.race(fill_the_disk, races=2, seats=3)
        assert outcome.wrongs == []
        assert outcome.reconnects > 0
