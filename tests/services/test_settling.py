"""Settling: second thoughts, time that runs out, races that close once and reveal their deal."""

import threading
from functools import partial

import pytest
from django.db import connection, transaction

from games.models import Deal, Game, Race
from games.services import races, seats, settling
from games.services.denied import Denial
from tests.services.scenes import (
    Clock,
    at_once,
    denied,
    fresh,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    win,
    winning_line,
)

on_both = pytest.mark.usefixtures("database")
HOUR = 3_600_000


def take_back(race: Race, player: object = None) -> bool:
    return settling.take_back_resignation(code=race.code, player=player or race.host)  # type: ignore[arg-type]


@on_both
@pytest.mark.parametrize("later", [0, 1, 9_999, 10_000])
def test_a_resignation_can_be_taken_back_for_ten_seconds(
    clock: Clock, heard: list[str], later: int
) -> None:
    race = run(open_race(guest()), clock)
    game = play(game_of(race, race.host), winning_line()[:3])
    resign(game, clock.pass_ms(7_000) - (race.starts_at or 0))
    clock.pass_ms(later)
    heard.clear()
    assert take_back(race)
    again = game_of(race, race.host)
    assert (again.outcome, again.finished_ms, again.seq) == (None, None, 3)
    assert heard == [race.code]
    assert not take_back(race)
    assert heard == [race.code]


@on_both
def test_after_ten_seconds_a_resignation_stands(clock: Clock) -> None:
    race = run(open_race(guest(), guest("Oksana")), clock)
    resign(game_of(race, race.host), 5_000)
    clock.pass_ms(15_001)
    denied(Denial.RACE_CLOSED, partial(take_back, race))


@on_both
def test_who_has_begun_again_on_the_deal_takes_nothing_back(clock: Clock) -> None:
    anh = guest()
    first = run(open_race(anh, guest("Oksana")), clock)
    resign(game_of(first, anh), 0)
    second = run(open_race(anh), clock)
    denied(Denial.DEAL_CLOSED, partial(take_back, first))
    resign(game_of(second, anh), 0)
    assert take_back(first)


@on_both
def test_a_resignation_in_a_closed_race_stands(clock: Clock) -> None:
    race = run(open_race(guest()), clock)
    resign(game_of(race, race.host), 0)
    Race.objects.update(closed_at=clock())
    denied(Denial.RACE_CLOSED, partial(take_back, race))


