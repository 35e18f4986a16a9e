"""Verifying: what is stored of a game held against its replayed log."""

from collections.abc import Iterator
from itertools import pairwise

from games.engine.errors import EngineError
from games.models import Game, Outcome
from games.services import replays


def faults_of(game: Game) -> list[str]:
    """Tell in what a stored game (with race and deal at hand) differs from its replayed log."""
    rows = list(game.actions.order_by("seq").values_list("seq", "at_ms"))
    faults = []
    if [seq for seq, _ in rows] != list(range(1, len(rows) + 1)):
        faults.append("its log has gaps")
    if any(later < earlier for (_, earlier), (_, later) in pairwise(rows)):
        faults.append("its times go back")
    try:
        log = replays.log_of(game)
    except EngineError as error:
        return [*faults, str(error)]
    table = log.table
    replayed = {
        "seq": log.seq,
        "moves": table.moves,
        "undos": log.undos,
        "redeals": log.redeals,
        "home": table.home,
    }
    faults += [
        f"{name} is stored as {getattr(game, name)}, the log makes it {value}"
        for name, value in replayed.items()
        if getattr(game, name) != value
    ]
    if log.position.won != (game.outcome == Outcome.WON):
        faults.append(f"the outcome is stored as {game.outcome}, with {table.home} cards home")
    if game.outcome == Outcome.WON and game.finished_ms != log.at_ms:
        faults.append(f"finished_ms is {game.finished_ms}, the last move was at {log.at_ms}")
    return faults


def all_games() -> Iterator[tuple[Game, list[str]]]:
    """Verify every game of a race that has started."""
    started = Game.objects.filter(race__starts_at__isnull=False).order_by("pk")
    for game in started.select_related("race__deal").iterator(chunk_size=500):
        yield game, faults_of(game)
