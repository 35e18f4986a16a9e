"""The log of one game: judges what a player offers and remembers what was accepted."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from .actions import ACTIONS, UNDO
from .cards import PILES, Card
from .errors import BadLog, Illegal
from .position import Played, Position, play
from .reasons import Reason
from .table import Shown, Table

__all__ = [
    "Accepted",
    "BadLog",
    "Entry",
    "GameLog",
    "Offered",
    "Refused",
    "Repeated",
    "SeqReason",
    "replay",
    "replaying",
]

_BLOCK = 64
"""Entries are kept in blocks of this size, so that adding one copies few (a log may be long)."""


class SeqReason(StrEnum):
    """Why a seq is refused before the action is judged (docs/protocol.md, "Judging an `act`")."""

    STALE = "stale"  # another action has this seq already
    GAP = "gap"  # actions before this one are missing


class Entry(NamedTuple):
    """One accepted action.

    `seq` counts a game's actions from 1; `at_ms` is the time since the start, never falling;
    `moves`, `home` and `redeals` (used so far) are the counts after it; `shown` the tops it
    uncovered.
    """

    seq: int
    code: str
    at_ms: int
    moves: int
    home: int
    redeals: int
    shown: Shown


class Block(NamedTuple):
    """A run of entries and the position before the first of them."""

    before: Position
    entries: tuple[Entry, ...]


class Accepted(NamedTuple):
    """The action was legal: the log with it, and its entry."""

    log: "GameLog"
    entry: Entry


class Repeated(NamedTuple):
    """The action was accepted before: its entry, to be answered again and announced to nobody."""

    entry: Entry


class Refused(NamedTuple):
    """The action was refused; `expected` is the next seq that the log takes."""

    reason: Reason | SeqReason
    expected: int


Offered = Accepted | Repeated | Refused


class GameLog(NamedTuple):
    """A game and how it came to be. A named tuple, for an accepted action gives another log.

    `origin` is the position it starts from, `position` where it stands. `blocks` and `tail` hold
    the entries: read them with `entries`, `entry` and `codes`.
    `seen` has bit n set where the player has uncovered the card of slot n; `undos` counts the
    undos; `closed` says that the game ended without being won (resigned or expired).
    """

    origin: Position
    position: Position
    blocks: tuple[Block, ...]
    tail: Block
    undo_allowed: bool
    seen: int
    undos: int = 0
    closed: bool = False

    @classmethod
    def start(cls, layout: str, redeals: int, undo_allowed: bool) -> "GameLog":
        """Give the empty log of a game on a layout with so many redeals (3 or 4).

        :raises BadLayout: if the layout isn't one.
        """
        return cls.at(Position.of(layout, redeals), undo_allowed)

    @classmethod
    def at(cls, position: Position, undo_allowed: bool = True) -> "GameLog":
        """Give an empty log that starts at any position."""
        seen = 0
        for pile in position.piles:
            if pile:
                seen |= 1 << pile[-1]
        return cls(position, position, (), Block(position, ()), undo_allowed, seen)

    @property
    def seq(self) -> int:
        """The seq of the last entry, 0 where there is none."""
        return len(self.blocks) * _BLOCK + len(self.tail.entries)

    @property
    def table(self) -> Table:
        """What the player sees now."""
        return self.position.table

    @property
    def over(self) -> bool:
        """Whether nothing more is accepted: the game is won, or the log was closed."""
        return self.closed or self.position.won

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, the first first."""
        return tuple(entry for block in (*self.blocks, self.tail) for entry in block.entries)

    @property
    def codes(self) -> str:
        """The codes of all entries in one string, two characters each."""
        return "".join([entry.code for entry in self.entries])

    @property
    def at_ms(self) -> int:
        """When the last entry was received, in milliseconds since the start; 0 without entries."""
        return self.tail.entries[-1].at_ms if self.tail.entries else 0

    @property
    def redeals(self) -> int:
        """How many redeals have been used."""
        return self.origin.table.redeals_left - self.position.table.redeals_left

    @property
    def faces(self) -> dict[int, Card]:
        """The cards this player has uncovered, by slot."""
        cards = self.origin.cards
        return {slot: cards[slot] for slot in range(len(cards)) if self.seen >> slot & 1}

    def entry(self, seq: int) -> Entry:
        """Give the entry of a seq.

        :raises IndexError: where there is none.
        """
        if not 1 <= seq <= self.seq:
            raise IndexError(f"the log has no entry {seq}")
        block, place = divmod(seq - 1, _BLOCK)
        return (self.blocks[block] if block < len(self.blocks) else self.tail).entries[place]

    def position_at(self, seq: int) -> Position:
        """Give the position after the entry of a seq, 0 for the start; replays 63 actions at most.

        :raises IndexError: where there is no such entry.
        """
        if not 0 <= seq <= self.seq:
            raise IndexError(f"the log has no entry {seq}")
        if seq == self.seq:
            return self.position
        block, count = divmod(seq, _BLOCK)
        position, entries = self.blocks[block] if block < len(self.blocks) else self.tail
        for entry in entries[:count]:
            position = play(position, ACTIONS[entry.code]).position
        return position

    def table_at(self, seq: int) -> Table:
        """Give the table after the entry of a seq, as an undo was answered with.

        :raises IndexError: where there is no such entry.
        """
        return self.position_at(seq).table

    def offer(self, seq: int, code: str, at_ms: int) -> Offered:
        """Judge an action; `at_ms` is when it was received, in milliseconds since the start.

        In this order: the seq (an old one with the same code is repeated, with another stale; one
        too high is a gap), then not_an_action, game_over, no_undo and the other rules. An entry is
        never earlier than the one before it.
        """
        expected = self.seq + 1
        if seq != expected:
            return self._out_of_turn(seq, code)
        judged = self._judge(code)
        if isinstance(judged, Reason):
            return Refused(judged, expected)
        position, shown = judged
        blocks, tail = self.blocks, self.tail
        before, entries = tail
        if entries:
            at_ms = max(at_ms, entries[-1].at_ms)
        if len(entries) == _BLOCK:
            blocks = (*blocks, tail)
            before, entries = self.position, ()
        table = position.table
        used = self.origin.table.redeals_left - table.redeals_left
        entry = Entry(seq, code, max(at_ms, 0), table.moves, table.home, used, shown)
        log = GameLog(
            self.origin,
            position,
            blocks,
            Block(before, (*entries, entry)),
            self.undo_allowed,
            self.seen | _slots(position.piles, shown),
            self.undos + (code == UNDO.code),
        )
        return Accepted(log, entry)

    def _out_of_turn(self, seq: int, code: str) -> Repeated | Refused:
        if seq > self.seq:
            return Refused(SeqReason.GAP, self.seq + 1)
        if seq >= 1 and self.entry(seq).code == code:
            return Repeated(self.entry(seq))
        return Refused(SeqReason.STALE, self.seq + 1)

    def _judge(self, code: str) -> Played | Reason:
        action = ACTIONS.get(code)
        if action is None:
            return Reason.NOT_AN_ACTION
        if self.over:
            return Reason.GAME_OVER
        if action is UNDO and not self.undo_allowed:
            return Reason.NO_UNDO
        try:
            return play(self.position, action)
        except Illegal as illegal:
            return illegal.reason

    def close(self) -> "GameLog":
        """Give the log of a game that is over although it isn't won (resigned or expired)."""
        return self._replace(closed=True)

    def reopen(self) -> "GameLog":
        """Give the log with `close` taken back; a won game stays over."""
        return self._replace(closed=False)


def replay(
    layout: str, redeals: int, undo_allowed: bool, actions: Iterable[tuple[str, int]]
) -> GameLog:
    """Give the log that a stored game's actions make: pairs of code and `at_ms`, seq 1 first.

    :raises BadLog: naming the seq, if the rules refuse one of them.
    :raises BadLayout: if the layout isn't one.
    """
    *_, log = replaying(layout, redeals, undo_allowed, actions)
    return log


def replaying(
    layout: str, redeals: int, undo_allowed: bool, actions: Iterable[tuple[str, int]]
) -> Iterator[GameLog]:
    """Give the log of a stored game at its start, then after each of its actions; see `replay`."""
    log = GameLog.start(layout, redeals, undo_allowed)
    yield log
    for seq, (code, at_ms) in enumerate(actions, 1):
        offered = log.offer(seq, code, at_ms)
        if isinstance(offered, Refused):
            raise BadLog(seq, code, offered.reason)
        if isinstance(offered, Accepted):
            log = offered.log
            yield log


def _slots(piles: tuple[bytes, ...], shown: Shown) -> int:
    """Give the slots on top of the piles that were uncovered, as bits."""
    slots = 0
    for pile in shown:
        slots |= 1 << piles[PILES.index(pile)][-1]
    return slots
