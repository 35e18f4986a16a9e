"""The leaderboards against a plain script, whatever the order in which games are entered."""

import datetime
import os
import random
import time
from functools import partial

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from games.models import Best, Game, Player, Race, Stretch, Study
from games.services import bests, leaderboards, marks, periods, settling, stretches
from games.services.boards import ALL_DEALS, COLUMNS, DAYS_DEALS, Board
from games.services.denied import Denied
from tests.services import boards
from tests.services.boards import DAY_MS, START_MS
from tests.services.scenes import Clock, at_once, game_of, guest, open_race, resign, run, win

FULL = os.environ.get("CRESCENT_CHAOS") == "full"
SIZES = [(1_200, 40)] + ([(16_200, 500)] if FULL else [])
"""Races and players; 16,200 races have more than 20,000 games."""

FIRST = START_MS // DAY_MS
TEXTS = (
    "all",
    *(periods.date_of(FIRST + number).isoformat() for number in (-1, 0, 4, 5, 11)),
    "2025-W52",
    "2026-W01",
)


@pytest.fixture(params=SIZES, ids=str)
def world(
    request: pytest.FixtureRequest, database: str, monkeypatch: pytest.MonkeyPatch
) -> boards.World:
    """Games that are entered, on boards with many stretches."""
    monkeypatch.setattr(stretches, "MOST", request.param[1] // 5)
    made = boards.make(request.param[0], 1, players=request.param[1])
    ids = list(Game.objects.values_list("pk", flat=True))
    assert len(ids) > 1.23 * request.param[0]
    won = set(Game.objects.filter(outcome="won", removed_at=None).values_list("pk", flat=True))
    random.Random(1).shuffle(ids)
    for start in range(0, len(ids), 500):
        with transaction.atomic():  # a commit for each would wait for the disk most of the time
            for pk in ids[start : start + 500]:
                assert bests.enter(game_id=pk) == (pk in won)
    return made


def _agrees(board: Board, plain: list[boards.Line], size: int = 7, step: int = 17) -> None:
    """Read a board page by page and compare it, and some own rows, with the plain one."""
    read: list[boards.Line] = []
    pages = max(1, -(-len(plain) // size))
    for page in range(1, pages + 1):
        found = leaderboards.read(board=board, reader=None, page=page, size=size)
        assert (found.total, found.page, found.pages) == (len(plain), page, pages)
        read += [(row.rank, row.game.player_id, row.game.pk) for row in found.rows]
    assert read == plain
    for rank, player, game in plain[::step]:
        own = leaderboards.own_row(board=board, reader=Player(pk=player))
        assert own is not None
        assert (own.rank, own.game.player_id, own.game.pk) == (rank, player, game)


@pytest.mark.timeout(1_800)
def test_every_board_is_what_a_plain_script_makes_of_all_games(world: boards.World) -> None:
    played = boards.all_played()
    scopes = [ALL_DEALS, DAYS_DEALS, world.deals[0].pk, world.deals[5].pk]
    size = len(world.players) // 6
    for scope in scopes:
        for text in TEXTS:
            there = [one for one in played if (scope, text) in one.pairs]
            for by, games in COLUMNS:
                board = Board(scope, periods.read(text), games, by)
                _agrees(board, boards.plain_board(there, games=games, by=by), size=size)
    assert {game.followed for game in Game.objects.filter(entered=True)} == {True, False}
    assert {game.studied for game in Game.objects.filter(entered=True)} == {True, False}
    assert boards.check_stretches() > 100


@pytest.mark.parametrize(
    ("zone", "session_zone"),
    [("Pacific/Kiritimati", "America/Los_Angeles"), ("America/St_Johns", "Asia/Ho_Chi_Minh")],
)
def test_no_zone_of_the_server_or_the_database_moves_a_day(
    postgresql: str, monkeypatch: pytest.MonkeyPatch, zone: str, session_zone: str
) -> None:
    boards.make(150, 4)
    with monkeypatch.context() as patch, connection.cursor() as cursor:
        patch.setenv("TZ", zone)
        time.tzset()
        cursor.execute("SELECT set_config('TimeZone', %s, false)", [session_zone])
        bests.enter_missing(limit=1000)
        played = boards.all_played()
        for scope in (ALL_DEALS, DAYS_DEALS):
            for text in TEXTS:
                there = [one for one in played if (scope, text) in one.pairs]
                plain = boards.plain_board(there, games="all", by="time")
                _agrees(Board(scope, periods.read(text)), plain, size=20)
    time.tzset()


def test_entering_again_changes_nothing(database: str) -> None:
    boards.make(60, 2)
    won = Game.objects.filter(outcome="won", removed_at=None)
    assert bests.enter_missing(limit=1000) == won.count()
    before = [*Best.objects.order_by("pk").values(), *Stretch.objects.order_by("pk").values()]
    assert bests.enter_missing() == 0
    for pk in Game.objects.values_list("pk", flat=True):
        assert not bests.enter(game_id=pk)
    assert before == [
        *Best.objects.order_by("pk").values(),
        *Stretch.objects.order_by("pk").values(),
    ]


def test_games_entered_by_many_at_once_make_the_same_boards(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretches, "MOST", 4)
    boards.make(80, 3, players=10, deals=3)
    won = Game.objects.filter(outcome="won", removed_at=None)
    ids = list(won.values_list("pk", flat=True))
    lots = [ids[n::4] + ids[n::8] for n in range(4)]
    works = [partial(_enter_all, lot) for lot in (*lots, ids)]
    results = at_once(*works)
    assert not [result for result in results if isinstance(result, Exception)]
    assert sum(result for result in results if isinstance(result, int)) == len(ids)
    played = boards.all_played()
    for scope in (ALL_DEALS, DAYS_DEALS):
        there = [one for one in played if (scope, "all") in one.pairs]
        for by, games in COLUMNS:
            plain = boards.plain_board(there, games=games, by=by)
            _agrees(Board(scope=scope, games=games, by=by), plain, size=3)
    assert boards.check_stretches() > 0


def _enter_all(ids: list[int]) -> int:
    return sum(bests.enter(game_id=pk) for pk in ids)


def test_a_studied_game_is_off_the_first_tries_alone(database: str) -> None:
    boards.make(1, 5, players=1)
    Game.objects.update(outcome="won", home=104, undos=0)
    Study.objects.all().delete()
    game = Game.objects.select_related("race").get()
    game.race.openness = "moves"
    game.race.save()
    ended_at = (game.race.starts_at or 0) + (game.finished_ms or 0)
    Study.objects.create(player=game.player, deal=game.race.deal, at=ended_at - 1)
    assert bests.enter(game_id=game.pk)
    game.refresh_from_db()
    assert game.studied
    for by, games in COLUMNS:
        found = leaderboards.read(board=Board(games=games, by=by), reader=game.player)
        assert (found.own is not None) == (games != "first")


def test_a_replay_opened_after_the_game_studied_nothing(database: str) -> None:
    boards.make(1, 5, players=1)
    Study.objects.all().delete()
    game = Game.objects.select_related("race").get()
    ended_at = (game.race.starts_at or 0) + (game.finished_ms or 0)
    Study.objects.create(player=game.player, deal=game.race.deal, at=ended_at)
    assert not marks.is_studied(game)


def test_thirty_actions_of_an_earlier_line_follow_it_and_twenty_nine_do_not() -> None:
    rival = [(code, 10 * n) for n, code in enumerate(boards.LINE)]
    later = [(code, at + 1) for code, at in rival]
    assert marks.follows(later[:30], [rival])
    assert not marks.follows(later[:29], [rival])
    assert marks.follows([("xy", 0), *((code, at + 20) for code, at in rival[5:35])], [rival])
    assert not marks.follows(rival[:30], [later])
    assert not marks.follows(rival[:30], [rival])
    assert not marks.follows([*later[:15], ("**", 151), *later[15:29]], [rival])


@pytest.mark.parametrize(
    ("text", "moment", "inside"),
    [
        ("2026-11-30", "2026-11-30T00:00:00", True),
        ("2026-11-30", "2026-11-29T23:59:59.999", False),
        ("2026-W49", "2026-11-30T00:00:00", True),
        ("2026-W49", "2026-12-06T23:59:59.999", True),
        ("2026-W49", "2026-12-07T00:00:00", False),
        ("2026-W01", "2025-12-29T00:00:00", True),
        ("2026-W53", "2027-01-03T12:00:00", True),
    ],
)
def test_periods_begin_and_end_at_midnight_utc(text: str, moment: str, inside: bool) -> None:
    at = datetime.datetime.fromisoformat(moment).replace(tzinfo=datetime.UTC)
    day = periods.day_of(round(at.timestamp() * 1000))
    assert (periods.read(text) in periods.holding(day)) == inside
    assert periods.write(periods.read(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "2026", "2026-13-01", "2026-W54", "1969-12-31", "0001-W01", "2026-1-1", "２０２６-01-01"],
)
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(Denied):
        periods.read(text)


def test_today_and_this_week_are_the_clocks(clock: Clock) -> None:
    assert periods.write(periods.read("today")) == "2027-01-15"
    assert periods.write(periods.read("week")) == "2027-W02"


def test_a_game_resumed_after_its_resignation_counts_once_it_is_won(
    database: str, clock: Clock
) -> None:
    player = guest()
    race = run(open_race(player), clock)
    resign(game_of(race, player), 2_000)
    clock.pass_ms(5_000)
    settling.settle_overdue()
    assert leaderboards.count(Board()) == 0
    assert settling.take_back_resignation(code=race.code, player=player)
    won = win(game_of(race, player))
    clock.pass_ms(600_000)
    settling.settle_overdue()
    for board in (Board(), Board(by="moves"), Board(scope=race.deal_id, games="first")):
        own = leaderboards.own_row(board=board, reader=player)
        assert own is not None
        assert (own.rank, own.game, own.game.finished_ms) == (1, won, won.finished_ms)
    assert {game.outcome for game in Game.objects.all()} == {"won"}


def test_what_was_won_in_a_race_that_goes_on_is_entered_by_the_sweep(
    database: str, clock: Clock
) -> None:
    boards.make(1, 5, players=2)
    game = Game.objects.select_related("race").get()
    Game.objects.update(outcome="won", home=104)
    Race.objects.update(openness="moves", starts_at=clock.ms - 600_000)
    other = Player.objects.exclude(pk=game.player_id)[0]
    Game.objects.create(race=game.race, player=other)
    assert settling.settle_overdue() == 0
    assert leaderboards.count(Board()) == 1
    assert Game.objects.get(pk=game.pk).entered
    before = list(Best.objects.order_by("pk").values())
    assert settling.settle_overdue() == 0
    assert list(Best.objects.order_by("pk").values()) == before


@pytest.mark.usefixtures("database")
def test_the_way_back_before_stretches_leaves_what_was_won_to_be_entered_again(
    clock: Clock,
) -> None:
    anh = guest("Anh")
    race = run(open_race(anh), clock)
    won = win(game_of(race, anh))
    assert bests.enter(game_id=won.pk)
    try:
        call_command("migrate", "games", "0004", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    assert not Best.objects.exists()
    assert bests.enter_missing() == 1
    assert [row.game.pk for row in leaderboards.read(board=Board(), reader=None).rows] == [won.pk]
