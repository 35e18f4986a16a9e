"""Stretches: a long board is cut into parts whose rows are counted, so that no rank and no page is
found by counting all of the board. A part has MOST rows at most, and those equal to its last."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import connection
from django.db.models import QuerySet

from games.models import Stretch
from games.services import boards, periods
from games.services.boards import Board

MOST = 512

Pair = tuple[int, int]
"""A scope and a period."""

Counts = Mapping[tuple[int, int, int, int], int]
"""By how many the rows with a key have become more: scope, period, column (its place among
boards.COLUMNS) and key."""

_TABLE = Stretch._meta.db_table
_PLACES = f"""
    WITH change (scope, period, "column", key) AS (VALUES {{}}), placed AS (
        SELECT *, (SELECT max(low) FROM {_TABLE} s WHERE s.scope = change.scope
            AND s.period = change.period AND s."column" = change."column"
            AND s.low <= change.key) AS low
        FROM change)
    SELECT p.scope, p.period, p."column", p.key, p.low, s.count
    FROM placed p LEFT JOIN {_TABLE} s ON s.scope = p.scope AND s.period = p.period
        AND s."column" = p."column" AND s.low = p.low"""  # noqa: S608


def add(counts: Counts) -> None:
    """Count rows that were written and taken away, and cut what has grown too long by it.

    Nobody else may write to the boards meanwhile (bests.py sees to that). All six of a scope and
    period are counted, or none: they begin when there are more than MOST players on them.
    """
    changed: dict[tuple[int, int, int, int], Stretch] = {}
    players: Counter[Pair] = Counter()
    for key, found in _places(counts):
        (scope, period, column, _), by = key, counts[key]
        if found is not None:
            low, count = found
            place = (scope, period, column, low)
            changed.setdefault(place, Stretch(**_named(place), count=count)).count += by
        elif column == 0:
            players[scope, period] += by
    _store(changed.values())
    for stretch in changed.values():
        if stretch.count > MOST:
            _cut_again(stretch)
    for pair in _grown_long(pair for pair, by in players.items() if by > 0):
        begin(*pair)


def begin(scope: int, period: int) -> None:
    """Count the boards of a scope and period from now on."""
    for board in boards.of_pair(scope, period):
        _store(_cut(board, 0, None))


def of_board(board: Board) -> QuerySet[Stretch]:
    """Return the stretches of a board, in no order; none where it isn't counted."""
    return Stretch.objects.filter(scope=board.scope, period=board.period, column=board.number)


def cut(keys: Sequence[int], low: int) -> list[tuple[int, int]]:
    """Cut a stretch from `low` on that holds these keys, in ascending order, into parts of one
    length; return the least key that belongs to each, and its count. Equal keys stay together."""
    parts = -(-len(keys) // (MOST * 3 // 4)) or 1
    size = -(-len(keys) // parts)
    found = [(low, 0)]
    for place, key in enumerate(keys):
        start, count = found[-1]
        if count >= size and key != keys[place - 1]:
            found.append((key, 1))
        else:
            found[-1] = (start, count + 1)
    return found


def _cut_again(stretch: Stretch) -> None:
    by, games = boards.COLUMNS[stretch.column]
    board = Board(stretch.scope, stretch.period, games, by)
    after = of_board(board).filter(low__gt=stretch.low).order_by("low")
    _store(_cut(board, stretch.low, after.values_list("low", flat=True).first()))


def _cut(board: Board, low: int, end: int | None) -> Iterator[Stretch]:
    """Read a board from a key on and before another, and cut it there."""
    rows = boards.rows_of(board).filter(**{f"{board.key}__gte": low})
    if end is not None:
        rows = rows.filter(**{f"{board.key}__lt": end})
    keys = list(rows.order_by(board.key).values_list(board.key, flat=True))
    for start, count in cut(keys, low):
        place = (board.scope, board.period, board.number, start)
        yield Stretch(**_named(place), count=count)


def _places(
    counts: Counts,
) -> Iterator[tuple[tuple[int, int, int, int], tuple[int, int] | None]]:
    """Give for each key the stretch that it belongs to, as its low and its count; None where the
    board isn't counted."""
    if not counts:
        return
    values = ", ".join(["(%s, %s, %s, %s)"] * len(counts))
    with connection.cursor() as cursor:
        cursor.execute(_PLACES.format(values), [number for key in counts for number in key])
        for scope, period, column, key, low, count in cursor.fetchall():
            yield (scope, period, column, key), None if low is None else (low, count)


def _store(stretches: Iterable[Stretch]) -> None:
    Stretch.objects.bulk_create(
        stretches,
        update_conflicts=True,
        update_fields=["count"],
        unique_fields=["scope", "period", "column", "low"],
    )


def _grown_long(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Of pairs that have one player more, give those that have more than MOST."""
    scopes: defaultdict[int, list[int]] = defaultdict(list)
    for scope, period in pairs:
        scopes[scope].append(period)
    for scope, grown in scopes.items():
        # All time, then weeks (below zero), then days: none has more players than the one before.
        for period in sorted(grown, key=lambda one: (one != periods.ALL_TIME, one)):
            rows = boards.rows_of(Board(scope, period))
            if rows[: MOST + 1].count() <= MOST:
                break
            yield scope, period


def _named(place: tuple[int, int, int, int]) -> dict[str, int]:
    return dict(zip(("scope", "period", "column", "low"), place, strict=True))
