"""The deal of the day: one a day, sealed until it is over, one counted game a player."""

import datetime
import multiprocessing
from typing import Any

import pytest

from games.models import Attempt, Day, Deal, Game, Player, Race
from games.services import (
    attempts,
    daily,
    deals,
    leaderboards,
    periods,
    races,
    recording,
    replays,
    seats,
    settling,
)
from games.services.boards import DAYS_DEALS, Board
from games.services.denied import Denial, Denied
from games.services.recording import GameWrite
from tests.services import day_asker
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
)

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@pytest.fixture(autouse=True)
def _begin_at_noon(clock: Clock) -> None:
    clock.ms += DAY_MS - clock.ms % DAY_MS + DAY_MS // 2


def _begin(player: Player) -> Race:
    race = daily.play(player=player)
    races.start(code=race.code, player=player)
    return fresh(race)


def _win(race: Race, player: Player, ms: int = 400_000) -> Game:
    game = game_of(race, player)
    write = GameWrite(game.pk, game.seq, game.seq, 110, 0, 1, 104, [], "won", ms)
    assert recording.record([write]) == {game.pk}
    settling.close_if_over(race_id=race.pk)
    return game_of(race, player)


def test_two_processes_that_ask_at_once_make_one_deal_a_day(
    postgresql: str, postgres: dict[str, Any], clock: Clock
) -> None:
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format_map(postgres)
    moments = [clock.ms + number * DAY_MS for number in range(100)]
    spawning = multiprocessing.get_context("spawn")
    barrier, queue = spawning.Barrier(2), spawning.Queue()
    asking = [
        spawning.Process(target=day_asker.ask, args=(url, moments, barrier, queue))
        for _ in range(2)
    ]
    for process in asking:
        process.start()
    first, second = (queue.get(timeout=2 * day_asker.PATIENCE_S) for _ in asking)
    for process in asking:
        process.join()
    assert first == second
    dates = [periods.date_of(periods.day_of(moment)).isoformat() for moment in moments]
    assert [date for date, _ in first] == dates
    assert len({code for _, code in first}) == Day.objects.count() == Deal.objects.count() == 100


def test_threads_that_ask_at_once_make_one_deal(database: str) -> None:
    found = at_once(*[daily.today] * 6)
    assert len({one.deal_id for one in found if isinstance(one, Day)}) == 1
    assert Deal.objects.count() == 1


def test_a_player_who_clicks_in_many_windows_has_one_counted_game(database: str) -> None:
    player = guest()
    daily.today()
    found = at_once(*[lambda: daily.play(player=player)] * 5)
    assert len({one.pk for one in found if isinstance(one, Race)}) == 1, found
    assert Race.objects.count() == Game.objects.count() == Attempt.objects.count() == 1


@pytest.mark.django_db
def test_the_counted_game_is_lone_and_shows_progress_alone() -> None:
    race = daily.play(player=guest())
    assert (race.seats, race.openness, race.time_limit_min) == (1, "progress", 60)
    assert race.deal == daily.today().deal
    assert race.deal.kind == "S"
    assert deals.holds(deal=race.deal)


@pytest.mark.django_db
def test_nobody_may_open_another_race_on_the_days_deal(clock: Clock) -> None:
    player = guest()
    race = _begin(player)
    code = race.deal.code
    for options in (races.RaceOptions(), races.RaceOptions(seats=4)):
        for who in (player, guest("Nam")):
            denied(
                Denial.DEAL_CLOSED,
                lambda who=who, options=options: races.open_race(  # type: ignore[misc]
                    host=who, deal=code, options=options
                ),
            )
    _win(race, player)
    assert not fresh(race).deal.revealed
    denied(
        Denial.DEAL_CLOSED,
        lambda: races.open_race(host=player, deal=code, options=races.RaceOptions()),
    )
    assert daily.play(player=player) == race


@pytest.mark.django_db
def test_the_days_game_is_played_as_it_is_and_by_its_own_player(clock: Clock) -> None:
    player, other = guest(), guest("Nam")
    race = daily.play(player=player)
    change = {"openness": "cards", "seats": 2}
    denied(
        Denial.BAD_OPTION,
        lambda: races.change_options(code=race.code, host=player, changes=change),
    )
    seats.leave(code=race.code, player=player)
    denied(Denial.DEAL_CLOSED, lambda: seats.take(code=race.code, player=other))
    assert daily.play(player=player) == race
    assert Game.objects.filter(race=race, player=player).count() == 1
    attempts.check_start(race=race)


