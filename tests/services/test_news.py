"""News: told once what happened is committed, and never of what was taken back."""

from collections.abc import Callable, Iterator

import pytest
from django.db import transaction

from games.models import Game, Player, Race
from games.services import news as subject
from games.services import players, races, seats, settling
from games.services.denied import Denied
from tests.services.scenes import Clock, fresh, game_of, guest, open_race, resign

pytestmark = pytest.mark.usefixtures("database")


def test_news_wait_for_the_commit_and_come_in_order(heard: list[str]) -> None:
    with transaction.atomic():
        subject.publish(subject.RaceChanged("FIRST"))
        with transaction.atomic():
            subject.publish(subject.RaceChanged("SECOND"))
        assert heard == []
    assert heard == ["FIRST", "SECOND"]


def test_news_of_what_was_rolled_back_never_come(heard: list[str]) -> None:
    with transaction.atomic():
        with transaction.atomic():
            subject.publish(subject.RaceChanged("INNER"))
            transaction.set_rollback(True)
        subject.publish(subject.RaceChanged("OUTER"))
    with transaction.atomic():
        subject.publish(subject.RaceChanged("LOST"))
        transaction.set_rollback(True)
    assert heard == ["OUTER"]


def test_without_a_transaction_news_come_at_once(heard: list[str]) -> None:
    subject.publish(subject.RaceChanged("NOW"))
    assert heard == ["NOW"]


def test_who_stopped_listening_hears_no_more(heard: list[str]) -> None:
    more: list[str] = []

    def hear(event: subject.Event) -> None:
        assert isinstance(event, subject.RaceChanged)
        more.append(event.race_code)

    subject.listen(hear)
    subject.publish(subject.RaceChanged("BOTH"))
    subject.stop_listening(hear)
    subject.publish(subject.RaceChanged("ONE"))
    assert (more, heard) == (["BOTH"], ["BOTH", "ONE"])


@pytest.fixture
def _broken() -> Iterator[None]:
    def fail(event: subject.Event) -> None:
        raise RuntimeError(event)

    subject.listen(fail)
    yield
    subject.stop_listening(fail)


@pytest.mark.usefixtures("_broken")
def test_a_listener_that_fails_undoes_nothing() -> None:
    race = open_race(guest(), seats_=2)
    game = seats.take(code=race.code, player=guest("Oksana"))
    assert Game.objects.filter(pk=game.pk).exists()
    assert fresh(race).version == race.version + 1


Scene = tuple[Race, Player, Player]
CHANGES: dict[str, Callable[[Scene], object]] = {
    "take": lambda scene: seats.take(code=scene[0].code, player=guest("Third")),
    "leave": lambda scene: seats.leave(code=scene[0].code, player=scene[2]),
    "ready": lambda scene: seats.set_ready(code=scene[0].code, player=scene[2], ready=True),
    "hand on": lambda scene: seats.hand_on(
        code=scene[0].code, host=scene[1], racer=game_of(scene[0], scene[2]).pk
    ),
    "kick": lambda scene: seats.kick(
        code=scene[0].code, host=scene[1], racer=game_of(scene[0], scene[2]).pk
    ),
    "start": lambda scene: races.start(code=scene[0].code, player=scene[1]),
    "options": lambda scene: races.change_options(
        code=scene[0].code, host=scene[1], changes={"undo": False}
    ),
}


@pytest.fixture
def scene(clock: Clock) -> Scene:
    """A race in its lobby, its host and a rival."""
    anh, oksana = guest(), guest("Oksana")
    return open_race(anh, oksana, seats_=5), anh, oksana


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_a_race_raises_its_version_and_is_told(
    scene: Scene, heard: list[str], change: Callable[[Scene], object]
) -> None:
    before = fresh(scene[0]).version
    heard.clear()
    with transaction.atomic():
        change(scene)
        assert heard == []
        transaction.set_rollback(True)
    assert (heard, fresh(scene[0]).version) == ([], before)
    change(scene)
    assert (heard, fresh(scene[0]).version) == ([scene[0].code], before + 1)


def test_calling_off_settling_and_a_new_name_are_told(
    scene: Scene, clock: Clock, heard: list[str]
) -> None:
    race, anh, oksana = scene
    races.start(code=race.code, player=anh)
    heard.clear()
    races.call_off(code=race.code, host=anh)
    players.rename(player=oksana, name="Оксана")
    assert heard == [race.code] * 2
    races.start(code=race.code, player=anh)
    clock.ms = fresh(race).starts_at or 0
    heard.clear()
    resign(game_of(race, anh), 0)
    assert settling.take_back_resignation(code=race.code, player=anh)
    clock.pass_ms(3_605_001)
    assert settling.settle_overdue() == 1
    assert heard == [race.code] * 3  # taken back, out of time, closed


def test_what_is_refused_is_not_told(scene: Scene, heard: list[str]) -> None:
    race, _, oksana = scene
    heard.clear()
    for refused in (
        lambda: races.start(code=race.code, player=oksana),
        lambda: races.change_options(code=race.code, host=race.host, changes={"seats": 0}),
        lambda: players.rename(player=oksana, name="Anh"),
    ):
        with pytest.raises(Denied):
            refused()
    assert heard == []