@on_both
def test_a_win_and_a_game_out_of_time_are_not_taken_back(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    win(game_of(race, anh))
    denied(Denial.RACE_CLOSED, partial(take_back, race, anh))
    clock.pass_ms(HOUR + 5_000)
    settling.expire(race_id=race.pk)
    denied(Denial.RACE_CLOSED, partial(take_back, race, oksana))


@on_both
def test_who_has_no_game_takes_nothing_back(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    assert not take_back(race)  # a lobby: nothing is resigned
    seats.kick(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    denied(Denial.NOT_A_RACER, partial(take_back, race, oksana))
    denied(Denial.NOT_A_RACER, partial(take_back, race, guest("Visitor")))
    denied(
        Denial.NOT_FOUND,
        partial(settling.take_back_resignation, code="NOSUCH7", player=anh),
    )


@on_both
def test_time_runs_out_five_seconds_after_the_limit_and_not_before(
    clock: Clock, heard: list[str]
) -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana, third, minutes=10)
    settling.expire(race_id=race.pk)
    race = run(race, clock)
    resign(game_of(race, oksana), 2_000)
    clock.ms = (race.starts_at or 0) + 600_000 + 4_999
    heard.clear()
    settling.expire(race_id=race.pk)
    assert game_of(race, anh).outcome is None
    clock.pass_ms(1)
    settling.expire(race_id=race.pk)
    settling.expire(race_id=race.pk)
    results = [(game.outcome, game.finished_ms) for game in Game.objects.order_by("pk")]
    assert results == [("expired", 600_000), ("resigned", 2_000), ("expired", 600_000)]
    assert heard == [race.code]


@on_both
def test_time_running_out_ends_nothing_elsewhere_and_nobody_who_was_removed(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.kick(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    run(race, clock)
    clock.pass_ms(HOUR + 5_000)
    other = run(open_race(guest("Other")), clock)
    settling.expire(race_id=race.pk)
    assert game_of(race, anh).outcome == "expired"
    assert game_of(race, oksana).outcome is None
    assert game_of(other, other.host).outcome is None
    assert settling.close_if_over(race_id=race.pk)


@on_both
def test_a_race_closes_once_all_is_over_and_reveals_its_sealed_deal_once(
    clock: Clock, heard: list[str]
) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana, deal="sealed"), clock)
    for player, at in ((anh, 1_000), (oksana, 2_000)):
        assert not settling.close_if_over(race_id=race.pk)
        assert Deal.objects.get().revealed_at is None
        resign(game_of(race, player), at)
    clock.pass_ms(12_000)
    heard.clear()
    assert settling.close_if_over(race_id=race.pk)
    closed = fresh(race)
    assert (closed.closed_at, closed.deal.revealed_at) == (clock(), clock())
    assert closed.version == race.version + 1
    clock.pass_ms(1_000)
    assert not settling.close_if_over(race_id=race.pk)
    again = fresh(race)
    assert (again.closed_at, again.deal.revealed_at, again.version) == (
        closed.closed_at,
        closed.deal.revealed_at,
        closed.version,
    )
    assert heard == [race.code]


@on_both
def test_no_race_closes_within_ten_seconds_of_a_resignation(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    resign(game_of(race, anh), 0)
    resign(game_of(race, oksana), 3_000)
    clock.ms = (race.starts_at or 0) + 12_999
    assert not settling.close_if_over(race_id=race.pk)
    clock.pass_ms(1)
    assert settling.close_if_over(race_id=race.pk)


@on_both
def test_a_race_that_was_won_by_all_closes_at_once(clock: Clock) -> None:
    race = run(open_race(guest()), clock)
    game = win(game_of(race, race.host))
    clock.pass_ms(game.finished_ms or 0)
    assert settling.close_if_over(race_id=race.pk)
    assert fresh(race).deal.revealed_at is None  # an open deal has nothing to reveal


@on_both
def test_a_resignation_taken_back_keeps_the_race_open(clock: Clock) -> None:
    race = run(open_race(guest()), clock)
    resign(game_of(race, race.host), 0)
    clock.pass_ms(10_000)
    assert take_back(race)
    clock.pass_ms(100_000)
    assert not settling.close_if_over(race_id=race.pk)


@on_both
def test_lobbies_and_countdowns_do_not_close(clock: Clock) -> None:
    race = open_race(guest(), guest("Oksana"))
    assert not settling.close_if_over(race_id=race.pk)
    races.start(code=race.code, player=race.host)
    Game.objects.update(outcome="resigned", finished_ms=-60_000)
    assert not settling.close_if_over(race_id=race.pk)
    assert not settling.close_if_over(race_id=10**9)


@on_both
def test_the_sweep_expires_and_closes_what_is_overdue_and_nothing_else(clock: Clock) -> None:
    def started(name: str, minutes: int) -> Race:
        return run(open_race(guest(name), deal="sealed", minutes=minutes), clock)

    short, long, given_up = started("Short", 10), started("Long", 180), started("Quit", 10)
    fresh_lobby = open_race(guest("Lobby"), deal="sealed")
    resign(game_of(given_up, given_up.host), 0)
    clock.pass_ms(9_999)
    assert settling.settle_overdue() == 0
    clock.pass_ms(1)
    assert settling.settle_overdue() == 1
    assert fresh(given_up).closed_at == clock()
    clock.ms = (short.starts_at or 0) + 605_001
    assert settling.settle_overdue() == 1
    assert fresh(short).closed_at == clock()
    assert game_of(short, short.host).outcome == "expired"
    assert (fresh(long).closed_at, fresh(fresh_lobby).closed_at) == (None, None)
    assert settling.settle_overdue() == 0
    revealed = Deal.objects.filter(revealed_at__isnull=False)
    assert set(revealed) == {short.deal, given_up.deal}


@on_both
def test_the_sweep_takes_no_more_than_it_is_told(clock: Clock) -> None:
    for number in range(5):
        run(open_race(guest(f"Racer {number}"), minutes=10), clock)
    clock.pass_ms(HOUR)
    assert [settling.settle_overdue(limit=2) for _ in range(4)] == [2, 2, 1, 0]


@on_both
def test_a_lobby_that_nobody_was_in_for_an_hour_is_closed_and_its_deal_revealed(
    clock: Clock, heard: list[str]
) -> None:
    empty = open_race(guest(), deal="sealed")
    kept = open_race(guest("Oksana"), deal="sealed")
    Game.objects.filter(race=kept).update(seen_at=clock() + 1)
    clock.pass_ms(HOUR)
    settling.settle_overdue()
    assert fresh(empty).closed_at is None
    clock.pass_ms(1)
    heard.clear()
    settling.settle_overdue()
    assert (fresh(empty).closed_at, fresh(empty).deal.revealed_at) == (clock(), clock())
    assert (fresh(kept).closed_at, fresh(kept).deal.revealed_at) == (None, None)
    assert heard == [empty.code]
    denied(Denial.RACE_CLOSED, partial(races.start, code=empty.code, player=empty.host))
    denied(Denial.RACE_CLOSED, partial(seats.take, code=empty.code, player=guest("Third")))


@on_both
def test_of_several_who_close_a_race_at_once_one_does(clock: Clock) -> None:
    race = run(open_race(guest(), deal="sealed"), clock)
    win_time = clock.pass_ms(60_000) - (race.starts_at or 0)
    Game.objects.update(outcome="won", finished_ms=win_time, home=104)
    close = partial(settling.close_if_over, race_id=race.pk)
    assert sorted(map(str, at_once(close, close, close, close))) == ["False"] * 3 + ["True"]
    assert fresh(race).version == race.version + 1


@on_both
def test_two_last_games_that_end_at_once_close_the_race(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    clock.pass_ms(600_000)

    def finish(player: object) -> bool:
        win(Game.objects.select_related("race__deal", "player").get(race=race, player=player))  # type: ignore[misc]
        return settling.close_if_over(race_id=race.pk)

    results = at_once(partial(finish, anh), partial(finish, oksana))
    assert True in results, results
    assert fresh(race).closed_at == clock()


@on_both
def test_no_race_closes_over_a_resignation_that_is_being_taken_back(
    clock: Clock, database: str
) -> None:
    """Both are allowed in the same millisecond, so one has to wait for the other and look again."""
    race = run(open_race(guest(), deal="sealed"), clock)
    resign(game_of(race, race.host), 0)
    clock.pass_ms(10_000)
    assert _closing_while_taken_back(race, database) == [False]
    assert fresh(race).closed_at is None
    assert game_of(race, race.host).outcome is None


def _closing_while_taken_back(race: Race, database: str) -> list[object]:
    def take_back_slowly() -> bool:
        with transaction.atomic():
            taken_back = take_back(race)
            held.set()
            if database == "postgresql":
                _wait_for_a_lock()
            return taken_back

    def close() -> bool:
        assert held.wait(timeout=20)
        return settling.close_if_over(race_id=race.pk)

    held = threading.Event()
    taken_back, closed = at_once(take_back_slowly, close)
    assert taken_back is True, taken_back
    return [closed]


def _wait_for_a_lock() -> None:
    waiting = 0
    while not waiting:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            waiting = cursor.fetchone()[0]
