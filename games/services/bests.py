"""Bests: a won game is entered on the leaderboards, once, in one transaction.

Of a player's games each board shows the best. `Best` holds those rows, so that no board is ever
computed from all games; `Tally` holds how results are spread over a large board, so that no rank is
counted row by row.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db import connection, transaction

from games.models import Attempt, Best, Game, Openness, Outcome, Player, Tally
from games.services import marks, periods

Order = Literal["time", "moves"]
Games = Literal["all", "first", "no_undo"]

ALL_DEALS = 0
DAYS_DEALS = -1
NO_DEAL = -2
"""The scopes beside the ids of deals; for the last, a deal that nobody has played, nothing
counts."""

COLUMNS: tuple[tuple[Order, Games], ...] = (
    ("time", "all"),
    ("time", "first"),
    ("time", "no_undo"),
    ("moves", "all"),
    ("moves", "first"),
    ("moves", "no_undo"),
)
"""The boards of one scope and period; the place of each is what Tally calls its column."""

BUCKET_MS = 4_096
"""How many milliseconds a stretch of a Tally by time has."""

BUCKETS_A_MOVE = 64
"""By moves a stretch is one number of moves and of undos; from 63 undos on they share the last."""

_Key = tuple[int, ...]


def column_of(by: Order, games: Games) -> str:
    """Return the name of the column of Best that makes this board."""
    return f"{by}_{games}"


def key_of(row: Best, by: Order) -> _Key:
    """Return what a board is ordered by. By time: time, moves, who was first. By moves: moves,
    undos, time, who was first."""
    if by == "time":
        return (row.finished_ms, row.moves, row.ended_at, row.game_id)
    return (row.moves, row.undos, row.finished_ms, row.ended_at, row.game_id)


def bucket_of(row: Best, by: Order) -> int:
    """Return the stretch of a Tally that a row falls into."""
    if by == "time":
        return row.finished_ms // BUCKET_MS
    return BUCKETS_A_MOVE * row.moves + min(row.undos, BUCKETS_A_MOVE - 1)


@dataclass(slots=True)
class Change:
    """What entering a game does to one scope and period: rows to add, to change, to take away,
    and by how much the tallies go up or down, by (column, bucket)."""

    added: list[Best] = field(default_factory=list)
    changed: list[Best] = field(default_factory=list)
    removed: list[Best] = field(default_factory=list)
    counts: dict[tuple[int, int], int] = field(default_factory=dict)


def compare(new: Best, held: Sequence[Best], eligible: Iterable[Games]) -> Change:
    """Let a game take the boards of one scope and period on which it beats the player's rows in
    `held`. `eligible` names the boards it may stand on. The rows themselves are changed."""
    change, touched = Change(), dict[int, Best]()
    allowed = set(eligible)
    for column, (by, games) in enumerate(COLUMNS):
        name = column_of(by, games)
        setattr(new, name, False)
        if games not in allowed:
            continue
        old = next((row for row in held if getattr(row, name)), None)
        if old is not None and key_of(old, by) <= key_of(new, by):
            continue
        if old is not None:
            setattr(old, name, False)
            touched[old.game_id] = old
            _count(change, column, bucket_of(old, by), -1)
        setattr(new, name, True)
        _count(change, column, bucket_of(new, by), 1)
    if _leads(new):
        change.added.append(new)
    for row in touched.values():
        (change.changed if _leads(row) else change.removed).append(row)
    return change


def enter(*, game_id: int) -> bool:
    """Enter a won game on the boards it belongs on, and mark it *followed* or *studied*.

    All in one transaction with the game's `entered`: repeating it is harmless, and what a crash
    left out is entered later (`enter_missing`). Returns whether this call did it.
    """
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(of=("self",))
            .select_related("race")
            .filter(pk=game_id, outcome=Outcome.WON, entered=False, removed_at=None)
            .first()
        )
        if game is None or game.race.starts_at is None:
            return False
        game.entered, game.followed = True, marks.is_followed(game)
        game.studied = marks.is_studied(game)
        game.save(update_fields=["entered", "followed", "studied"])
        if not game.followed and game.race.openness != Openness.CARDS:
            _enter(game)
        return True


def enter_race(*, race_id: int) -> None:
    """Enter the won games of a race that aren't entered yet."""
    won = Game.objects.filter(race=race_id, outcome=Outcome.WON, entered=False)
    for game_id in list(won.order_by("pk").values_list("pk", flat=True)):
        enter(game_id=game_id)


