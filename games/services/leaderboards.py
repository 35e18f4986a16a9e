"""Leaderboards: pages of a board and the reader's own row, read without scanning the board."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet, Sum

from games.models import Best, Deal, Game, Player, Tally
from games.services import bests, periods
from games.services.bests import Games, Order
from games.services.denied import Denial, Denied

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Board:
    """Which board: over a deal (its id), all deals or the days' deals (bests.ALL_DEALS,
    bests.DAYS_DEALS), of a period (periods.py), of all games, first tries or those without undo,
    by time or by moves."""

    scope: int = bests.ALL_DEALS
    period: int = periods.ALL_TIME
    games: Games = "all"
    by: Order = "time"


@dataclass(frozen=True, slots=True)
class Row:
    """A player's best game on a board; `rank` from 1, shared by equals, the next one skipped."""

    rank: int
    game: Game


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a board, and the row of whoever reads it wherever that is. `total` are the rows
    of the whole board, `page` counts from 1 to `pages`."""

    rows: tuple[Row, ...] = ()
    own: Row | None = None
    total: int = 0
    page: int = 1
    pages: int = 1


def board_of(
    *, scope: int = bests.ALL_DEALS, period: str = "all", games: str = "all", by: str = "time"
) -> Board:
    """Return the board that words name: a period as periods.read takes it, games "all", "first" or
    "no-undo", by "time" or "moves".

    :raises Denied: bad_option.
    """
    for column_by, column_games in bests.COLUMNS:
        if (by, games) == (column_by, word_of(column_games)):
            number = periods.read(period)
            return Board(scope=scope, period=number, games=column_games, by=column_by)
    raise Denied(
        Denial.BAD_OPTION, "by must be time or moves, games must be all, first or no-undo."
    )


def word_of(games: Games) -> str:
    """Return how a selection of games is written in an address."""
    return games.replace("_", "-")


def of_deal(*, deal: Deal, by: Order, reader: Player | None, limit: int = PAGE_SIZE) -> Leaderboard:
    """Read the first page of a deal's board over all time; see `read`."""
    if not deal.pk:
        return Leaderboard()
    return read(board=Board(scope=deal.pk, by=by), reader=reader, size=limit)


def read(
    *, board: Board, reader: Player | None, page: int = 1, size: int = PAGE_SIZE
) -> Leaderboard:
    """Read a page (from 1; one beyond the last gives the last) of a board, one row a player.

    By time: time, then moves, then who was first; equal (time, moves) share a rank. By moves:
    moves, then undos, then time; equal (moves, undos, time) share one. No game is on it that was
    played with openness cards or is marked followed, and no studied one among the first tries.
    """
    total = count(board)
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    found = _from(board, size * (page - 1), size) if total else []
    rows = tuple(_ranked(board, found, size * (page - 1)))
    own = next((row for row in rows if reader and row.game.player_id == reader.pk), None)
    if own is None and reader is not None and total > len(rows):
        own = own_row(board=board, reader=reader)
    return Leaderboard(
        rows=rows,
        own=own,
        total=total,
        page=page,
        pages=pages,
    )


def own_row(*, board: Board, reader: Player) -> Row | None:
    """Read a player's row on a board with its rank, None where they have none."""
    # There is one at most; an order would only lead the database astray.
    for best in _rows(board).filter(player=reader)[:1]:
        return Row(_rank(board, best), _games([best])[best.game_id])
    return None


def count(board: Board) -> int:
    """Count the rows of a board."""
    if not _is_tallied(board):
        return _rows(board).count()
    return _tallies(board).aggregate(total=Sum("count"))["total"] or 0


def _rows(board: Board) -> QuerySet[Best]:
    column = bests.column_of(board.by, board.games)
    return Best.objects.filter(scope=board.scope, period=board.period, **{column: True})


def _tallies(board: Board) -> QuerySet[Tally]:
    column = bests.COLUMNS.index((board.by, board.games))
    return Tally.objects.filter(scope=board.scope, period=board.period, column=column)


def _is_tallied(board: Board) -> bool:
    """Whether the board is over many deals; that of one deal is short enough to be counted."""
    return board.scope <= bests.ALL_DEALS


