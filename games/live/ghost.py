"""A ghost: a finished game that runs along on the race's time line, as progress."""

from typing import cast

from games.engine.log import replay
from games.live.live_game import GameRules
from games.models import Game
from games.protocol import Finished, MovedRow, Outcome
from games.services.rosters import Actions


class Ghost:
    """What others see of it is counts and times; it takes no place and shows no card."""

    __slots__ = ("_entries", "_played", "ended", "finished_ms", "name", "outcome", "racer")

    def __init__(self, row: Game, actions: Actions, rules: GameRules) -> None:
        self.racer = row.pk
        self.name = row.player.name
        self.outcome = row.outcome
        self.finished_ms = row.finished_ms or 0
        self.ended = False
        """Whether it has been told how the game ended."""
        codes = [(code, at_ms) for _, at_ms, code in actions]
        log = replay(rules.layout, rules.redeals, True, codes)
        self._entries: list[MovedRow] = [
            (self.racer, e.seq, None, e.at_ms, e.home, e.moves, e.redeals) for e in log.entries
        ]
        self._played = 0

    @property
    def now(self) -> MovedRow:
        """Where it stands: its last row, or one of seq 0."""
        if self._played == 0:
            return (self.racer, 0, None, 0, 8, 0, 0)
        return self._entries[self._played - 1]

    def due_ms(self) -> int | None:
        """When it does something next, in milliseconds since the start; None when all is done."""
        if self._played < len(self._entries):
            return self._entries[self._played][3]
        return None if self.ended else self.finished_ms

    def play(self, elapsed_ms: int) -> list[MovedRow]:
        """Move on to a moment of the race; return what was played since the last call."""
        first = self._played
        while self._played < len(self._entries) and self._entries[self._played][3] <= elapsed_ms:
            self._played += 1
        return self._entries[first : self._played]

    def end(self, elapsed_ms: int) -> Finished | None:
        """Tell how it ended, once, when that moment has come."""
        if self.ended or self._played < len(self._entries) or elapsed_ms < self.finished_ms:
            return None
        self.ended = True
        return Finished(
            racer=self.racer,
            outcome=cast("Outcome", self.outcome),
            at=self.finished_ms,
            moves=self.now[5],
            place=None,
        )
