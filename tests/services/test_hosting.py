"""A lobby goes on without its host."""

import pytest

from games.models import Game, Race
from games.services import hosting
from tests.services.scenes import Clock, guest, open_race

pytestmark = pytest.mark.django_db


def seen(race: Race, clock: Clock, **ms_ago: int) -> None:
    """Let the racers of these names have been seen so many milliseconds ago."""
    for name, ms in ms_ago.items():
        Game.objects.filter(race=race, player__name=name).update(seen_at=clock.ms - ms)


def host_of(race: Race) -> str:
    """Read who the host is."""
    return Race.objects.select_related("host").get(pk=race.pk).host.name


def test_a_host_who_is_away_hands_the_room_to_the_longest_present_who_is_there(
    clock: Clock,
) -> None:
    race = open_race(guest("Anh"), guest("Oksana"), guest("Minh"), guest("Tomas"))
    clock.pass_ms(70_000)
    seen(race, clock, Anh=61_000, Oksana=26_000, Minh=1_000, Tomas=0)
    version = Race.objects.get(pk=race.pk).version
    assert hosting.replace_absent() == 1
    assert host_of(race) == "Minh"
    assert Race.objects.get(pk=race.pk).version == version + 1
    assert hosting.replace_absent() == 0


def test_a_host_who_is_there_or_was_lately_keeps_the_room(clock: Clock) -> None:
    race = open_race(guest("Anh"), guest("Oksana"))
    clock.pass_ms(70_000)
    seen(race, clock, Anh=59_000, Oksana=0)
    assert hosting.replace_absent() == 0
    assert host_of(race) == "Anh"


def test_a_room_that_nobody_is_in_stays_its_hosts(clock: Clock) -> None:
    race = open_race(guest("Anh"), guest("Oksana"))
    clock.pass_ms(70_000)
    seen(race, clock, Anh=61_000, Oksana=30_000)
    assert hosting.replace_absent() == 0
    assert host_of(race) == "Anh"


def test_a_fresh_room_waits_for_its_host_and_a_started_race_needs_none(clock: Clock) -> None:
    fresh = open_race(guest("Anh"), guest("Oksana"))
    seen(fresh, clock, Oksana=0)
    started = open_race(guest("Minh"), guest("Tomas"))
    Race.objects.filter(pk=started.pk).update(starts_at=clock.ms, created_at=0)
    seen(started, clock, Tomas=0)
    assert hosting.replace_absent() == 0
