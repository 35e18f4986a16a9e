"""Measure what serving the replay of a game costs, from the request to the encoded answer:

    python -m bench.replays [--actions 300] [--rounds 200]

The server's code answers in this process on a new SQLite database in a temporary folder: session
and middleware, reading the log, replaying it, writing JSON. On a machine that does other things the
time on the wall says little, so the process's own time stands beside it; the exit status is 1 where
its median is over the target.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

TARGET_MS = 30.0
"""For a game of 300 actions; other lengths, and two games, in proportion."""

DEAL = "CR1-N-AAAAAAB"
ADDRESSES = {
    "replay": "replay",
    "export, JSON": "export?format=json",
    "export, text": "export?format=text",
    "compare with itself": "compare/{game}",
}


def main() -> int:
    """Print a line for each form of a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        return _measure(Path(data), options.actions, options.rounds)


def _measure(data: Path, actions: int, rounds: int) -> int:
    os.environ["CRESCENT_DATA"] = str(data)
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    game, browser, late = _finished_game(actions), Client(headers={"host": "localhost"}), False
    for name, form in ADDRESSES.items():
        path = f"/api/games/{game}/{form.format(game=game)}"
        times = [_answered_ms(browser, path) for _ in range(rounds + 5)][5:]
        wall, own = (statistics.median(each) for each in zip(*times, strict=True))
        target = TARGET_MS * actions / 300 * (2 if "compare" in form else 1)
        late |= own > target
        print(f"{name:20} {wall:8.2f} ms, {own:8.2f} ms its own   hoped for: {target:.0f} ms")
    return int(late)


def _answered_ms(browser: "Client", path: str) -> tuple[float, float]:
    """Read an address; return how long it took, and how much of that the processor worked on it."""
    wall, own = time.perf_counter_ns(), time.process_time_ns()
    answer = browser.get(path)
    took = (
        (time.perf_counter_ns() - wall) / 1_000_000,
        (time.process_time_ns() - own) / 1_000_000,
    )
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}")
    return took


def _finished_game(length: int) -> int:
    """Store a game of so many actions that was given up; return its id."""
    from bench.lines import legal_line
    from games.engine import log
    from games.models import Game, Race
    from games.services import players, races, recording
    from games.services.races import RaceOptions

    host = players.create_guest(name="Anh")
    race = races.open_race(host=host, deal=DEAL, options=RaceOptions(seats=1))
    line = legal_line(race.deal.layout, redeals=3, length=length, seed=1)
    codes = [line[at : at + 2] for at in range(0, len(line), 2)]
    actions = [(code, 1_500 * seq) for seq, code in enumerate(codes, start=1)]
    played = log.replay(race.deal.layout, 3, True, actions)
    game = Game.objects.get(race=race)
    write = recording.GameWrite(
        game_id=game.pk,
        base_seq=0,
        seq=played.seq,
        moves=played.table.moves,
        undos=played.undos,
        redeals=played.redeals,
        home=played.table.home,
        actions=[(seq, at, code) for seq, (code, at) in enumerate(actions, start=1)],
        outcome="resigned",
        finished_ms=played.at_ms,
    )
    recording.record([write])
    Race.objects.filter(pk=race.pk).update(starts_at=1, closed_at=2 + played.at_ms)
    return int(game.pk)


if __name__ == "__main__":
    sys.exit(main())
