"""A game in a process: its seat, its log and its socket."""

import asyncio
from dataclasses import dataclass

from games.engine.log import Accepted, Entry, GameLog, Offered
from games.engine.rules import is_blocked
from games.live.connection import Connection
from games.models import Game
from games.models.game import Outcome

ONLINE_MS = 25_000


@dataclass(frozen=True, slots=True)
class GameRules:
    """What a game of a race is played on and by."""

    layout: str
    redeals: int
    undo_allowed: bool
    limit_ms: int


class LiveGame:
    """Committed state, as the database has it as far as this process knows, and the *tip*: the
    committed log and what is queued behind it, on which the next action is judged."""

    __slots__ = (
        "_log",
        "actions",
        "announced",
        "claim",
        "connection",
        "finished_ms",
        "home",
        "left_ms",
        "moves",
        "name",
        "outcome",
        "player_id",
        "racer",
        "ready",
        "redeals",
        "removed",
        "rules",
        "seen_at",
        "settled",
        "tick",
        "tip",
    )

    def __init__(self, row: Game, rules: GameRules) -> None:
        self.racer = row.pk
        self.rules = rules
        self.connection: Connection | None = None
        self.claim = 0
        """When the connection took the seat (Unix ms): the newest of several processes' wins."""
        self.seen_at: int | None = None
        """When the player was last seen in another process (Unix ms)."""
        self.left_ms = 0
        """When the connection was lost: what was seen before it is no longer online."""
        self.tick = 0
        """The hub's tick at which this process last changed the game itself."""
        self.announced: object = None
        self.settled = asyncio.Event()
        """Cleared while what the database has is being found out."""
        self.settled.set()
        self.actions: list[tuple[str, int]] = []
        """Committed actions: (code, at in ms)."""
        self._log: GameLog | None = None
        self.tip: GameLog | None = None
        self.moves = self.redeals = self.home = 0
        self.outcome: str | None = None
        self.finished_ms: int | None = None
        self.take_roster(row)
        self.take_progress(row)

    @property
    def seq(self) -> int:
        """The last committed action's seq."""
        return len(self.actions)

    def take_roster(self, row: Game) -> None:
        """Take what the roster says from a row."""
        self.player_id, self.name = row.player_id, row.player.name
        self.ready = row.ready
        self.removed = row.removed_at is not None
        # Another process tells at once who came or went; the row has it a second later.
        newest = max(row.seen_at or 0, self.seen_at or 0)
        self.seen_at = newest if newest > self.left_ms else None

    def take_rules(self, rules: GameRules) -> None:
        """Take what the host has changed in the lobby, where nothing is logged yet."""
        if rules != self.rules:
            self.rules, self._log, self.tip = rules, None, None

    def take_progress(self, row: Game) -> None:
        """Take counters and outcome from a row."""
        self.moves, self.redeals, self.home = row.moves, row.redeals, row.home
        self.set_outcome(row.outcome, row.finished_ms)

    def set_outcome(self, outcome: str | None, finished_ms: int | None) -> None:
        """Set or clear how the game ended."""
        if outcome != self.outcome:
            self.tip = None
        self.outcome, self.finished_ms = outcome, finished_ms

    def online(self, now_ms: int) -> bool:
        """Whether the player is here or was seen in another process lately."""
        return self.connection is not None or (
            self.seen_at is not None and now_ms - self.seen_at < ONLINE_MS
        )

    @property
    def log(self) -> GameLog:
        """The committed log, replayed as far as it isn't yet."""
        log = self._log
        if log is None:
            log = GameLog.start(self.rules.layout, self.rules.redeals, self.rules.undo_allowed)
        elif log.closed:
            log = log.reopen()
        if log.seq < len(self.actions):
            for code, at_ms in self.actions[log.seq :]:
                offered = log.offer(log.seq + 1, code, at_ms)
                assert isinstance(offered, Accepted), "the log holds only what was accepted"
                log = offered.log
        if self.outcome not in {None, Outcome.WON}:
            log = log.close()
        self._log = log
        return log

    @property
    def blocked(self) -> bool:
        """Whether no move is possible and no redeal left."""
        if self.redeals < self.rules.redeals or self.outcome is not None:
            return False
        return is_blocked(self.log.table)

    def offer(self, seq: int, code: str, at_ms: int) -> Offered:
        """Judge an action received `at_ms` after the start, on the tip, and move the tip."""
        tip = self.tip or self.log
        if at_ms > self.rules.limit_ms:
            tip = tip.close()
        offered = tip.offer(seq, code, at_ms)
        if isinstance(offered, Accepted):
            self.tip = offered.log
        return offered

    def commit(self, log: GameLog, entries: list[Entry]) -> list[Entry]:
        """Take what this process has committed: its entries and the log after them. Returns the
        entries that were news: a read that saw the commit may have come back before it did."""
        before = self.seq
        news = entries
        if entries and entries[0].seq <= before:
            news = [entry for entry in entries if entry.seq > before]
        self.actions += [(entry.code, entry.at_ms) for entry in news]
        if log.seq == self.seq:
            self._log = log
            table = log.table
            self.moves, self.redeals, self.home = table.moves, log.redeals, table.home
        if self.tip is log:
            self.tip = None
        return news

    def extend(self, codes: list[tuple[int, int, str]], *, final: bool = False) -> list[Entry]:
        """Take actions (seq, at, code) from the database; return the entries that were news.

        What this process is just writing is left to the journal, which answers it first; but not
        where the race is over (`final`), for the end is announced with all that led to it.
        """
        before = self.seq
        if not final and self._is_writing(codes):
            return []
        for seq, at_ms, code in codes:
            if seq == self.seq + 1:
                self.actions.append((code, at_ms))
        if self.seq == before:
            return []
        self.tip = None
        log = self.log
        self.moves, self.redeals, self.home = log.table.moves, log.redeals, log.table.home
        return [log.entry(seq) for seq in range(before + 1, self.seq + 1)]

    def _is_writing(self, codes: list[tuple[int, int, str]]) -> bool:
        tip = self.tip
        return tip is not None and all(
            seq <= tip.seq and (tip.entry(seq).at_ms, tip.entry(seq).code) == (at_ms, code)
            for seq, at_ms, code in codes
        )
