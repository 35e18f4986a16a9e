"""Recording: a batch of judged actions becomes durable in one transaction.

The two databases take the same batch in the shape each is fastest with: SQLite by prepared
statements, PostgreSQL by one statement over arrays, which is a transaction by itself.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import psycopg
from django.db import connection, transaction

from games import clock
from games.models import Game, LoggedAction, Race

PREPARE_AFTER = 5
"""How often a connection to PostgreSQL has the batch's statement planned before it keeps a plan."""

_GAME = Game._meta.db_table
_ACTION = LoggedAction._meta.db_table
_RACE = Race._meta.db_table
# A start may have been called off that the judging process still believes in.
_OPEN = f"""g.outcome IS NULL AND g.removed_at IS NULL
              AND EXISTS (SELECT 1 FROM {_RACE} r WHERE r.id = g.race_id AND r.starts_at <= %s)"""  # noqa: S608


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

    A game takes its write when it stands at `base_seq`, its race has started and it has not ended;
    otherwise nothing of it is written. All that is returned has reached the disk.

    :raises django.db.Error: the transaction failed; whether it was written is unknown.
    """
    ordered = sorted(batch, key=lambda write: write.game_id)
    if connection.vendor == "postgresql":
        return _record_arrays(ordered)
    with transaction.atomic():
        return _record_rows(ordered)


_SELECT_ROWS = f"""
    SELECT g.id, g.seq FROM {_GAME} g
    WHERE g.id IN (SELECT value FROM json_each(%s)) AND {_OPEN}"""  # noqa: S608
_UPDATE_ROW = f"""
    UPDATE {_GAME} SET seq = %s, moves = %s, undos = %s, redeals = %s, home = %s,
                       outcome = %s, finished_ms = %s
    WHERE id = %s"""  # noqa: S608
_INSERT_ROW = f"INSERT INTO {_ACTION} (game_id, seq, at_ms, code) VALUES (%s, %s, %s, %s)"  # noqa: S608


def _record_rows(batch: Sequence[GameWrite]) -> set[int]:
    with connection.cursor() as cursor:
        # The transaction has begun IMMEDIATE and is alone: what is read stays as it is.
        games = json.dumps([write.game_id for write in batch])
        cursor.execute(_SELECT_ROWS, [games, clock.now_ms()])
        stands = dict(cursor.fetchall())
        taken = [write for write in batch if stands.get(write.game_id) == write.base_seq]
        rows = [(*w[2:7], w.outcome, w.finished_ms, w.game_id) for w in taken]
        cursor.executemany(_UPDATE_ROW, rows)
        logged = [(write.game_id, *action) for write in taken for action in write.actions]
        cursor.executemany(_INSERT_ROW, logged)
    return {write.game_id for write in taken}


# The rows are locked in the order of their ids first, so two processes never wait for each other;
# they are found by those ids alone, whatever the planner thinks of how many games are unfinished.
_RECORD_ARRAYS = f"""
    WITH held AS MATERIALIZED (
        SELECT g.id FROM {_GAME} g
        WHERE g.id = ANY(%s::bigint[]) AND {_OPEN}
        ORDER BY g.id FOR UPDATE
    ), taken AS (
        UPDATE {_GAME} g SET seq = j.seq, moves = j.moves, undos = j.undos, redeals = j.redeals,
                             home = j.home, outcome = j.outcome, finished_ms = j.finished_ms
        FROM held JOIN unnest(
                %s::bigint[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[],
                %s::text[], %s::bigint[]
            ) AS j (id, base, seq, moves, undos, redeals, home, outcome, finished_ms) USING (id)
        WHERE g.id = j.id AND g.seq = j.base AND g.outcome IS NULL AND g.removed_at IS NULL
        RETURNING g.id
    ), logged AS (
        INSERT INTO {_ACTION} (game_id, seq, at_ms, code)
        SELECT a.* FROM unnest(%s::bigint[], %s::int[], %s::bigint[], %s::text[])
            AS a (game_id, seq, at_ms, code) JOIN taken ON taken.id = a.game_id
    )
    SELECT id FROM taken"""  # noqa: S608


def _record_arrays(batch: Sequence[GameWrite]) -> set[int]:
    if not batch:
        return set()
    ids, *counts, actions, outcomes, finished = zip(*batch, strict=True)
    rows = [(game, *row) for game, mine in zip(ids, actions, strict=True) for row in mine]
    logged = zip(*rows, strict=True) if rows else [()] * 4
    columns = (ids, *counts, outcomes, finished, *logged)
    arrays = [_array(column) for column in columns]
    connection.ensure_connection()
    # Django's own cursor writes the values into the statement, which is then planned for each batch
    # anew: that takes as long as writing some thirty rows. psycopg's is prepared.
    connection.connection.prepare_threshold = PREPARE_AFTER
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(_RECORD_ARRAYS, [arrays[0], clock.now_ms(), *arrays])
        return {row[0] for row in cursor.fetchall()}


def _array(values: Iterable[object]) -> str:
    """Write numbers, plain words and nulls as an array of PostgreSQL: JSON in other brackets."""
    return "{" + json.dumps(tuple(values), ensure_ascii=False)[1:-1] + "}"
