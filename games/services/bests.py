"""Bests: a won game is entered on the leaderboards, once, in one transaction.

Of a player's games each board shows the best. `Best` holds those rows, so that no board is ever
computed from all games.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction

from games.models import Attempt, Best, Game, Openness, Outcome
from games.services import boards, marks, periods, stretches
from games.services.boards import ALL_DEALS, DAYS_DEALS, Games
from games.services.stretches import Pair

_ENTERING = 0x43524553
"""The advisory lock of whoever enters a game."""

_COLUMNS = tuple(f"{by}_{games}" for by, games in boards.COLUMNS)


@dataclass(slots=True)
class Change:
    """What entering a game does to the boards of one scope and period: rows to add, to change, to
    take away, and by how many rows of each key there are more, by (column, key)."""

    added: list[Best] = field(default_factory=list)
    changed: list[Best] = field(default_factory=list)
    removed: list[Best] = field(default_factory=list)
    counts: Counter[tuple[int, int]] = field(default_factory=Counter)


def compare(new: Best, held: Sequence[Best], eligible: Iterable[Games]) -> Change:
    """Let a game take the boards of one scope and period on which it beats the player's rows in
    `held`. `eligible` names the boards it may stand on. The rows themselves are changed."""
    change, touched = Change(), dict[int, Best]()
    allowed = set(eligible)
    for board in boards.of_pair(new.scope, new.period):
        setattr(new, board.column, False)
        if board.games not in allowed:
            continue
        old = next((row for row in held if getattr(row, board.column)), None)
        if old is not None and _order(old, board.key) <= _order(new, board.key):
            continue
        if old is not None:
            setattr(old, board.column, False)
            touched[old.game_id] = old
            change.counts[board.number, getattr(old, board.key)] -= 1
        setattr(new, board.column, True)
        change.counts[board.number, getattr(new, board.key)] += 1
    if leads(new):
        change.added.append(new)
    for row in touched.values():
        (change.changed if leads(row) else change.removed).append(row)
    return change


def enter(*, game_id: int) -> bool:
    """Enter a won game on the boards it belongs on, and mark it *followed* or *studied*, and no
    first try where the player has become another's meanwhile and had one (services/merging.py).

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
        wait_for_others()
        game.studied = marks.is_studied(game)
        game.first_try = game.first_try and not marks.is_later_try(game)
        game.save(update_fields=["entered", "followed", "studied", "first_try"])
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
    pairs = pairs_of(game, Attempt.objects.filter(race=game.race_id).first())
    held: dict[Pair, list[Best]] = {pair: [] for pair in pairs}
    rows = Best.objects.filter(
        player=game.player_id,
        scope__in={scope for scope, _ in pairs},
        period__in={period for _, period in pairs},
    )
    for row in rows:
        if (row.scope, row.period) in held:
            held[row.scope, row.period].append(row)
    eligible = eligible_of(game)
    _write({pair: compare(row_of(game, *pair), held[pair], eligible) for pair in pairs})


def wait_for_others() -> None:
    """Let one game be entered at a time, so that all that is on the boards is seen and counted
    (SQLite has one writer anyway). It is brief, and games end seldom."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ENTERING])


def pairs_of(game: Game, attempt: Attempt | None) -> set[Pair]:
    """Return the (scope, period) pairs a game counts for. A day's game (`attempt`) counts for its
    day, also when it ended after midnight."""
    day = periods.day_of(_ended_at(game))
    pairs = {
        (scope, period)
        for scope in (ALL_DEALS, game.race.deal_id)
        for period in periods.holding(day)
    }
    if attempt is not None:
        number = periods.number_of(attempt.day_id)
        pairs |= {(DAYS_DEALS, period) for period in periods.holding(number)}
    return pairs


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
    ms, moves, undos = game.finished_ms or 0, game.moves, game.undos
    return Best(
        game_id=game.pk,
        scope=scope,
        period=period,
        player_id=game.player_id,
        time_key=boards.time_key(finished_ms=ms, moves=moves),
        moves_key=boards.moves_key(moves=moves, undos=undos, finished_ms=ms),
        ended_at=_ended_at(game),
    )


def _ended_at(game: Game) -> int:
    return (game.race.starts_at or 0) + (game.finished_ms or 0)


def leads(row: Best) -> bool:
    """Tell whether a row is its player's best on any board of its scope and period."""
    return any(getattr(row, column) for column in _COLUMNS)


def _order(row: Best, key: str) -> tuple[int, int, int]:
    """What a board is ordered by: the result, who was first."""
    return (getattr(row, key), row.ended_at, row.game_id)


def _write(changes: Mapping[Pair, Change]) -> None:
    for (scope, period), change in changes.items():
        for row in change.changed:
            flags = {column: getattr(row, column) for column in _COLUMNS}
            Best.objects.filter(game=row.game_id, scope=scope, period=period).update(**flags)
        for row in change.removed:
            Best.objects.filter(game=row.game_id, scope=scope, period=period).delete()
    Best.objects.bulk_create(row for change in changes.values() for row in change.added)
    stretches.add(
        {
            (*pair, column, key): by
            for pair, change in changes.items()
            for (column, key), by in change.counts.items()
            if by
        }
    )
