"""Standings: finishers by time, the others by what they brought home; equals share a place."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.services import standings


@dataclass(frozen=True)
class Result:
    outcome: str | None = None
    finished_ms: int | None = None
    home: int = 8
    moves: int = 0


def won(ms: int, moves: int = 100) -> Result:
    return Result("won", ms, 104, moves)


def places(*results: Result) -> list[int]:
    given = standings.places(enumerate(results))
    return [given[racer] for racer in range(len(results))]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([], []),
        ([Result()], [1]),
        ([won(3_000), won(1_000), won(2_000)], [3, 1, 2]),
        ([won(1_000, 90), won(1_000, 200), won(1_001)], [1, 1, 3]),  # milliseconds alone decide
        ([won(999_999), Result(None, None, 103, 10)], [1, 2]),
        ([Result(home=50), Result(home=51)], [2, 1]),
        ([Result(home=50, moves=9), Result(home=50, moves=8)], [2, 1]),
        ([Result(home=50, moves=9), Result(home=50, moves=9), Result(home=8)], [1, 1, 3]),
        (
            [Result("resigned", 5, 50, 9), Result("expired", 9, 50, 9), Result(None, None, 50, 9)],
            [1, 1, 1],  # how a game ended without being won makes no difference
        ),
    ],
)
def test_places(results: list[Result], expected: list[int]) -> None:
    assert places(*results) == expected


RESULTS = st.builds(won, st.integers(1, 3), st.integers(100, 102)) | st.builds(
    Result,
    st.sampled_from([None, "resigned", "expired"]),
    st.just(5),
    st.integers(8, 10),
    st.integers(0, 2),
)


def _beats(one: Result, other: Result) -> bool:
    if one.outcome == "won" and other.outcome == "won":
        return (one.finished_ms or 0) < (other.finished_ms or 0)
    if "won" in (one.outcome, other.outcome):
        return one.outcome == "won"
    return one.home > other.home or (one.home == other.home and one.moves < other.moves)


@given(st.lists(RESULTS, max_size=12))
def test_a_place_is_one_more_than_how_many_did_better(results: list[Result]) -> None:
    better = [1 + sum(_beats(other, one) for other in results) for one in results]
    assert places(*results) == better
