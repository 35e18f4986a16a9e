"""The leaderboards against a plain script, whatever the order in which games are entered."""

import datetime
import random
from functools import partial

import pytest

from games.models import Best, Game, Player, Race, Study, Tally
from games.services import bests, leaderboards, marks, periods, settling
from games.services.bests import COLUMNS
from games.services.denied import Denied
from games.services.leaderboards import Board
from tests.services import boards
from tests.services.boards import DAY_MS, START_MS
from tests.services.scenes import Clock, at_once


def _agrees(board: Board, plain: list[tuple[int, int, int]], size: int = 7) -> None:
    """Read a board page by page and compare it, and some own rows, with the plain one."""
    read: list[tuple[int, int, int]] = []
    pages = max(1, -(-len(plain) // size))
    for page in range(1, pages + 1):
        found = leaderboards.read(board=board, reader=None, page=page, size=size)
        assert (found.total, found.page, found.pages) == (len(plain), page, pages)
        read += [(row.rank, row.game.player_id, row.game.pk) for row in found.rows]
    assert read == plain
    for rank, player, game in plain[::17]:
        reader = Game.objects.get(pk=game).player
        own = leaderboards.own_row(board=board, reader=reader)
        assert own is not None
        assert (own.rank, own.game.player_id, own.game.pk) == (rank, player, game)


@pytest.mark.parametrize("seed", [1])
def test_every_board_is_what_a_plain_script_makes_of_all_games(database: str, seed: int) -> None:
    world = boards.make(1200, seed)
    ids = list(Game.objects.values_list("pk", flat=True))
    random.Random(seed).shuffle(ids)
    for pk in ids:
        assert bests.enter(game_id=pk) == Game.objects.filter(pk=pk, outcome="won").exists()
    first = START_MS // DAY_MS
    dates = [periods.date_of(first + n) for n in (-1, 0, 4, 5, 11)]
    played = boards.all_games()
    scopes = [bests.ALL_DEALS, bests.DAYS_DEALS, world.deals[0].pk, world.deals[5].pk]
    for scope in scopes:
        for text in ("all", *(date.isoformat() for date in dates), "2025-W52", "2026-W01"):
            for by, games in COLUMNS:
                board = Board(scope=scope, period=periods.read(text), games=games, by=by)
                counts = partial(_counts, scope=scope, text=text)
                _agrees(board, boards.plain_board(played, counts=counts, games=games, by=by))
    assert Game.objects.filter(followed=True).exists()
    assert not Tally.objects.filter(count__lt=0).exists()


def _counts(
    game: Game, moment: datetime.datetime, day: datetime.date | None, *, scope: int, text: str
) -> bool:
    if scope == bests.DAYS_DEALS:
        if day is None:
            return False
        date = day
    else:
        date = moment.date()
        if scope and game.race.deal_id != scope:
            return False
    year, week, _ = date.isocalendar()
    return text in {"all", date.isoformat(), f"{year}-W{week:02}"}


def test_entering_again_changes_nothing(database: str) -> None:
    boards.make(60, 2)
    assert bests.enter_missing(limit=1000) == Game.objects.filter(outcome="won").count()
    before = [*Best.objects.order_by("pk").values(), *Tally.objects.order_by("pk").values()]
    assert bests.enter_missing() == 0
    for pk in Game.objects.values_list("pk", flat=True):
        assert not bests.enter(game_id=pk)
    assert before == [*Best.objects.order_by("pk").values(), *Tally.objects.order_by("pk").values()]


def test_games_entered_by_many_at_once_make_the_same_boards(database: str) -> None:
    boards.make(80, 3, players=4, deals=3)
    ids = list(Game.objects.filter(outcome="won").values_list("pk", flat=True))
    lots = [ids[n::4] + ids[n::8] for n in range(4)]
    works = [partial(_enter_all, lot) for lot in (*lots, ids)]
    results = at_once(*works)
    assert not [result for result in results if isinstance(result, Exception)]
    assert sum(result for result in results if isinstance(result, int)) == len(ids)
    played = boards.all_games()
    for scope in (bests.ALL_DEALS, bests.DAYS_DEALS):
        for by, games in COLUMNS:
            counts = partial(_counts, scope=scope, text="all")
            board = Board(scope=scope, games=games, by=by)
            plain = boards.plain_board(played, counts=counts, games=games, by=by)
            _agrees(board, plain, size=3)


def _enter_all(ids: list[int]) -> int:
    return sum(bests.enter(game_id=pk) for pk in ids)


def test_a_studied_game_is_off_the_first_tries_alone(database: str) -> None:
    boards.make(1, 5, players=1)
    game = Game.objects.select_related("race").get()
    Game.objects.update(outcome="won", home=104, undos=0)
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
