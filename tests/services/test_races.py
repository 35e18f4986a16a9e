"""Races: what may be chosen, where one stands, who may start it and take the start back."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Deal, Game, Race
from games.services import races, seats
from games.services.denied import Denial, Denied
from games.services.races import RaceOptions
from tests.services.scenes import (
    DEAL,
    Clock,
    at_once,
    denied,
    fresh,
    game_of,
    guest,
    open_race,
    resign,
    run,
)

on_both = pytest.mark.usefixtures("database")
GOOD: list[dict[str, Any]] = [
    *({"seats": seats} for seats in (1, 2, 49, 50)),
    *({"openness": openness} for openness in ("progress", "moves", "cards")),
    *({"start": start} for start in ("host", "all_ready")),
    *({"time_limit_min": minutes} for minutes in (10, 11, 180)),
    {"undo": False, "listed": True},
]
BAD: list[dict[str, Any]] = [
    *({"seats": seats} for seats in (-1, 0, 51, 10**30)),
    *({"openness": openness} for openness in ("", "all", "MOVES")),
    *({"start": start} for start in ("", "everybody")),
    *({"time_limit_min": minutes} for minutes in (-60, 0, 9, 181, 10**30)),
]


@pytest.mark.parametrize("chosen", GOOD, ids=str)
def test_options_in_range_are_taken(chosen: dict[str, Any]) -> None:
    assert all(getattr(RaceOptions(**chosen), name) == value for name, value in chosen.items())


@pytest.mark.parametrize("chosen", BAD, ids=str)
def test_an_option_out_of_range_is_refused_by_its_name(chosen: dict[str, Any]) -> None:
    with pytest.raises(Denied) as caught:
        RaceOptions(**chosen)
    assert caught.value.reason == Denial.BAD_OPTION
    assert next(iter(chosen)) in caught.value.detail


def test_a_race_is_usually_for_one_with_undo_and_an_hour() -> None:
    usual = RaceOptions()
    assert (usual.seats, usual.openness, usual.undo) == (1, "moves", True)
    assert (usual.start, usual.time_limit_min, usual.listed) == ("host", 60, False)


@given(st.integers(0, 100), st.none() | st.integers(0, 100), st.none() | st.integers(0, 100))
def test_a_state_follows_from_the_times_and_the_clock_alone(
    now: int, starts_at: int | None, closed_at: int | None
) -> None:
    state = races.state_of(Race(starts_at=starts_at, closed_at=closed_at), now)
    if closed_at is not None:
        assert state == "closed"
    elif starts_at is None:
        assert state == "lobby"
    else:
        assert state == ("countdown" if now < starts_at else "running")


@on_both
def test_whoever_opens_a_race_is_its_host_with_a_seat(clock: Clock) -> None:
    host = guest()
    options = RaceOptions(seats=3, openness="cards", undo=False, start="all_ready",
                          time_limit_min=10, listed=True)  # fmt: skip
    race = fresh(races.open_race(host=host, deal=DEAL, options=options))
    assert races.options_of(race) == options
    assert (race.host, race.created_at, race.version) == (host, clock(), 1)
    assert races.state_of(race, clock()) == "lobby"
    assert [game.player for game in Game.objects.all()] == [host]


@pytest.mark.django_db
def test_race_codes_are_of_letters_that_cannot_be_misread() -> None:
    host = guest()
    codes = {open_race(host).code for _ in range(30)}
    assert len(codes) == 30
    assert all(len(code) == races.CODE_LENGTH for code in codes)
    assert set("".join(codes)) <= set(races.CODE_LETTERS)
    assert not set(races.CODE_LETTERS) & set("01258BIOLSUVZ")


@pytest.mark.django_db
def test_a_race_code_that_is_taken_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    host, drawn = guest(), iter("AAAAAAA" * 2 + "AAAAAAC")
    monkeypatch.setattr(secrets, "choice", lambda _: next(drawn))
    assert [open_race(host).code, open_race(host).code] == ["AAAAAAA", "AAAAAAC"]


@on_both
def test_no_race_is_opened_on_a_deal_that_does_not_exist_or_is_closed_or_at_hand(
    clock: Clock,
) -> None:
    host = guest()
    sealed = open_race(host, deal="sealed")
    running = run(open_race(host), clock)
    denied(Denial.BAD_DEAL, lambda: open_race(host, deal="CR1-N"))
    denied(Denial.DEAL_CLOSED, lambda: open_race(guest("Oksana"), deal=sealed.deal.code))
    denied(Denial.DEAL_CLOSED, lambda: open_race(host, deal=running.deal.code))
    assert open_race(guest("Oksana"), deal=running.deal.code).pk


@on_both
def test_a_race_that_cannot_be_opened_leaves_no_deal_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(races, "_create", fail)
    with pytest.raises(RuntimeError):
        open_race(guest(), deal="sealed")
    assert not Deal.objects.exists()


@on_both
@pytest.mark.parametrize(("others", "countdown"), [(0, 0), (1, 5_000)])
def test_a_start_is_five_seconds_ahead_and_for_one_seat_at_once(
    clock: Clock, others: int, countdown: int
) -> None:
    race = open_race(guest(), *(guest(f"Rival {number}") for number in range(others)))
    races.start(code=race.code, player=race.host)
    assert fresh(race).starts_at == clock() + countdown
    assert fresh(race).version == race.version + 1


@on_both
def test_starting_again_does_not_move_the_start(clock: Clock, heard: list[str]) -> None:
    race = open_race(guest(), guest("Oksana"))
    races.start(code=race.code, player=race.host)
    before, news = fresh(race), len(heard)
    clock.pass_ms(4_000)
    races.start(code=race.code, player=race.host)
    clock.pass_ms(100_000)
    races.start(code=race.code, player=race.host)
    assert (fresh(race).starts_at, fresh(race).version) == (before.starts_at, before.version)
    assert len(heard) == news


@on_both
def test_hosts_start_alone_and_only_their_own_races(clock: Clock) -> None:
    anh, oksana, visitor = guest(), guest("Oksana"), guest("Visitor")
    race = open_race(anh, oksana)
    denied(Denial.NOT_HOST, lambda: races.start(code=race.code, player=oksana))
    denied(Denial.NOT_A_RACER, lambda: races.start(code=race.code, player=visitor))
    for code in ("NOSUCH7", "", "a\x00b", race.code.lower(), "\ud800"):
        denied(Denial.NOT_FOUND, partial(races.start, code=code, player=anh))
    Race.objects.update(starts_at=clock(), closed_at=clock())
    denied(Denial.RACE_CLOSED, lambda: races.start(code=race.code, player=anh))


@on_both
def test_who_was_removed_cannot_start_a_race_they_once_hosted() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.hand_on(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    seats.kick(code=race.code, host=oksana, racer=game_of(race, anh).pk)
    denied(Denial.NOT_A_RACER, lambda: races.start(code=race.code, player=anh))


@on_both
def test_only_the_first_started_game_on_a_deal_is_a_first_try(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    first = open_race(anh)
    assert not game_of(first, anh).first_try
    assert game_of(run(first, clock), anh).first_try
    resign(game_of(first, anh), 0)
    second = run(open_race(anh, oksana), clock)
    assert not game_of(second, anh).first_try
    assert game_of(second, oksana).first_try
    third = run(open_race(anh, deal="CR1-N-AAAAAAC"), clock)
    assert game_of(third, anh).first_try


@on_both
def test_a_race_that_a_player_was_removed_from_is_no_try_of_theirs(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.kick(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    run(race, clock)
    assert game_of(run(open_race(oksana), clock), oksana).first_try


@on_both
def test_calling_off_goes_back_to_the_lobby_and_ready_marks_fall(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.set_ready(code=race.code, player=oksana, ready=True)
    races.start(code=race.code, player=anh)
    before = fresh(race)
    clock.pass_ms(4_999)
    races.call_off(code=race.code, host=anh)
    after = fresh(race)
    assert (after.starts_at, after.version) == (None, before.version + 1)
    assert not Game.objects.filter(ready=True).exists()
    assert not Game.objects.filter(first_try=True).exists()
    races.call_off(code=race.code, host=anh)
    assert fresh(race).version == after.version
    run(race, clock)
    assert Game.objects.filter(first_try=True).count() == 2


@on_both
@pytest.mark.parametrize("written", [{"seq": 1}, {"outcome": "resigned", "finished_ms": 0}])
def test_a_start_cannot_be_called_off_once_somebody_has_played(
    clock: Clock, written: dict[str, Any]
) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    races.start(code=race.code, player=anh)
    clock.pass_ms(4_999)  # by the clock of this process
    Game.objects.filter(player=oksana).update(**written)
    denied(Denial.RACE_STARTED, lambda: races.call_off(code=race.code, host=anh))
    assert fresh(race).starts_at is not None


@on_both
def test_a_start_cannot_be_called_off_at_zero_or_by_others(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    races.start(code=race.code, player=anh)
    denied(Denial.NOT_HOST, lambda: races.call_off(code=race.code, host=oksana))
    denied(Denial.NOT_FOUND, lambda: races.call_off(code="NOSUCH7", host=anh))
    clock.pass_ms(5_000)
    denied(Denial.RACE_STARTED, lambda: races.call_off(code=race.code, host=anh))
    Race.objects.update(closed_at=clock())
    denied(Denial.RACE_CLOSED, lambda: races.call_off(code=race.code, host=anh))


@on_both
def test_changed_options_are_kept_the_others_stay_and_ready_marks_fall() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.set_ready(code=race.code, player=oksana, ready=True)
    before = fresh(race)
    wishes: list[dict[str, object]] = [
        {"seats": 5, "undo": False},
        {"openness": "progress", "listed": True},
        {"start": "all_ready", "time_limit_min": 30},
    ]
    for changes in wishes:
        races.change_options(code=race.code, host=anh, changes=changes)
    after = fresh(race)
    assert races.options_of(after) == RaceOptions(
        seats=5, openness="progress", undo=False, start="all_ready", time_limit_min=30, listed=True
    )
    assert after.version == before.version + 3
    assert after.starts_at is None
    assert not Game.objects.filter(ready=True).exists()


@on_both
def test_the_same_options_again_change_nothing_and_leave_the_ready_ready() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana, minutes=30)
    seats.set_ready(code=race.code, player=oksana, ready=True)
    before = fresh(race)
    races.change_options(code=race.code, host=anh, changes={"time_limit_min": 30, "seats": 2})
    races.change_options(code=race.code, host=anh, changes={})
    assert fresh(race).version == before.version
    assert game_of(race, oksana).ready


@on_both
@pytest.mark.parametrize("changes", [*BAD, {"seats": 1}], ids=str)
def test_a_bad_option_changes_nothing(changes: dict[str, object]) -> None:
    race = open_race(guest(), guest("Oksana"))
    good = {"undo": False, **changes}
    denied(
        Denial.BAD_OPTION,
        lambda: races.change_options(code=race.code, host=race.host, changes=good),
    )


@on_both
def test_options_are_the_hosts_and_only_in_the_lobby(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)

    def change(code: str = race.code, host: Any = anh) -> Callable[[], object]:
        return lambda: races.change_options(code=code, host=host, changes={"undo": False})

    denied(Denial.NOT_HOST, change(host=oksana))
    denied(Denial.NOT_FOUND, change(code="NOSUCH7"))
    races.start(code=race.code, player=anh)
    denied(Denial.RACE_STARTED, change())
    Race.objects.update(closed_at=fresh(race).starts_at)
    denied(Denial.RACE_CLOSED, change())
    denied(Denial.NOT_HOST, change(host=oksana))


@on_both
def test_a_start_and_its_calling_off_at_once_leave_a_race_that_stands_somewhere(
    clock: Clock,
) -> None:
    race = open_race(guest(), guest("Oksana"))
    results = at_once(
        lambda: races.start(code=race.code, player=race.host),
        lambda: races.call_off(code=race.code, host=race.host),
        lambda: races.start(code=race.code, player=race.host),
    )
    assert results == [None, None, None]
    after = fresh(race)
    assert after.starts_at in {None, clock() + 5_000}
    first = Game.objects.filter(first_try=True).count()
    assert first == (0 if after.starts_at is None else 2)
