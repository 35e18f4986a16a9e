"""Fill an empty PostgreSQL database with players, deals, games and leaderboards, to measure at
size. The games have no logs."""

import random
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.models import Count, Index

from games import clock
from games.engine import deals as engine
from games.management.seeding import HEADS, World
from games.models import Attempt, Best, Day, Deal, Game, Player, Race, Stretch
from games.services import periods, stretches

_MODELS = {"races": Race, "games": Game, "attempts": Attempt, "bests": Best}
_DAYS = 365


class Command(BaseCommand):
    """`manage.py seed_boards`."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=200_000)
        parser.add_argument("--deals", type=int, default=50_000)
        parser.add_argument("--games", type=int, default=2_000_000)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("This needs PostgreSQL: set DATABASE_URL.")
        if Player.objects.exists() or Deal.objects.exists():
            raise CommandError("This database isn't empty.")
        if options["deals"] <= _DAYS:
            message = f"There must be more than {_DAYS} deals: as many are those of days."
            raise CommandError(message)
        began = clock.now_ms()
        with connection.cursor() as cursor:
            # Made-up rows refer to each other rightly: a check of each would take most of the time.
            cursor.execute("SET session_replication_role = replica")
        indexes = list(Best._meta.indexes)
        self._players(options["players"])
        self._deals(options["deals"])
        with connection.schema_editor() as editor:
            for index in indexes:
                editor.remove_index(Best, index)
        self._games(options["players"], options["deals"], options["games"], options["seed"])
        self._index(indexes)
        self._count()
        with connection.cursor() as cursor:
            cursor.execute("RESET session_replication_role")
            cursor.execute("RESET maintenance_work_mem")
        self.stdout.write(f"done in {(clock.now_ms() - began) // 1000} s")

    def _players(self, players: int) -> None:
        bar = Bar("players", players)
        for first in range(1, players + 1, 5_000):
            ids = range(first, min(first + 5_000, players + 1))
            Player.objects.bulk_create(Player(pk=pk, name=f"Player {pk}") for pk in ids)
            bar.step(len(ids))
        bar.end()
        self._restart(Player._meta.db_table, players)

    def _deals(self, deals: int) -> None:
        now, today = clock.now_ms(), periods.today()
        bar = Bar("deals", deals)
        with connection.cursor() as cursor:
            head = "id, code, kind, layout, seed, commitment, created_at, revealed_at"
            copy = f"COPY {Deal._meta.db_table} ({head}) FROM STDIN"
            with cursor.copy(copy) as rows:
                for number in range(1, deals + 1):
                    rows.write(_deal_row(number, sealed=number > deals - _DAYS, now_ms=now))
                    bar.step()
            bar.end()
            copy = f"COPY {Day._meta.db_table} (date, deal_id) FROM STDIN"
            with cursor.copy(copy) as rows:
                for ago in range(_DAYS):
                    date = periods.date_of(today - ago).isoformat()
                    rows.write(f"{date}\t{deals - ago}\n")
        self._restart(Deal._meta.db_table, deals)

    def _games(self, players: int, deals: int, games: int, seed: int) -> None:
        world = World(deals, _DAYS, periods.today(), random.Random(seed))  # noqa: S311
        bar, made = Bar("games", games), 0
        with ExitStack() as stack:
            tables = {name: stack.enter_context(Copy(name)) for name in HEADS}
            for player in range(1, players + 1):
                share = games * player // players - made
                rows = world.games_of(player, share)
                made += share
                bar.step(share)
                for name, table in tables.items():
                    table.write("".join(getattr(rows, name)))
            bar.end()
            self.stdout.write("writing what is left …")
        for model in (Race, Game):
            self._restart(model._meta.db_table, games)
        self._restart(Attempt._meta.db_table, Attempt.objects.count())

    def _index(self, indexes: list[Index]) -> None:
        bar = Bar("indexes", len(indexes))
        with connection.cursor() as cursor:
            cursor.execute("SET maintenance_work_mem = '512MB'")
        for index in indexes:
            with connection.schema_editor() as editor:
                editor.add_index(Best, index)
            bar.step()
        bar.end()
        with connection.cursor() as cursor:
            for model in (*_MODELS.values(), Player, Deal):
                cursor.execute(f"VACUUM ANALYZE {model._meta.db_table}")

    def _count(self) -> None:
        rows = Best.objects.filter(time_all=True).values_list("scope", "period")
        pairs = list(rows.annotate(players=Count("game_id")).filter(players__gt=stretches.MOST))
        bar = Bar("long", len(pairs))
        for scope, period, _ in pairs:
            stretches.begin(scope, period)
            bar.step()
        bar.end()
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM ANALYZE {Stretch._meta.db_table}")

    def _restart(self, table: str, last: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, max(1, last)]
            )


class Copy:
    """A COPY into one table on a connection of its own, so that several run side by side."""

    def __init__(self, name: str) -> None:
        self._connection = connection.copy()
        self._name = name
        self._buffer: list[str] = []
        self._size = 0

    def __enter__(self) -> "Copy":
        self._cursor = self._connection.cursor()
        self._cursor.execute("SET session_replication_role = replica")
        self._cursor.execute("SET synchronous_commit = off")
        table = _MODELS[self._name]._meta.db_table
        command = f"COPY {table} ({HEADS[self._name]}) FROM STDIN"
        self._copy = self._cursor.copy(command)
        self._rows = self._copy.__enter__()
        return self

    def write(self, text: str) -> None:
        self._buffer.append(text)
        self._size += len(text)
        if self._size > 1 << 20:
            self._flush()

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            self._flush()
        self._copy.__exit__(*error)
        self._cursor.close()
        self._connection.close()

    def _flush(self) -> None:
        self._rows.write("".join(self._buffer))
        self._buffer, self._size = [], 0


class Bar:
    """A progress bar on standard error."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total, self._done, self._drawn = name, max(1, total), 0, -1

    def step(self, by: int = 1) -> None:
        self._done += by
        percent = 100 * self._done // self._total
        if percent != self._drawn:
            self._drawn = percent
            sys.stderr.write(f"\r{self._name:8} [{'#' * (percent // 4):25}] {percent:3} %")
            sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write("\n")


def _deal_row(number: int, *, sealed: bool, now_ms: int) -> str:
    code = engine.DealCode.of_number("S" if sealed else "N", number)
    if not sealed:
        return f"{number}\t{code}\tN\t{engine.layout_of(code)}\t\\N\t\\N\t{now_ms}\t\\N\n"
    seed = number.to_bytes(16, "big")
    layout = engine.deal(seed)
    proof = engine.commitment(seed, layout)
    return f"{number}\t{code}\tS\t{layout}\t\\\\x{seed.hex()}\t{proof}\t{now_ms}\t{now_ms}\n"
