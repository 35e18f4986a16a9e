"""Players, races and games for the tests of the services, made by the services themselves."""

import json
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from django.db import connection, connections

from games.engine.log import Accepted
from games.models import Game, Player, Race
from games.services import players, races, recording, replays, seats
from games.services.denied import Denial, Denied
from games.services.races import RaceOptions
from games.services.recording import GameWrite

DEAL = "CR1-N-AAAAAAB"
LINES = Path(__file__).parents[1] / "facts" / "winning-lines.json"
_T = TypeVar("_T")


class Clock:
    """A clock that shows `ms` (Unix) until it is moved."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms

    def pass_ms(self, ms: int) -> int:
        """Let so many milliseconds pass; return the time then."""
        self.ms += ms
        return self.ms


@cache
def winning_line(deal: str = DEAL) -> tuple[str, ...]:
    """Return the codes of a line that wins a deal."""
    return tuple(json.loads(LINES.read_text())["lines"][deal].split())


def guest(name: str = "Anh") -> Player:
    """Create a guest."""
    return players.create_guest(name=name)


def open_race(
    host: Player,
    *others: Player,
    deal: str = DEAL,
    seats_: int | None = None,
    undo: bool = True,
    openness: str = "moves",
    start: str = "host",
    minutes: int = 60,
) -> Race:
    """Open a race with a seat for each, or as many as told, and seat the others."""
    options = RaceOptions(
        seats=1 + len(others) if seats_ is None else seats_,
        undo=undo,
        openness=openness,
        start=start,
        time_limit_min=minutes,
    )
    race = races.open_race(host=host, deal=deal, options=options)
    for other in others:
        seats.take(code=race.code, player=other)
    return fresh(race)


def run(race: Race, clock: Clock) -> Race:
    """Start a race and let the clock come to zero."""
    races.start(code=race.code, player=race.host)
    race = fresh(race)
    assert race.starts_at is not None
    clock.ms = race.starts_at
    return race


def fresh(race: Race) -> Race:
    """Read a race again."""
    return Race.objects.select_related("deal", "host").get(pk=race.pk)


def game_of(race: Race, player: Player) -> Game:
    """Read a player's game in a race."""
    return Game.objects.select_related("race__deal", "player").get(race=race, player=player)


def play(
    game: Game, codes: Iterable[str], *, from_ms: int = 1_000, resign_ms: int | None = None
) -> Game:
    """Play actions, one a second, as the live room records them; the winning one ends the game."""
    log = replays.log_of(game)
    base, actions = log.seq, list[tuple[int, int, str]]()
    for at, code in enumerate(codes):
        offered = log.offer(log.seq + 1, code, from_ms + 1_000 * at)
        assert isinstance(offered, Accepted), (code, offered)
        log = offered.log
        actions.append((offered.entry.seq, offered.entry.at_ms, code))
    outcome = "won" if log.position.won else None if resign_ms is None else "resigned"
    write = GameWrite(
        game_id=game.pk,
        base_seq=base,
        seq=log.seq,
        moves=log.table.moves,
        undos=log.undos,
        redeals=log.redeals,
        home=log.table.home,
        actions=actions,
        outcome=outcome,
        finished_ms=log.at_ms if outcome == "won" else resign_ms,
    )
    assert recording.record([write]) == {game.pk}
    return game_of(game.race, game.player)


def resign(game: Game, at_ms: int) -> Game:
    """Let a player give a game up, so long after the start."""
    return play(game, (), resign_ms=at_ms)


def win(game: Game) -> Game:
    """Play the known line of the deal to its end."""
    return play(game, winning_line(game.race.deal.code))


def denied(reason: Denial, act: Callable[[], object]) -> None:
    """Check that a service refuses, for this reason, and changes nothing."""
    before = stored()
    with pytest.raises(Denied) as caught:
        act()
    assert caught.value.reason == reason
    assert caught.value.detail
    assert stored() == before


def stored() -> list[object]:
    """Read all races and games."""
    return [*Race.objects.order_by("pk").values(), *Game.objects.order_by("pk").values()]


def at_once(*works: Callable[[], _T]) -> list[_T | Exception]:
    """Run each on a thread and a connection of its own, all let go at the same moment."""
    barrier = threading.Barrier(len(works))
    results: list[_T | Exception] = [RuntimeError("it didn't run")] * len(works)

    def work(place: int) -> None:
        try:
            barrier.wait(timeout=20)
            results[place] = works[place]()
        except Exception as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=[place]) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results


def wait_until_one_waits() -> None:
    """Let another connection come to a row that this one holds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    for _ in range(2000):
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.005)
    raise AssertionError("nobody waits")
