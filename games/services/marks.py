"""Marks of a game that had help: *followed* (a rival's line played after them), *studied*, and
another try on the same deal before."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import clock
from games.models import Deal, Game, LoggedAction, Study

RUNNING = 30
"""So many actions of a rival's earlier line in a row make a game *followed*."""

Line = Sequence[tuple[str, int]]
"""A game's actions: code, at (ms since the start)."""


def follows(line: Line, rivals: Iterable[Line]) -> bool:
    """Tell whether `line` holds 30 actions running that a rival had played before: the same codes
    in the same order, each strictly later than the rival's. Where in the game doesn't matter."""
    if len(line) < RUNNING:
        return False
    runs: dict[str, list[int]] = {}
    for place, run in _runs(line):
        runs.setdefault(run, []).append(place)
    for rival in rivals:
        for theirs, run in _runs(rival):
            for ours in runs.get(run, ()):
                if all(rival[theirs + n][1] < line[ours + n][1] for n in range(RUNNING)):
                    return True
    return False


def is_followed(game: Game) -> bool:
    """Tell whether a game repeats the line of another racer of its race."""
    racers = Game.objects.filter(race=game.race_id, removed_at=None, seq__gte=RUNNING)
    ids = list(racers.values_list("pk", flat=True))
    if len(ids) < 2:
        return False
    lines: dict[int, list[tuple[str, int]]] = {pk: [] for pk in ids}
    rows = LoggedAction.objects.filter(game__in=ids).order_by("game_id", "seq")
    for pk, code, at_ms in rows.values_list("game_id", "code", "at_ms"):
        lines[pk].append((code, at_ms))
    own = lines.pop(game.pk, [])
    return follows(own, lines.values())


def is_studied(game: Game) -> bool:
    """Tell whether the player of a finished game had opened a replay of its deal."""
    return Game.objects.filter(Exists(earlier_studies()), pk=game.pk).exists()


def is_later_try(game: Game) -> bool:
    """Tell whether the player of a started game had another on its deal."""
    return Game.objects.filter(Exists(earlier_tries()), pk=game.pk).exists()


def earlier_studies() -> QuerySet[Study]:
    """Return, within a query of games, what their players had seen of the deal as they ended."""
    ended_at = OuterRef("race__starts_at") + OuterRef("finished_ms")
    return Study.objects.filter(
        player=OuterRef("player"), deal=OuterRef("race__deal"), at__lt=ended_at
    )


def earlier_tries() -> QuerySet[Game]:
    """Return, within a query of games, those of their players on the deal that started earlier."""
    sooner = Q(race__starts_at__lt=OuterRef("race__starts_at")) | Q(
        race__starts_at=OuterRef("race__starts_at"), pk__lt=OuterRef("pk")
    )
    return Game.objects.filter(
        sooner, player=OuterRef("player"), race__deal=OuterRef("race__deal"), removed_at=None
    )


def note_study(*, player_ids: Iterable[int], deal: Deal) -> None:
    """Remember that players are shown cards of a stored deal that their own table doesn't show.
    Repeating it is harmless: the first time stands."""
    now = clock.now_ms()
    Study.objects.bulk_create(
        [Study(player_id=pk, deal=deal, at=now) for pk in player_ids], ignore_conflicts=True
    )


def _runs(line: Line) -> Iterable[tuple[int, str]]:
    codes = "".join(code for code, _ in line)
    for place in range(len(line) - RUNNING + 1):
        yield place, codes[2 * place : 2 * (place + RUNNING)]
