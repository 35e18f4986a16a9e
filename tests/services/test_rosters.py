"""Reading a race as it stands: everything in it, in few queries, whatever code is asked for."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.services import rosters, seats
from tests.services.scenes import Clock, game_of, guest, open_race, play, run, winning_line

pytestmark = pytest.mark.usefixtures("database")


@pytest.mark.parametrize(
    "code", ["NOSUCH7", "", "\x00", "AB\x00CDEF", "\ud800", "' OR 1=1", "x" * 999]
)
def test_a_code_of_no_race_finds_none_and_breaks_nothing(code: str) -> None:
    race = open_race(guest())
    assert rosters.read_room(code=code) is None
    assert [room.race for room in rosters.read_rooms(codes=[code, race.code])] == [race]


def test_a_room_has_its_games_by_seniority_the_removed_ones_included() -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana, third)
    open_race(guest("Elsewhere"))
    seats.kick(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    room = rosters.read_room(code=race.code)
    assert room is not None
    assert [game.player for game in room.games] == [anh, oksana, third]
    assert [game.removed_at is not None for game in room.games] == [False, True, False]
    assert room.ghosts == ()


def test_many_races_take_as_many_queries_as_one() -> None:
    codes = [open_race(guest(), guest("Oksana")).code for _ in range(5)]
    counts = []
    for asked in (codes[:1], codes):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rooms = rosters.read_rooms(codes=asked)
            assert {game.player.name for room in rooms for game in room.games} == {"Anh", "Oksana"}
            assert all(room.race.deal.code for room in rooms)
        counts.append(len(queries))
    assert counts[0] == counts[1] == 3


def test_actions_are_read_after_the_seq_that_is_known_of_each_game(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    line = winning_line()[:5]
    games = [play(game_of(race, player), line) for player in (anh, oksana)]
    rows = [(seq, 1_000 * seq, code) for seq, code in enumerate(line, start=1)]
    assert rosters.read_actions(after={games[0].pk: 0, games[1].pk: 3}) == {
        games[0].pk: rows,
        games[1].pk: rows[3:],
    }
    assert rosters.read_actions(after={games[0].pk: 5}) == {games[0].pk: []}
    assert rosters.read_actions(after={}) == {}