def enter_missing(*, limit: int = 100) -> int:
    """Enter won games of any race that aren't entered yet; return how many were."""
    won = Game.objects.filter(outcome=Outcome.WON, entered=False, removed_at=None)
    return sum(enter(game_id=pk) for pk in list(won.values_list("pk", flat=True)[:limit]))


def _enter(game: Game) -> None:
    # Two games of one player that end together are entered one after the other.
    Player.objects.select_for_update(no_key=True).get(pk=game.player_id)
    keys = _keys(game)
    held: dict[tuple[int, int], list[Best]] = {key: [] for key in keys}
    rows = Best.objects.filter(
        player=game.player_id,
        scope__in={scope for scope, _ in keys},
        period__in={period for _, period in keys},
    )
    for row in rows:
        if (row.scope, row.period) in held:
            held[row.scope, row.period].append(row)
    eligible = eligible_of(game)
    changes = {key: compare(row_of(game, *key), held[key], eligible) for key in keys}
    _write(changes)


def _keys(game: Game) -> set[tuple[int, int]]:
    """Return the (scope, period) pairs a game counts for. A day's game counts for its day, also
    when it ended after midnight."""
    day = periods.day_of(_ended_at(game))
    keys = {
        (scope, period)
        for scope in (ALL_DEALS, game.race.deal_id)
        for period in periods.holding(day)
    }
    attempt = Attempt.objects.filter(race=game.race_id).first()
    if attempt is not None:
        number = periods.number_of(attempt.day_id)
        keys |= {(DAYS_DEALS, period) for period in periods.holding(number)}
    return keys


def eligible_of(game: Game) -> set[Games]:
    """Return which selections of games a game that may be on the boards belongs to."""
    eligible: set[Games] = {"all"}
    if game.first_try and not game.studied:
        eligible.add("first")
    if not game.undos:
        eligible.add("no_undo")
    return eligible


def row_of(game: Game, scope: int, period: int) -> Best:
    """Return an unsaved row for a won game (race at hand)."""
    return Best(
        game_id=game.pk,
        scope=scope,
        period=period,
        player_id=game.player_id,
        finished_ms=game.finished_ms or 0,
        moves=game.moves,
        undos=game.undos,
        ended_at=_ended_at(game),
    )


def _ended_at(game: Game) -> int:
    return (game.race.starts_at or 0) + (game.finished_ms or 0)


def _leads(row: Best) -> bool:
    return any(getattr(row, column_of(by, games)) for by, games in COLUMNS)


def _count(change: Change, column: int, bucket: int, by: int) -> None:
    change.counts[column, bucket] = change.counts.get((column, bucket), 0) + by


def _write(changes: dict[tuple[int, int], Change]) -> None:
    flags = [column_of(by, games) for by, games in COLUMNS]
    for (scope, period), change in changes.items():
        for row in change.changed:
            Best.objects.filter(game=row.game_id, scope=scope, period=period).update(
                **{flag: getattr(row, flag) for flag in flags}
            )
        for row in change.removed:
            Best.objects.filter(game=row.game_id, scope=scope, period=period).delete()
    Best.objects.bulk_create(row for change in changes.values() for row in change.added)
    counts = [
        (scope, period, column, bucket, by)
        for (scope, period), change in changes.items()
        if scope <= ALL_DEALS
        for (column, bucket), by in change.counts.items()
        if by
    ]
    if counts:
        _tally(sorted(counts))


def _tally(counts: Sequence[tuple[int, int, int, int, int]]) -> None:
    """Add to the tallies, in the order of their keys, so two processes never wait for each other
    in a circle."""
    values = ", ".join(["(%s, %s, %s, %s, %s)"] * len(counts))
    table = Tally._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO {table} (scope, period, "column", bucket, count) VALUES {values} '  # noqa: S608
            'ON CONFLICT (scope, period, "column", bucket) '
            f"DO UPDATE SET count = {table}.count + excluded.count",
            [value for row in counts for value in row],
        )
