"""Replays: who may watch a game again, and what it is made of."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.engine import log as engine
from games.engine.cards import SLOT_COUNT
from games.models import Deal, Game, Player
from games.services import deals, marks
from games.services.denied import Denial, Denied

UNKNOWN = "??"
"""Stands in a layout for a card that the reader may not know."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game: `is_open` says that everybody may have it, with the deal and its seed; an
    own early one isn't open, even where its player has uncovered every card. `layout` is 96 cards,
    two characters each, `??` for one that is withheld; `actions` are (code, at in ms since the
    start) in order; `uncovered` tells of each slot after how many actions its player first saw
    the card there (0: from the start, None: never)."""

    game: Game
    deal: Deal
    is_open: bool
    layout: str
    actions: list[tuple[str, int]]
    uncovered: list[int | None]


def of_game(*, game_id: int, reader: Player | None) -> Replay:
    """Give the replay of a game: to everybody once its race is closed and its deal revealed, and
    before that to its own player alone, with the faces that they have uncovered. Who is shown all
    cards has studied the deal from then on.

    :raises Denied: not_found; deal_closed, while it is too early for this reader.
    """
    game = (
        Game.objects.select_related("race__deal", "player")
        .filter(pk=game_id, removed_at=None, race__starts_at__isnull=False)
        .first()
    )
    if game is None:
        raise Denied(Denial.NOT_FOUND, "There is no such game.")
    deal = game.race.deal
    if reader is not None and deals.is_playing(deal=deal, player=reader):
        raise Denied(Denial.DEAL_CLOSED, "Finish your own game on this deal first.")
    is_open = game.race.watchable
    is_own = reader is not None and reader.pk == game.player_id and game.outcome is not None
    if not is_open and not is_own:
        raise Denied(Denial.DEAL_CLOSED, "This game can be watched once its race is over.")
    actions = list(game.actions.order_by("seq").values_list("code", "at_ms"))
    if is_open and reader is not None:
        marks.note_study(player_ids=[reader.pk], deal=deal)
    seen = _uncovered(_replaying(game, actions))
    layout = deal.layout if is_open else _seen_only(deal.layout, seen)
    return Replay(game, deal, is_open, layout, actions, seen)


def log_of(game: Game) -> engine.GameLog:
    """Replay the stored log of a game (with race and deal at hand).

    :raises engine.BadLog: where the rules refuse an action of it.
    """
    actions = list(game.actions.order_by("seq").values_list("code", "at_ms"))
    *_, log = _replaying(game, actions)
    return log


def _replaying(game: Game, actions: list[tuple[str, int]]) -> Iterator[engine.GameLog]:
    deal = game.race.deal
    return engine.replaying(deal.layout, deal.redeals, game.race.undo, actions)


def _uncovered(logs: Iterator[engine.GameLog]) -> list[int | None]:
    """Tell of each slot after how many actions the log first has its card seen."""
    uncovered: list[int | None] = [None] * SLOT_COUNT
    known = 0
    for log in logs:
        fresh = log.seen & ~known
        known = log.seen
        while fresh:
            slot = fresh.bit_length() - 1
            uncovered[slot] = log.seq
            fresh -= 1 << slot
    return uncovered


def _seen_only(layout: str, uncovered: list[int | None]) -> str:
    cards = (layout[at : at + 2] for at in range(0, len(layout), 2))
    seen = zip(cards, uncovered, strict=True)
    return "".join(UNKNOWN if since is None else card for card, since in seen)
