"""Recording: a batch is written whole or not, each game's part exactly when it was judged right."""

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.db import Error, IntegrityError, connection, transaction

from games.models import Game, LoggedAction, Race
from games.services import recording, seats, verifying
from games.services.recording import GameWrite
from tests.services.scenes import (
    Clock,
    at_once,
    game_of,
    guest,
    open_race,
    play,
    run,
    winning_line,
)

pytestmark = pytest.mark.usefixtures("database")
EXECUTE = psycopg.Cursor.execute
ON_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)


@pytest.fixture
def games(clock: Clock) -> list[Game]:
    """Three games of a running race that nobody has moved in."""
    players = [guest(name) for name in ("Anh", "Oksana", "Minh")]
    race = run(open_race(*players), clock)
    return [game_of(race, player) for player in players]


def write_of(game: Game, base: int = 0, count: int = 1, **fields: Any) -> GameWrite:
    """A write that looks like `count` moves on top of `base`."""
    actions = [(base + step, 1_000 * (base + step), "ab") for step in range(1, count + 1)]
    usual = GameWrite(
        game_id=game.pk,
        base_seq=base,
        seq=base + count,
        moves=base + count,
        undos=1,
        redeals=2,
        home=9,
        actions=actions,
    )
    return usual._replace(**fields)


def row(game: Game) -> tuple[object, ...]:
    """What is stored of a game's counters and result."""
    columns = ("seq", "moves", "undos", "redeals", "home", "outcome", "finished_ms")
    return tuple(Game.objects.values_list(*columns).get(pk=game.pk))


def log(game: Game) -> list[tuple[int, int, str]]:
    """What is stored of a game's actions."""
    rows = LoggedAction.objects.filter(game=game).order_by("seq")
    return list(rows.values_list("seq", "at_ms", "code"))


UNTOUCHED = (0, 0, 0, 0, 8, None, None)


def test_nothing_is_written_of_an_empty_batch() -> None:
    assert recording.record([]) == set()


def test_a_batch_writes_counters_and_actions_of_every_game(games: list[Game]) -> None:
    writes = [write_of(game, count=count) for count, game in enumerate(games, start=1)]
    assert recording.record(writes[::-1]) == {game.pk for game in games}
    for count, (game, write) in enumerate(zip(games, writes, strict=True), start=1):
        assert row(game) == (count, count, 1, 2, 9, None, None)
        assert log(game) == write.actions
    assert recording.record([write_of(games[0], base=1, count=2)]) == {games[0].pk}
    assert [seq for seq, _, _ in log(games[0])] == [1, 2, 3]


@pytest.mark.parametrize("base", [0, 1, 3, 99])
def test_a_game_that_stands_elsewhere_takes_nothing_and_the_others_do(
    games: list[Game], base: int
) -> None:
    recording.record([write_of(games[1], count=2)])
    before = (row(games[1]), log(games[1]))
    batch = [write_of(games[0]), write_of(games[1], base=base), write_of(games[2])]
    assert recording.record(batch) == {games[0].pk, games[2].pk}
    assert (row(games[1]), log(games[1])) == before
    assert len(log(games[0])) == len(log(games[2])) == 1


@pytest.mark.parametrize("outcome", ["won", "resigned", "expired"])
def test_a_game_that_has_ended_takes_nothing_more(games: list[Game], outcome: str) -> None:
    home = 104 if outcome == "won" else 9
    end = write_of(games[0], outcome=outcome, finished_ms=77, home=home)
    assert recording.record([end]) == {games[0].pk}
    assert row(games[0]) == (1, 1, 1, 2, home, outcome, 77)
    more = [write_of(games[0], base=1), write_of(games[1])]
    assert recording.record(more) == {games[1].pk}
    resigned = write_of(games[0], base=1, count=0, outcome="resigned", finished_ms=80)
    assert recording.record([resigned]) == set()
    assert row(games[0]) == (1, 1, 1, 2, home, outcome, 77)
    assert len(log(games[0])) == 1


def test_who_was_removed_writes_nothing(games: list[Game]) -> None:
    Game.objects.filter(pk=games[1].pk).update(removed_at=5)
    assert recording.record([write_of(games[1]), write_of(games[2])]) == {games[2].pk}
    assert (row(games[1]), log(games[1])) == (UNTOUCHED, [])


@pytest.mark.parametrize("starts_at", [None, 10**14])
def test_a_game_whose_race_has_not_started_takes_nothing(
    games: list[Game], starts_at: int | None
) -> None:
    """Its start was called off, unheard by the process that judged."""
    Race.objects.update(starts_at=starts_at)
    assert recording.record([write_of(games[1])]) == set()
    resigned = write_of(games[2], count=0, outcome="resigned", finished_ms=1)
    assert recording.record([resigned]) == set()
    assert [row(game) for game in games] == [UNTOUCHED] * 3


def test_a_game_that_does_not_exist_writes_nothing(games: list[Game]) -> None:
    ghost = write_of(games[0])._replace(game_id=10**9)
    assert recording.record([ghost, write_of(games[0])]) == {games[0].pk}
    assert LoggedAction.objects.count() == 1


def test_a_resignation_is_an_end_without_an_action(games: list[Game]) -> None:
    write = write_of(games[0], count=0, outcome="resigned", finished_ms=1, home=8)
    assert recording.record([write]) == {games[0].pk}
    assert row(games[0]) == (0, 0, 1, 2, 8, "resigned", 1)
    assert log(games[0]) == []


