"""Comparing two games of a deal: where their lines part, and where one lost time to the other."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from games.engine import log, position
from games.engine.actions import ACTIONS, Action
from games.engine.table import Table
from games.models import Game, Player
from games.services import leaderboards, replays
from games.services.denied import Denial, Denied
from games.services.replays import Replay

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """What a game did next: its seq, code, and at in ms since its start; `card` is the one that
    was moved, None for a redeal or an undo."""

    seq: int
    code: str
    at: int
    card: str | None


@dataclass(frozen=True, slots=True)
class Common:
    """A position that both games had: after how many actions of each and when (ms since each
    start). `lost` is how much longer the first took than the second, in ms, since the common
    position before (since the start, for the first)."""

    seqs: tuple[int, int]
    ats: tuple[int, int]
    lost: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games of a deal. After `parted` actions their positions first differ (None where one
    is the beginning of the other, or both are the same); `nexts` is what each did then, `common`
    the positions they share, in order, the start included."""

    games: tuple[Replay, Replay]
    parted: int | None
    nexts: tuple[Next | None, Next | None]
    common: tuple[Common, ...]

    @property
    def losses(self) -> list[Common]:
        """The stretches in which most time went to one side or the other, the largest first."""
        told = [one for one in self.common if one.lost]
        return sorted(told, key=lambda one: -abs(one.lost))


def of_games(*, game_id: int, other_id: int, reader: Player | None) -> Comparison:
    """Compare two games of a deal, once everybody may see its cards.

    Positions are equal when the same cards lie the same way, the two copies of a card being alike,
    and as many redeals are left.

    :raises Denied: not_found; bad_option, for games of different deals; deal_closed, while one of
        them may not be watched in full.
    """
    first = replays.of_game(game_id=game_id, reader=reader)
    second = replays.of_game(game_id=other_id, reader=reader)
    if first.deal.pk != second.deal.pk:
        raise Denied(Denial.BAD_OPTION, "These games are of different deals.")
    if not (first.is_open and second.is_open):
        raise Denied(Denial.DEAL_CLOSED, "These games can be compared once the deal is open.")
    lines = (_positions(first), _positions(second))
    keys = ([_key(one) for one in lines[0]], [_key(one) for one in lines[1]])
    parted = parting(*keys)
    return Comparison(
        games=(first, second),
        parted=parted,
        nexts=(_next(first, lines[0], parted), _next(second, lines[1], parted)),
        common=tuple(common(keys, (_times(first), _times(second)))),
    )


def others(*, game: Game, limit: int = 8) -> list[Game]:
    """Return games (with their players) that a game with an open deal can be compared with: those
    of its race, then the best of each player on its deal, by time."""
    raced = Game.objects.filter(race=game.race_id, removed_at=None, seq__gt=0)
    found = {one.pk: one for one in raced.select_related("player").order_by("-home", "finished_ms")}
    board = leaderboards.of_deal(deal=game.race.deal, by="time", reader=None, limit=limit)
    for row in board.rows:
        if row.game.race.watchable:
            found.setdefault(row.game.pk, row.game)
    found.pop(game.pk, None)
    return list(found.values())[:limit]


def keys_of(replay: Replay) -> list[Key]:
    """Return what tells the positions of a game apart: the start, then after each action."""
    return [_key(one) for one in _positions(replay)]


def parting(first: Sequence[Key], second: Sequence[Key]) -> int | None:
    """Return after how many actions two lines of positions are last equal from the start on, None
    where either ends before they differ."""
    for seq, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return seq - 1
    return None


def common(
    keys: tuple[Sequence[Key], Sequence[Key]], times: tuple[Sequence[int], Sequence[int]]
) -> list[Common]:
    """Return the longest run of positions that both games reached in the same order, each where it
    was first reached, with the time lost between them."""
    places: dict[Key, int] = {}
    for place, key in enumerate(keys[1]):
        places.setdefault(key, place)
    seen: set[Key] = set()
    pairs: list[tuple[int, int]] = []
    for place, key in enumerate(keys[0]):
        if key in places and key not in seen:
            pairs.append((place, places[key]))
        seen.add(key)
    found: list[Common] = []
    before = (0, 0)
    for one, other in _rising(pairs):
        ats = (times[0][one], times[1][other])
        lost = (ats[0] - before[0]) - (ats[1] - before[1])
        found.append(Common((one, other), ats, lost))
        before = ats
    return found


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of `pairs` in which the second number rises (patience sorting)."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int | None] = []
    for place, (_, value) in enumerate(pairs):
        pile = bisect_left(ends, value)
        before.append(tops[pile - 1] if pile else None)
        if pile == len(ends):
            ends.append(value)
            tops.append(place)
        else:
            ends[pile], tops[pile] = value, place
    rising: list[tuple[int, int]] = []
    at = tops[-1] if tops else None
    while at is not None:
        rising.append(pairs[at])
        at = before[at]
    return rising[::-1]


def _positions(replay: Replay) -> list[position.Position]:
    logs = log.replaying(replay.layout, replay.deal.redeals, True, replay.actions)
    return [one.position for one in logs]


def _key(now: position.Position) -> Key:
    cards, table = now.cards, now.table
    piles = tuple(["".join([cards[slot] for slot in pile]) for pile in now.piles])
    return (piles, table.up, table.down, table.redeals_left)


def _times(replay: Replay) -> list[int]:
    return [0, *(at for _, at in replay.actions)]


def _next(replay: Replay, line: list[position.Position], parted: int | None) -> Next | None:
    if parted is None or parted >= len(replay.actions):
        return None
    code, at = replay.actions[parted]
    return Next(parted + 1, code, at, _moved(line[parted].table, ACTIONS[code]))


def _moved(table: Table, action: Action) -> str | None:
    """Return the card that a legal action moves, None for a redeal or an undo."""
    if action.kind in {"pile_to_pile", "pile_to_foundation"}:
        return table.tops[action.source]
    if action.kind == "foundation_to_foundation":
        return (table.down if action.upward else table.up)[action.suit]
    return None
