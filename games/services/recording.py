"""Recording: a batch of judged actions becomes durable in one transaction.

The two databases take the same batch in the shape each is fastest with: SQLite by prepared
statements, PostgreSQL by two statements over arrays.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection, transaction

from games.models import Game, LoggedAction

_GAME = Game._meta.db_table
_ACTION = LoggedAction._meta.db_table


class GameWrite(NamedTuple):
    """What is to be written of one game, judged on its log up to `base_seq`.

    `actions` are (seq, at_ms, code) in order; the counters are those after the last of them.
    `outcome` and `finished_ms` (since the start) are given together, when the game ends with it.
    """

    game_id: int
    base_seq: int
    seq: int
    moves: int
    undos: int
    redeals: int
    home: int
    actions: Sequence[tuple[int, int, str]] = ()
    outcome: str | None = None
    finished_ms: int | None = None


def record(batch: Sequence[GameWrite]) -> set[int]:
    """Write a batch and return the ids of the games that took theirs.

    A game takes its write when it stands at `base_seq` and has not ended; otherwise nothing of it
    is written. All that is returned has reached the disk.

    :raises django.db.Error: the transaction failed; whether it was written is unknown.
    """
    ordered = sorted(batch, key=lambda write: write.game_id)
    with transaction.atomic():
        if connection.vendor == "postgresql":
            return _record_arrays(ordered)
        return _record_rows(ordered)


_UPDATE_ROW = f"""
    UPDATE {_GAME} SET seq = %s, moves = %s, undos = %s, redeals = %s, home = %s,
                       outcome = %s, finished_ms = %s
    WHERE id = %s AND seq = %s AND outcome IS NULL AND removed_at IS NULL"""  # noqa: S608
_INSERT_ROW = f"INSERT INTO {_ACTION} (game_id, seq, at_ms, code) VALUES (%s, %s, %s, %s)"  # noqa: S608


def _record_rows(batch: Sequence[GameWrite]) -> set[int]:
    taken: set[int] = set()
    rows: list[tuple[int, int, int, str]] = []
    with connection.cursor() as cursor:
        for write in batch:
            cursor.execute(
                _UPDATE_ROW,
                (
                    write.seq,
                    write.moves,
                    write.undos,
                    write.redeals,
                    write.home,
                    write.outcome,
                    write.finished_ms,
                    write.game_id,
                    write.base_seq,
                ),
            )
            if cursor.rowcount == 1:
                taken.add(write.game_id)
                rows += [(write.game_id, *action) for action in write.actions]
        if rows:
            cursor.executemany(_INSERT_ROW, rows)
    return taken


# The rows are locked in the order of their ids first, so two processes never wait for each other.
_UPDATE_ARRAYS = f"""
    WITH judged AS (
        SELECT * FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[],
                             %s::int[], %s::text[], %s::bigint[])
            AS j (id, base, seq, moves, undos, redeals, home, outcome, finished_ms)
    ), held AS (
        SELECT g.id FROM {_GAME} g JOIN judged j USING (id)
        WHERE g.seq = j.base AND g.outcome IS NULL AND g.removed_at IS NULL
        ORDER BY g.id FOR UPDATE OF g
    )
    UPDATE {_GAME} g SET seq = j.seq, moves = j.moves, undos = j.undos, redeals = j.redeals,
                         home = j.home, outcome = j.outcome, finished_ms = j.finished_ms
    FROM judged j JOIN held USING (id)
    WHERE g.id = j.id AND g.seq = j.base AND g.outcome IS NULL AND g.removed_at IS NULL
    RETURNING g.id"""  # noqa: S608
_INSERT_ARRAYS = f"""
    INSERT INTO {_ACTION} (game_id, seq, at_ms, code)
    SELECT * FROM unnest(%s::bigint[], %s::int[], %s::bigint[], %s::text[])"""  # noqa: S608


def _record_arrays(batch: Sequence[GameWrite]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            _UPDATE_ARRAYS,
            [
                [write.game_id for write in batch],
                [write.base_seq for write in batch],
                [write.seq for write in batch],
                [write.moves for write in batch],
                [write.undos for write in batch],
                [write.redeals for write in batch],
                [write.home for write in batch],
                [write.outcome for write in batch],
                [write.finished_ms for write in batch],
            ],
        )
        taken = {row[0] for row in cursor.fetchall()}
        rows = [
            (write.game_id, *action)
            for write in batch
            if write.game_id in taken
            for action in write.actions
        ]
        if rows:
            cursor.execute(_INSERT_ARRAYS, [list(column) for column in zip(*rows, strict=True)])
    return taken