IMPOSSIBLE: dict[str, Callable[[Game], GameWrite]] = {
    "an outcome without its time": lambda game: write_of(game, outcome="resigned"),
    "a time without an outcome": lambda game: write_of(game, finished_ms=5),
    "won with cards left": lambda game: write_of(game, outcome="won", finished_ms=5, home=103),
    "the same seq twice": lambda game: write_of(game, actions=[(1, 0, "ab"), (1, 0, "ba")]),
    "an action before the first": lambda game: write_of(game, actions=[(0, 0, "ab")]),
}


@pytest.mark.parametrize("make", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_batch_with_an_impossible_write_fails_whole(
    games: list[Game], make: Callable[[Game], GameWrite]
) -> None:
    with pytest.raises(IntegrityError):
        recording.record([write_of(games[0]), make(games[1]), write_of(games[2])])
    assert [row(game) for game in games] == [UNTOUCHED] * 3
    assert not LoggedAction.objects.exists()
    assert recording.record([write_of(game) for game in games]) == {game.pk for game in games}


def test_nothing_of_a_batch_is_there_before_its_transaction_ends(games: list[Game]) -> None:
    with transaction.atomic():
        assert recording.record([write_of(games[0])]) == {games[0].pk}
        transaction.set_rollback(True)
    assert (row(games[0]), log(games[0])) == (UNTOUCHED, [])


@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_a_batch_of_any_size_is_one_statement_in_postgresql(games: list[Game]) -> None:
    counts = []
    for base, batch in ((0, games[:1]), (50, games)):
        Game.objects.update(seq=base)
        with patch.object(psycopg.Cursor, "execute", autospec=True) as asked:
            asked.side_effect = EXECUTE
            recording.record([write_of(game, base=base, count=20) for game in batch])
        counts.append(asked.call_count)
    assert counts == [1, 1]


@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_postgresql_plans_a_batch_once_and_not_each_time(games: list[Game]) -> None:
    game = games[0]
    for base in range(recording.PREPARE_AFTER + 2):
        assert recording.record([write_of(game, base=base, count=1)]) == {game.pk}
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        assert cursor.fetchone() == (1,)


@pytest.mark.parametrize("attempt", range(4))
def test_of_two_writers_on_the_same_games_one_hits_each(games: list[Game], attempt: int) -> None:
    writers = [
        [write_of(game, count=writer, moves=writer) for game in games] for writer in (1, 2, 3)
    ]
    writers[attempt % 3].reverse()
    results = at_once(*(partial(recording.record, batch) for batch in writers))
    for game in games:
        hits = [
            place for place, hit in enumerate(results) if isinstance(hit, set) and game.pk in hit
        ]
        assert len(hits) == 1, results
        count = hits[0] + 1
        assert row(game)[:2] == (count, count)
        assert [seq for seq, _, _ in log(game)] == list(range(1, count + 1))


def test_writers_on_overlapping_games_never_wait_for_each_other_for_good(games: list[Game]) -> None:
    first, second, third = games

    def rounds(order: list[Game]) -> int:
        hits = 0
        for _ in range(10):
            at = dict(Game.objects.values_list("pk", "seq"))
            hits += len(recording.record([write_of(game, base=at[game.pk]) for game in order]))
        return hits

    results = at_once(
        partial(rounds, [first, second, third]),
        partial(rounds, [third, first]),
        partial(rounds, [second, third, first]),
    )
    assert not [error for error in results if isinstance(error, Exception)]
    assert sum(hits for hits in results if isinstance(hits, int)) == LoggedAction.objects.count()
    for game in games:
        assert [seq for seq, _, _ in log(game)] == list(range(1, int(str(row(game)[0])) + 1))


def test_a_resignation_and_a_move_at_once_never_both_hit(games: list[Game]) -> None:
    game = games[0]
    gives_up = write_of(game, count=0, outcome="resigned", finished_ms=9)
    results = at_once(
        partial(recording.record, [write_of(game)]), partial(recording.record, [gives_up])
    )
    assert sorted(map(str, results)) == sorted([str(set()), str({game.pk})])
    assert row(game)[5] == (None if results[0] else "resigned")


def test_a_presence_written_meanwhile_makes_no_game_miss(games: list[Game]) -> None:
    """It touches the same rows, and PostgreSQL looks again at a row it had to wait for."""

    def be_seen() -> int:
        return sum(
            Game.objects.filter(pk__in=[game.pk for game in games]).update(seen_at=moment) > 0
            for moment in range(10)
        )

    def move() -> int:
        return sum(
            len(recording.record([write_of(game, base=base) for game in games]))
            for base in range(10)
        )

    assert at_once(be_seen, move) == [10, 30]
    assert all(seen == 9 for seen in Game.objects.values_list("seen_at", flat=True))


def test_a_removal_and_a_move_at_once_leave_no_half_written_game(games: list[Game]) -> None:
    game = games[1]

    def remove() -> int:
        return seats.roster(game.race).filter(pk=game.pk).update(removed_at=1)

    _, hit = at_once(remove, partial(recording.record, [write_of(game)]))
    assert len(log(game)) == (1 if hit else 0) == row(game)[0]


def test_a_whole_game_is_stored_as_its_log_makes_it(games: list[Game]) -> None:
    line = winning_line()
    game = play(games[0], line[:70])
    assert verifying.faults_of(game) == []
    game = play(game, line[70:], from_ms=70_000)
    assert (game.outcome, game.home, game.seq) == ("won", 104, len(line))
    assert verifying.faults_of(game) == []


def test_the_error_of_a_lost_connection_is_one_of_the_databases(
    games: list[Game], database: str
) -> None:
    if database == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own = cursor.fetchone()[0]

    def cut() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [own])

    at_once(cut)
    with pytest.raises(Error):
        recording.record([write_of(games[0])])
    connection.close()
    assert (row(games[0]), log(games[0])) == (UNTOUCHED, [])
