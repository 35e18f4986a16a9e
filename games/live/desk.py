"""The desk: judges what is played, hands it to the journal, and answers and announces."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any

from games import clock, meters
from games.engine.actions import UNDO
from games.engine.log import Accepted, Entry, Repeated, SeqReason
from games.engine.reasons import Reason
from games.live import relay
from games.live.audience import Move
from games.live.connection import CloseCode
from games.live.hub import move_of
from games.live.journal import Answer, Journal, Pending
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.live.relay import Relay
from games.models.game import Outcome
from games.protocol import Acted, Refused, encode, wire_table
from games.services.denied import Denial

logger = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[Any, Any, object]], asyncio.Task[Any]]


class Desk:
    """One a process. What is played is answered only when all that it was judged on is durable."""

    def __init__(self, relay: Relay, spawn: Spawn) -> None:
        self.journal = Journal(self)
        self._relay = relay
        self._spawn = spawn

    def act(self, keeper: Keeper, game: LiveGame, seq: int, code: str, at_ms: int) -> None:
        """Judge an action received `at_ms` after the start."""
        if self.journal.full:
            answer(game, Refused(seq=seq, reason=Denial.UNAVAILABLE, expected=game.seq + 1))
            return
        offered = game.offer(seq, code, at_ms)
        if isinstance(offered, Accepted):
            self.journal.accept(keeper, game, offered)
            return
        owed: Answer = (
            offered.entry
            if isinstance(offered, Repeated)
            else Refused(seq=seq, reason=offered.reason, expected=offered.expected)
        )
        if not self.journal.answer(game, owed):
            answer(game, owed)

    def resign(self, keeper: Keeper, game: LiveGame, at_ms: int) -> None:
        """End a game behind what it has queued; where it has ended, or its time is up, nothing
        happens: it will expire."""
        if at_ms <= game.rules.limit_ms and not (game.tip or game.log).over:
            self.journal.resign(keeper, game, at_ms)

    def written(self, taken: list[Pending]) -> None:
        """Answer and announce what is durable: one frame for each race."""
        played: defaultdict[Keeper, list[Move]] = defaultdict(list)
        news: defaultdict[Keeper, list[Move]] = defaultdict(list)  # without what a read announced
        ended: list[tuple[Pending, bool]] = []
        now = clock.now_ms()
        for pending in taken:
            keeper, game, entries = pending.keeper, pending.game, pending.entries
            unheard = game.commit(pending.log, entries)
            keeper.hub.touch(game)
            if pending.outcome is not None:
                ended.append((pending, game.outcome is None))
                game.set_outcome(pending.outcome.value, pending.finished_ms)
            for owed in pending.answers:
                answer(game, owed)
            if entries:
                starts_at = keeper.hub.view.race.starts_at or now
                for entry in entries:
                    meters.answer_seconds.add((now - starts_at - entry.at_ms) / 1000)
                moves = [move_of(game, entry) for entry in entries]
                played[keeper] += moves
                news[keeper] += moves[len(moves) - len(unheard) :]
        meters.acted.add(times=sum(map(len, played.values())))
        for keeper, moves in played.items():
            if news[keeper]:
                keeper.hub.audience.announce_moves(news[keeper])
            if keeper.has_others:
                self._relay.tell(relay.Moves(keeper.hub.code, moves))
        for pending in taken:
            if pending.game.redeals == pending.game.rules.redeals:  # it may be blocked now
                pending.keeper.hub.audience.announce_racers([pending.game])
        for pending, is_news in ended:
            logger.info("a game has ended: %s", pending.outcome, extra=marks(pending))
            if is_news:
                pending.keeper.hub.audience.announce_end(pending.game)
            self._relay.tell(relay.Changed(pending.keeper.hub.code))
            pending.keeper.arm()

    def missed(self, lost: list[Pending]) -> None:
        """Find out where games stand that were judged on something else, then answer."""
        logger.info("%d games had moved on elsewhere", len(lost))
        for pending in lost:
            pending.game.tip = None
            pending.game.settled.clear()
            self._spawn(self._answer_anew(pending))

    def unknown(self, lost: list[Pending]) -> None:
        """Drop what a failed transaction held; whoever plays comes back and asks."""
        for pending in lost:
            pending.game.tip = None
            if pending.game.connection is not None:
                pending.game.connection.close(CloseCode.TRY_AGAIN)

    async def _answer_anew(self, lost: Pending) -> None:
        """Answer what was not written by what the database says; who resigned still does."""
        game = lost.game
        try:
            await lost.keeper.refresh()
        except Exception:  # whatever it was: who gets no answer must come back and ask
            logger.exception("a game could not be read again", extra=marks(lost))
            if game.connection is not None:
                game.connection.close(CloseCode.TRY_AGAIN)
            return
        finally:
            game.settled.set()
        for owed in lost.answers:
            expected = game.seq + 1
            if isinstance(owed, Refused):
                answer(game, Refused(seq=owed.seq, reason=owed.reason, expected=expected))
                continue
            judged = game.log.offer(owed.seq, owed.code, owed.at_ms)
            if isinstance(judged, Repeated):  # it was written after all, by another process
                answer(game, judged.entry)
            else:
                reason = Reason.GAME_OVER if game.log.over else SeqReason.STALE
                answer(game, Refused(seq=owed.seq, reason=reason, expected=expected))
        if lost.outcome == Outcome.RESIGNED and lost.finished_ms is not None:
            self.resign(lost.keeper, game, lost.finished_ms)


def marks(pending: Pending) -> dict[str, object]:
    """Give what a log line says of whose game it is about."""
    game = pending.game
    return {"race": pending.keeper.hub.code, "game": game.racer, "player": game.player_id}


def answer(game: LiveGame, owed: Answer) -> None:
    """Tell whoever plays the game now what became of an action."""
    if game.connection is None:
        return
    message: Acted | Refused
    if isinstance(owed, Entry):
        seq, code, at, moves = owed.seq, owed.code, owed.at_ms, owed.moves
        if code == UNDO.code:
            table = wire_table(game.log.table_at(seq))
            message = Acted(seq=seq, code=code, at=at, moves=moves, table=table)
        else:
            message = Acted(seq=seq, code=code, at=at, moves=moves, shown=dict(owed.shown))
    else:
        message = owed
        meters.refused.add(owed.reason)
    game.connection.push(encode(message))
