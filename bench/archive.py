"""Measure what a game takes on the disk, and what it would as one row of an archive.

Needs an empty PostgreSQL database at DATABASE_URL that `manage.py migrate` has prepared:

    DATABASE_URL=postgres://… python -m bench.archive [--games 1000] [--tables 100]

Games are won lines with moves tried and taken back, about 340 actions each, written by the
service's own statements, `--tables` games side by side as in an evening. Every archived form is
read back and compared before it is counted.
"""

import argparse
import json
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")
django.setup()

from django.db import connection  # noqa: E402

from bench.packing import FORMS  # noqa: E402
from games.engine import deals as engine  # noqa: E402
from games.engine.actions import UNDO, parse_action  # noqa: E402
from games.engine.position import Position, play  # noqa: E402
from games.engine.rules import legal_actions  # noqa: E402
from games.models import Deal, Game, LoggedAction, Player, Race  # noqa: E402
from games.services import recording  # noqa: E402
from games.services.recording import GameWrite  # noqa: E402

LINES = Path(__file__).resolve().parent.parent / "tests" / "facts" / "solved-deals.json"
TRIED = 1.0
"""How many moves are tried and taken back for each that stands."""
MEDIAN_MS, SPREAD = 900, 0.8
"""Time between two actions: log-normal."""


@dataclass(frozen=True)
class Played:
    """A game to write: its deal's layout and what was played."""

    layout: str
    actions: list[tuple[str, int]]


def games(count: int, chance: random.Random) -> list[Played]:
    """Make games as people play them."""
    solved = json.loads(LINES.read_text())["deals"]
    found = []
    for number in range(count):
        deal = solved[number % len(solved)]
        at, actions = 0, list[tuple[str, int]]()
        for code in _with_tries(deal["layout"], deal["actions"].split(), chance):
            at += max(80, int(chance.lognormvariate(math.log(MEDIAN_MS), SPREAD)))
            actions.append((code, at))
        found.append(Played(deal["layout"], actions))
    return found


def _with_tries(layout: str, line: Sequence[str], chance: random.Random) -> Iterator[str]:
    position = Position.of(layout, 3)
    for code in line:
        if chance.random() < TRIED:
            moves = [action for action in legal_actions(position.table) if action.is_move]
            if moves:
                yield chance.choice(moves).code
                yield UNDO.code
        position = play(position, parse_action(code)).position
        yield code


def write(played: Sequence[Played], tables: int) -> None:
    """Write games as the service does: one action of each of so many games a transaction."""
    layouts = {one.layout: number for number, one in enumerate(played)}
    found = {
        layout: Deal.objects.create(
            code=str(engine.DealCode.of_number("S", number)), kind="S", layout=layout,
            seed=bytes(16), commitment="0" * 64, created_at=1, revealed_at=1,
        )
        for layout, number in layouts.items()
    }  # fmt: skip
    player = Player.objects.create(name="Measure")
    races = Race.objects.bulk_create(
        Race(code=f"M{number:06}", deal=found[one.layout], host=player, seats=1, created_at=1,
             starts_at=1)
        for number, one in enumerate(played)
    )  # fmt: skip
    rows = Game.objects.bulk_create(Game(race=race, player=player) for race in races)
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
    for first in range(0, len(rows), tables):
        side = list(zip(rows, played, strict=True))[first : first + tables]
        for seq in range(1, 1 + max(len(one.actions) for _, one in side)):
            batch = [_write_of(game.pk, one, seq) for game, one in side if seq <= len(one.actions)]
            assert len(recording.record(batch)) == len(batch)


def _write_of(game: int, one: Played, seq: int) -> GameWrite:
    code, at = one.actions[seq - 1]
    return GameWrite(
        game_id=game, base_seq=seq - 1, seq=seq, moves=seq, undos=0, redeals=0, home=8,
        actions=[(seq, at, code)],
    )  # fmt: skip


def sizes(table: str) -> dict[str, int]:
    """Give the bytes of a table (what is stored apart included) and of each of its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {table}")
        cursor.execute("SELECT pg_table_size(%s::regclass)", [table])
        found = {table: int(cursor.fetchone()[0])}
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index"
            " WHERE indrelid = %s::regclass ORDER BY 1",
            [table],
        )
        return found | dict(cursor.fetchall())


def archive(form: str, played: Sequence[Played]) -> tuple[int, int, float]:
    """Write every game as one row in a form; return the bytes that were packed, those on the disk,
    and how many µs it takes to read a game again."""
    pack, unpack = FORMS[form]
    packed = [pack(one.actions) for one in played]
    began = time.process_time()
    again = [unpack(data) for data in packed]
    read_us = (time.process_time() - began) / len(played) * 1e6
    assert again == [one.actions for one in played]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE archive_measured (game bigint PRIMARY KEY, log bytea NOT NULL)"
        )
        try:
            cursor.executemany(
                "INSERT INTO archive_measured VALUES (%s, %s)", list(enumerate(packed, 1))
            )
            stored = sum(sizes("archive_measured").values())
        finally:
            cursor.execute("DROP TABLE archive_measured")
    return sum(map(len, packed)), stored, read_us


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.archive", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=100, help="games that are played at a time")
    wanted = parser.parse_args()
    if connection.vendor != "postgresql" or Game.objects.exists():
        print("needs an empty PostgreSQL database at DATABASE_URL", file=sys.stderr)
        return 2
    played = games(wanted.games, random.Random(1))
    write(played, wanted.tables)
    count = sum(len(one.actions) for one in played)
    log = LoggedAction._meta.db_table
    print(f"{count:,} actions of {len(played):,} games, {count / len(played):.0f} each\n")
    print("| kept as | bytes | an action | a game |\n|---|---|---|---|")
    of_log = sizes(log)
    of_rest = sum(sum(sizes(model._meta.db_table).values()) for model in (Game, Race))
    for name, size in [*of_log.items(), ("games and races, with their indexes", of_rest)]:
        print(_row(name, size, count, len(played)))
    print("\n| one row a game | bytes, packed | an action, on the disk | a game | read again |")
    print("|---|---|---|---|---|")
    for form in FORMS:
        packed, stored, read_us = archive(form, played)
        row = _row(form, packed, count, len(played)).split("|")[1:3]
        print(f"|{'|'.join(row)}| {stored / count:.1f} | {stored / len(played):,.0f} "
              f"| {read_us:.0f} µs |")  # fmt: skip
    print(f"\nthe log's rows and index: {sum(of_log.values()) / count:.1f} bytes an action")
    return 0


def _row(name: str, size: int, actions: int, games: int) -> str:
    return f"| {name} | {size:,} | {size / actions:.1f} | {size / games:,.0f} |"


if __name__ == "__main__":
    sys.exit(main())
