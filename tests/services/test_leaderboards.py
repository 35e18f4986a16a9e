"""Leaderboards: held against the plainest reading of their rules, on made-up games."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Deal, Game, Player, Race
from games.services import deals, leaderboards, settling
from tests.services.scenes import DEAL, guest

pytestmark = pytest.mark.django_db
Order = Literal["time", "moves"]


@dataclass(frozen=True)
class Made:
    """A game that is to be on the deal; `player` is a number."""

    player: int
    ms: int = 1_000
    moves: int = 100
    undos: int = 0
    openness: str = "moves"
    outcome: str | None = "won"
    removed: bool = False
    elsewhere: bool = False

    def key(self, by: Order) -> tuple[int, ...]:
        return (self.ms, self.moves) if by == "time" else (self.moves, self.undos, self.ms)

    @property
    def counts(self) -> bool:
        return (
            self.outcome == "won"
            and self.openness != "cards"
            and not self.removed
            and not self.elsewhere
        )


def store(made: list[Made]) -> tuple[Deal, list[Player]]:
    """Store the games, each in a race of its own, and enter them on the boards."""
    deal, other = deals.choose(wish=DEAL), deals.choose(wish="CR1-N-AAAAAAC")
    people = [guest(f"Player {number}") for number in range(5)]
    for number, game in enumerate(made):
        race = Race.objects.create(
            code=f"R{number:06}",
            deal=other if game.elsewhere else deal,
            host=people[game.player],
            seats=1,
            openness=game.openness,
            created_at=0,
            starts_at=0,
        )
        Game.objects.create(
            race=race,
            player=people[game.player],
            outcome=game.outcome,
            finished_ms=None if game.outcome is None else game.ms,
            home=104 if game.outcome == "won" else 50,
            moves=game.moves,
            undos=game.undos,
            removed_at=1 if game.removed else None,
        )
        settling.close_if_over(race_id=race.pk)
    return deal, people


Line = tuple[int, str, tuple[int, ...]]


def lines(board: leaderboards.Leaderboard, by: Order) -> list[Line]:
    """The rows of a board: rank, player, what was compared."""
    return [_line(row, by) for row in board.rows]


def _line(row: leaderboards.Row, by: Order) -> Line:
    game, played = row.game, row.game
    compared = (
        (game.finished_ms or 0, game.moves)
        if by == "time"
        else (game.moves, game.undos, game.finished_ms or 0)
    )
    return row.rank, played.player.name, compared


def expected(made: list[Made], by: Order) -> list[Line]:
    """Each player's best; the rank is one more than how many players are strictly better."""
    best: dict[int, tuple[int, ...]] = {}
    for game in made:
        if game.counts:
            best[game.player] = min(best.get(game.player, game.key(by)), game.key(by))
    ranked = [
        (1 + sum(other < key for other in best.values()), f"Player {player}", key)
        for player, key in best.items()
    ]
    return sorted(ranked)


GAMES = st.builds(
    Made,
    player=st.integers(0, 4),
    ms=st.integers(1, 3),
    moves=st.integers(100, 102),
    undos=st.integers(0, 1),
    openness=st.sampled_from(["progress", "moves", "moves", "cards"]),
    outcome=st.sampled_from(["won", "won", "won", "resigned", "expired", None]),
    removed=st.sampled_from([False, False, True]),
    elsewhere=st.sampled_from([False, False, False, True]),
)


@pytest.mark.parametrize("by", ["time", "moves"])
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(made=st.lists(GAMES, max_size=14), reader=st.integers(0, 4))
def test_a_board_is_what_its_rules_say(by: Order, made: list[Made], reader: int) -> None:
    with transaction.atomic():
        deal, people = store(made)
        board = leaderboards.of_deal(deal=deal, by=by, reader=people[reader])
        assert sorted(lines(board, by)) == expected(made, by)
        assert [rank for rank, _, _ in lines(board, by)] == sorted(
            r for r, _, _ in lines(board, by)
        )
        own = [line for line in expected(made, by) if line[1] == f"Player {reader}"]
        assert [_line(board.own, by)] == own if board.own else own == []
        transaction.set_rollback(True)


def ranks(made: list[Made], by: Order = "time", **reading: Any) -> list[tuple[int, int]]:
    deal, people = store(made)
    number = {player.pk: place for place, player in enumerate(people)}
    board = leaderboards.of_deal(deal=deal, by=by, reader=None, **reading)
    return [(row.rank, number[row.game.player_id]) for row in board.rows]


def test_equals_share_a_rank_and_the_next_is_skipped() -> None:
    made = [Made(0, ms=2), Made(1, ms=1), Made(2, ms=2), Made(3, ms=3)]
    assert ranks(made) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_by_time_moves_decide_between_equal_times_and_undos_do_not() -> None:
    made = [Made(0, moves=101), Made(1, moves=100, undos=5), Made(2, moves=100)]
    assert ranks(made) == [(1, 1), (1, 2), (3, 0)]


def test_by_moves_undos_then_time_decide_between_equal_moves() -> None:
    made = [Made(0, undos=1, ms=1), Made(1, ms=3), Made(2, ms=2), Made(3, moves=99, undos=9)]
    assert ranks(made, "moves") == [(1, 3), (2, 2), (3, 1), (4, 0)]


def test_a_player_is_listed_once_with_the_best_game_of_each_board() -> None:
    made = [Made(0, ms=5, moves=100), Made(0, ms=4, moves=105), Made(1, ms=9, moves=90)]
    deal, people = store(made)
    by_time = leaderboards.of_deal(deal=deal, by="time", reader=None)
    by_moves = leaderboards.of_deal(deal=deal, by="moves", reader=None)
    assert lines(by_time, "time") == [(1, "Player 0", (4, 105)), (2, "Player 1", (9, 90))]
    assert lines(by_moves, "moves") == [(1, "Player 1", (90, 0, 9)), (2, "Player 0", (100, 0, 5))]
    assert people


@pytest.mark.parametrize(
    "made",
    [Made(0, openness="cards"), Made(0, outcome="resigned"), Made(0, outcome="expired"),
     Made(0, outcome=None), Made(0, removed=True), Made(0, elsewhere=True)],
    ids=str,
)  # fmt: skip
def test_some_games_are_on_no_board(made: Made) -> None:
    assert ranks([made]) == []


def test_own_row_is_given_even_where_the_board_ends_before_it() -> None:
    deal, people = store([Made(number, ms=number) for number in range(5)])
    board = leaderboards.of_deal(deal=deal, by="time", reader=people[4], limit=2)
    assert [row.rank for row in board.rows] == [1, 2]
    assert board.own is not None
    assert (board.own.rank, board.own.game.player) == (5, people[4])
    stranger = leaderboards.of_deal(deal=deal, by="time", reader=guest("Stranger"))
    assert stranger.own is None


def test_a_deal_that_nobody_has_played_has_an_empty_board() -> None:
    deal = deals.find(code=deals.read_code(DEAL))
    board = leaderboards.of_deal(deal=deal, by="time", reader=guest())
    assert board == leaderboards.Leaderboard((), None)
    assert not Deal.objects.exists()
