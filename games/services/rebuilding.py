"""Rebuilding: a player's rows on the leaderboards made anew from their games."""

from collections import Counter
from collections.abc import Iterable, Iterator

from games.models import Best, Game, Openness, Outcome
from games.services import bests, boards, stretches
from games.services.stretches import Pair

_AT_ONCE = 200
"""Scopes and periods that are counted in one statement; each has a dozen keys a player at most."""

_Keys = Counter[tuple[int, int]]


def rebuild(*, player_ids: Iterable[int]) -> None:
    """Make the rows of these players anew, after games have become another's or were marked.

    In the caller's transaction, after `bests.wait_for_others`.
    """
    counts: dict[Pair, _Keys] = {}
    made: list[Best] = []
    for player_id in player_ids:
        old = Best.objects.filter(player=player_id)
        for row in old:
            _count(counts, row, -1)
        old.delete()
        for row in _rows(player_id):
            _count(counts, row, 1)
            made.append(row)
    Best.objects.bulk_create(made)
    for pairs in _lots(sorted(counts)):
        stretches.add(
            {
                (*pair, column, key): by
                for pair in pairs
                for (column, key), by in counts[pair].items()
                if by
            }
        )


def _rows(player_id: int) -> Iterator[Best]:
    """Give the rows that lead on some board, unsaved."""
    held: dict[Pair, list[Best]] = {}
    games = Game.objects.filter(
        player=player_id, outcome=Outcome.WON, entered=True, followed=False, removed_at=None
    ).exclude(race__openness=Openness.CARDS)
    for game in games.select_related("race__attempt"):
        attempt = getattr(game.race, "attempt", None)
        eligible = bests.eligible_of(game)
        for pair in bests.pairs_of(game, attempt):
            row = bests.row_of(game, *pair)
            rows = held.setdefault(pair, [])
            bests.compare(row, rows, eligible)
            held[pair] = [one for one in (*rows, row) if bests.leads(one)]
    for rows in held.values():
        yield from rows


def _count(counts: dict[Pair, _Keys], row: Best, by: int) -> None:
    keys = counts.setdefault((row.scope, row.period), Counter())
    for board in boards.of_pair(row.scope, row.period):
        if getattr(row, board.column):
            keys[board.number, getattr(row, board.key)] += by


def _lots(pairs: list[Pair]) -> Iterator[list[Pair]]:
    for start in range(0, len(pairs), _AT_ONCE):
        yield pairs[start : start + _AT_ONCE]