@pytest.mark.django_db
def test_it_can_be_begun_to_the_last_moment_of_its_day_and_not_later(clock: Clock) -> None:
    early, late = guest("Early"), guest("Late")
    first, second = daily.play(player=early), daily.play(player=late)
    clock.ms = daily.ends_at(daily.today()) - 1
    races.start(code=first.code, player=early)
    clock.pass_ms(1)
    denied(Denial.RACE_CLOSED, lambda: races.start(code=second.code, player=late))
    assert daily.play(player=late).deal != second.deal


@pytest.mark.django_db
def test_a_room_that_nobody_came_back_to_costs_nobody_their_game(clock: Clock) -> None:
    player = guest()
    race = daily.play(player=player)
    clock.pass_ms(2 * HOUR_MS)
    settling.settle_overdue()
    assert fresh(race).closed_at is not None
    assert not fresh(race).deal.revealed
    again = daily.play(player=player)
    assert (again.pk != race.pk, again.deal) == (True, race.deal)
    assert Attempt.objects.get().race == again


@pytest.mark.django_db
def test_the_deal_opens_when_the_day_and_a_time_limit_are_over(clock: Clock) -> None:
    player = guest()
    day = daily.today()
    clock.ms = daily.ends_at(day) - 1
    race = _begin(player)
    for moment in (daily.ends_at(day), daily.reveals_at(day) - 1):
        clock.ms = moment
        settling.settle_overdue()
        assert not fresh(race).deal.revealed
    clock.pass_ms(1)
    settling.settle_overdue()
    settling.settle_overdue()
    assert fresh(race).closed_at is not None
    assert fresh(race).deal.revealed
    assert not daily.today().deal.revealed
    later = races.open_race(host=guest("Nam"), deal=race.deal.code, options=races.RaceOptions())
    assert later.deal == race.deal


@pytest.mark.django_db
def test_a_finished_game_shows_its_player_what_they_saw_and_others_nothing(clock: Clock) -> None:
    player, other = guest(), guest("Nam")
    race = _begin(player)
    game = resign(play(game_of(race, player), ()), 20_000)
    clock.pass_ms(40_000)
    settling.settle_overdue()
    assert fresh(race).closed_at is not None
    own = replays.of_game(game_id=game.pk, reader=player)
    assert own.layout.count(replays.UNKNOWN) == 96 - 16
    for reader in (other, None):
        with pytest.raises(Denied) as caught:
            replays.of_game(game_id=game.pk, reader=reader)
        assert caught.value.reason == Denial.DEAL_CLOSED


@pytest.mark.django_db
def test_the_days_board_has_the_counted_games_of_that_day_alone(clock: Clock) -> None:
    player, other = guest(), guest("Nam")
    day = daily.today()
    clock.ms = daily.ends_at(day) - 60_000
    race = _begin(player)
    game = _win(race, player, 400_000)  # after midnight
    clock.ms = daily.reveals_at(day)
    settling.settle_overdue()
    later = races.open_race(host=other, deal=race.deal.code, options=races.RaceOptions())
    races.start(code=later.code, player=other)
    _win(fresh(later), other, 100_000)
    number = periods.number_of(day.date)
    board = leaderboards.read(board=Board(scope=DAYS_DEALS, period=number), reader=None)
    assert [row.game.pk for row in board.rows] == [game.pk]
    tomorrow = Board(scope=DAYS_DEALS, period=number + 1)
    assert leaderboards.read(board=tomorrow, reader=None).total == 0
    over_all = leaderboards.read(board=Board(period=number + 1), reader=None)
    assert [row.game.player_id for row in over_all.rows] == [other.pk, player.pk]


@pytest.mark.django_db
def test_a_streak_counts_days_won_and_waits_for_today(clock: Clock) -> None:
    player = guest()

    def played(won: bool) -> None:
        race = _begin(player)
        if won:
            _win(race, player, 300_000)
        else:
            resign(game_of(race, player), 1_000)

    for won in (True, True, True, False, True, True):
        played(won)
        clock.pass_ms(DAY_MS)
    assert daily.streak_of(player=player) == daily.Streak(2, 3)
    clock.pass_ms(DAY_MS)
    assert daily.streak_of(player=player) == daily.Streak(0, 3)
    assert daily.streak_of(player=guest("Nam")) == daily.Streak(0, 0)


@pytest.mark.django_db
def test_the_day_of_a_counted_game_is_known_and_of_any_other_race_is_none() -> None:
    player = guest()
    assert daily.of_race(race=daily.play(player=player)) == daily.today()
    assert daily.of_race(race=open_race(player)) is None


@pytest.mark.django_db
def test_a_day_that_nobody_asked_for_has_no_deal() -> None:
    assert daily.find(date=datetime.date(2020, 1, 1)) is None
    assert Deal.objects.count() == 0