def _from(board: Board, offset: int, size: int) -> list[Best]:
    """Read so many rows after the first `offset`."""
    # Only what the index holds: the rows that the offset passes over are not fetched then.
    rows = _rows(board).only("game", "scope", "period", "finished_ms", "moves", "ended_at")
    if board.by == "moves":
        rows = rows.only("game", "scope", "period", "finished_ms", "moves", "ended_at", "undos")
    if _is_tallied(board) and offset:
        before = 0
        for bucket, held in _tallies(board).order_by("bucket").values_list("bucket", "count"):
            if before + held > offset:
                rows = rows.filter(_at_least(board, bucket))
                break
            before += held
        offset -= before
    if board.by == "time":
        rows = rows.order_by("finished_ms", "moves", "ended_at", "game_id")
    else:
        rows = rows.order_by("moves", "undos", "finished_ms", "ended_at", "game_id")
    return list(rows[offset : offset + size])


def _games(found: list[Best]) -> dict[int, Game]:
    """Read the games of a few rows, with player, race and deal. Apart from the rows: a join would
    be made for each of those that an offset passes over."""
    games = Game.objects.filter(pk__in=[best.game_id for best in found])
    games = games.select_related("player", "race__deal").defer("race__deal__layout")
    return {game.pk: game for game in games}


def _at_least(board: Board, bucket: int) -> Q:
    """What holds for the rows of a stretch and of those after it."""
    if board.by == "time":
        return Q(finished_ms__gte=bucket * bests.BUCKET_MS)
    moves, undos = divmod(bucket, bests.BUCKETS_A_MOVE)
    return Q(moves__gte=moves) & (Q(moves__gt=moves) | Q(undos__gte=undos))


def _within(board: Board, best: Best) -> Q:
    """What holds for the rows of the stretch that a result falls into."""
    if board.by == "time":
        low = best.finished_ms - best.finished_ms % bests.BUCKET_MS
        return Q(finished_ms__gte=low, finished_ms__lte=best.finished_ms)
    last = bests.BUCKETS_A_MOVE - 1
    undos = Q(undos=best.undos) if best.undos < last else Q(undos__gte=last)
    return Q(moves=best.moves) & undos


def _ranked(board: Board, found: list[Best], before: int) -> list[Row]:
    """Give ranks to the rows of a page, with so many rows before it."""
    rows: list[Row] = []
    if not found:
        return rows
    # The first of a later page may share its rank with rows of the page before.
    first = 1 + before - (_equals_before(board, found[0]) if before else 0)
    games = _games(found)
    for position, best in enumerate(found):
        equal = position and _result(board, found[position - 1]) == _result(board, best)
        rank = rows[-1].rank if equal else 1 + before + position if position else first
        rows.append(Row(rank, games[best.game_id]))
    return rows


def _result(board: Board, best: Best) -> tuple[int, ...]:
    """What must be equal for two rows to share a rank."""
    if board.by == "time":
        return (best.finished_ms, best.moves)
    return (best.moves, best.undos, best.finished_ms)


def _rank(board: Board, best: Best) -> int:
    """Return 1 and how many rows have a better result."""
    rows, better = _rows(board), 0
    if _is_tallied(board):
        bucket = bests.bucket_of(best, board.by)
        lower = _tallies(board).filter(bucket__lt=bucket)
        better = lower.aggregate(total=Sum("count"))["total"] or 0
        rows = rows.filter(_within(board, best))
    return 1 + better + rows.filter(_better_than(board, best)).count()


def _better_than(board: Board, best: Best) -> Q:
    if board.by == "time":
        return Q(finished_ms__lte=best.finished_ms) & (
            Q(finished_ms__lt=best.finished_ms) | Q(moves__lt=best.moves)
        )
    return Q(moves__lte=best.moves) & (
        Q(moves__lt=best.moves)
        | Q(undos__lt=best.undos)
        | Q(undos=best.undos, finished_ms__lt=best.finished_ms)
    )


def _equals_before(board: Board, best: Best) -> int:
    """Count the rows with the same result that stand before this one."""
    same = _rows(board).filter(finished_ms=best.finished_ms, moves=best.moves)
    if board.by == "moves":
        same = same.filter(undos=best.undos)
    earlier = Q(ended_at__lt=best.ended_at) | Q(ended_at=best.ended_at, game_id__lt=best.game_id)
    return same.filter(earlier).count()
