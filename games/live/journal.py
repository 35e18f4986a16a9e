"""The journal: group commit. All that queued while the last commit ran is the next transaction."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Protocol

from games import clock, meters
from games.engine.log import Accepted, Entry, GameLog
from games.live.database import Database
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.models.game import Outcome
from games.protocol import Refused
from games.services import recording

logger = logging.getLogger(__name__)

QUEUE_LIMIT = 20_000
"""Actions that may wait for the writer; beyond, they are refused as unavailable."""

Answer = Entry | Refused
"""What a player is owed once the game's queue is committed: an acceptance or a refusal."""


@dataclass(slots=True)
class Pending:
    """What one batch holds of one game: what is to be written on top of `base_seq`, the log after
    it, and the answers it owes. `outcome` and `finished_ms` are given when the game ends with it.
    """

    keeper: Keeper
    game: LiveGame
    base_seq: int
    log: GameLog
    entries: list[Entry] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    outcome: Outcome | None = None
    finished_ms: int | None = None

    def write(self) -> recording.GameWrite:
        """Give what the database is to take."""
        log, table = self.log, self.log.table
        return recording.GameWrite(
            self.game.racer,
            self.base_seq,
            log.seq,
            table.moves,
            log.undos,
            log.redeals,
            table.home,
            [(entry.seq, entry.at_ms, entry.code) for entry in self.entries],
            self.outcome and self.outcome.value,
            self.finished_ms,
        )


class Recipient(Protocol):
    """Whoever answers and announces what the journal has found out."""

    def written(self, taken: list[Pending]) -> None:
        """These are durable."""

    def missed(self, lost: list[Pending]) -> None:
        """Of these nothing is written: their games stand elsewhere than they were judged on."""

    def unknown(self, lost: list[Pending]) -> None:
        """The transaction failed: nobody knows whether these are written."""


class Journal:
    """One writer a process, with a thread and a connection of its own."""

    def __init__(self, recipient: Recipient) -> None:
        self._recipient = recipient
        self._database = Database("journal", threads=1)
        self._next: dict[int, Pending] = {}
        self._writing: dict[int, Pending] = {}
        self.queued = 0
        """Actions that wait for the next transaction."""
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._tried = asyncio.Event()
        """Set once the transaction under way is over; the next one has another."""
        self._task = asyncio.get_running_loop().create_task(self._write_forever())

    @property
    def full(self) -> bool:
        """Whether nothing more is taken until the writer has caught up."""
        return self.queued >= QUEUE_LIMIT

    def accept(self, keeper: Keeper, game: LiveGame, accepted: Accepted) -> None:
        """Queue an accepted action of `game`; it is answered when it is durable."""
        log, entry = accepted
        pending = self._pending(keeper, game, log, entry.seq - 1)
        pending.log = log
        pending.entries.append(entry)
        pending.answers.append(entry)
        if log.over:
            pending.outcome, pending.finished_ms = Outcome.WON, entry.at_ms

    def resign(self, keeper: Keeper, game: LiveGame, at_ms: int) -> None:
        """Queue the end of `game` behind what it has played."""
        log = game.tip or game.log
        pending = self._pending(keeper, game, log, log.seq)
        pending.log = game.tip = log.close()
        pending.outcome = Outcome.RESIGNED
        pending.finished_ms = max(at_ms, log.at_ms)

    def answer(self, game: LiveGame, answer: Answer) -> bool:
        """Give an answer once all that `game` has queued is known; False where nothing is."""
        pending = self._next.get(game.racer) or self._writing.get(game.racer)
        if pending is None:
            return False
        pending.answers.append(answer)
        return True

    async def known(self, game: LiveGame) -> None:
        """Wait until it is known what has become of all that `game` has queued."""
        while game.racer in self._next or game.racer in self._writing:
            await self._tried.wait()

    async def idle(self) -> None:
        """Wait until nothing is queued and nothing is being written."""
        await self._idle.wait()

    async def stop(self) -> None:
        """End the writer; what still waits is dropped unacknowledged."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._next.clear()
        self._tried.set()
        self._database.stop()

    def _pending(self, keeper: Keeper, game: LiveGame, log: GameLog, base_seq: int) -> Pending:
        pending = self._next.get(game.racer)
        if pending is None:
            pending = self._next[game.racer] = Pending(keeper, game, base_seq, log)
            self._wake.set()
            self._idle.clear()
        self.queued += 1
        return pending

    async def _write_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._next:
                self._writing, self._next = self._next, {}
                self.queued = 0
                await self._write(self._writing)
                self._tried.set()
                self._tried = asyncio.Event()
            self._idle.set()

    async def _write(self, batch: dict[int, Pending]) -> None:
        began = clock.elapsed_s()
        try:
            taken = await self._database.run(
                recording.record, [pending.write() for pending in batch.values()]
            )
        except Exception:  # whatever it was, the writer lives on and nothing is acknowledged
            logger.exception("A batch of %d games failed; its fate is unknown", len(batch))
            meters.lost_commits.add()
            self._recipient.unknown([*batch.values(), *self._withdraw(batch)])
            return
        finally:
            self._writing = {}
        meters.commit_seconds.add(clock.elapsed_s() - began)
        meters.batch_actions.add(sum(len(pending.entries) for pending in batch.values()))
        try:
            self._tell(batch, taken)
        except Exception:  # a fault of ours: who waits for an answer comes back and asks
            logger.exception("What became of a batch of %d games was not told", len(batch))
            self._recipient.unknown([*batch.values(), *self._withdraw(batch)])

    def _tell(self, batch: dict[int, Pending], taken: set[int]) -> None:
        if len(taken) == len(batch):
            self._recipient.written(list(batch.values()))
            return
        self._recipient.written([pending for game, pending in batch.items() if game in taken])
        lost = {game: pending for game, pending in batch.items() if game not in taken}
        self._recipient.missed([*lost.values(), *self._withdraw(lost)])

    def _withdraw(self, games: dict[int, Pending]) -> list[Pending]:
        """Take back what was judged on top of a write that didn't come about."""
        return [self._next.pop(game) for game in games if game in self._next]
