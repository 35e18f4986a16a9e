"""The made-up boards to measure at size are those that the games in them make."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Attempt, Best, Game, Race, Stretch
from games.services import bests, stretches
from tests.services.boards import check_stretches


def _stored() -> list[Any]:
    return list(Best.objects.order_by("pk").values())


def test_the_seeded_boards_are_what_entering_the_games_makes(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretches, "MOST", 10)
    call_command("seed_boards", players=25, deals=400, games=300, verbosity=0)
    assert Game.objects.count() == Race.objects.count() == 300
    assert Attempt.objects.exists()
    seeded = _stored()
    assert check_stretches() > 0
    Best.objects.all().delete()
    Stretch.objects.all().delete()
    Game.objects.update(entered=False)
    assert bests.enter_missing(limit=1000) == Game.objects.filter(outcome="won").count()
    assert _stored() == seeded
    assert check_stretches() > 0
    with pytest.raises(CommandError, match="isn't empty"):
        call_command("seed_boards", verbosity=0)


@pytest.mark.django_db
def test_it_asks_for_postgresql() -> None:
    with pytest.raises(CommandError, match="needs PostgreSQL"):
        call_command("seed_boards", verbosity=0)
