"""The room's memory under any interleaving of commits, reads, cuts and resends; no socket, no
database: one process's hub and journal over a store whose every call the test finishes by hand.

The model is the plain GameLog: what the store holds must replay, and whatever was answered or
announced must be what the store holds.
"""

import asyncio
import json
import os
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games import clock
from games.engine.deals import DealCode, layout_of
from games.engine.log import Accepted, GameLog, replay
from games.live import keeper as keepers
from games.live.connection import Connection
from games.live.database import Database
from games.live.desk import Desk
from games.live.hub import Hub
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.live.relay import News, Relay
from games.models import Deal, Game, Player, Race
from games.services import deals, recording
from games.services.recording import GameWrite
from games.services.rosters import Actions, Room
from tests.support.lines import next_code

CHAOS = os.environ.get("CRESCENT_CHAOS") == "full"
LAYOUT = layout_of(DealCode.of_number("N", 1))
RACERS = (1, 2)
LOST = RuntimeError("the connection is lost")


@dataclass
class Stored:
    """One game in the store."""

    log: list[tuple[int, int, str]] = field(default_factory=list)
    outcome: str | None = None
    finished_ms: int | None = None


@dataclass
class Call:
    """A call of the database: begun, then done (its effect is there), then returned."""

    work: Callable[[], Any]
    returned: asyncio.Future[Any]
    is_write: bool
    done: bool = False
    result: Any = None
    error: Exception | None = None

    def do(self) -> None:
        self.done = True
        self.result = self.work()

    def give_back(self) -> None:
        if self.returned.done():
            return
        if self.error is not None:
            self.returned.set_exception(self.error)
        else:
            self.returned.set_result(self.result)


class Store:
    """Stands in for the database, and for the threads that talk to it."""

    def __init__(self, starts_at: int) -> None:
        self.starts_at = starts_at
        self.games = {racer: Stored() for racer in RACERS}
        self.calls: list[Call] = []

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if work is deals.at_play_elsewhere:  # there is no other race
            return {race.pk: set() for race in kwargs["readers"]}
        returned = asyncio.get_running_loop().create_future()
        is_write = work is recording.record
        mine = self.record if is_write else self.read
        assert is_write or work is keepers.read
        self.calls.append(Call(lambda: mine(*args), returned, is_write))
        return await returned

    def stop(self) -> None:
        """Nothing to stop."""

    def record(self, batch: Sequence[GameWrite]) -> set[int]:
        """Do what recording.record promises."""
        taken = set()
        for write in batch:
            game = self.games[write.game_id]
            if len(game.log) != write.base_seq or game.outcome is not None:
                continue
            taken.add(write.game_id)
            assert [seq for seq, _, _ in write.actions] == list(
                range(write.base_seq + 1, write.base_seq + 1 + len(write.actions))
            ), "unique (game, seq) and no gaps"
            game.log += write.actions
            assert write.seq == len(game.log)
            game.outcome, game.finished_ms = write.outcome, write.finished_ms
        return taken

    def read(self, known: dict[str, dict[int, int]]) -> list[tuple[Room, dict[int, Actions]]]:
        """Do what keeper.read promises."""
        room = self.room()
        behind = {
            racer: stored.log[known["RACE"].get(racer, 0) :] for racer, stored in self.games.items()
        }
        return [(room, {racer: list(log) for racer, log in behind.items() if log})]

    def room(self) -> Room:
        deal = Deal(pk=1, code="CR1-N-AAAAAAB", kind="N", layout=LAYOUT, created_at=1)
        players = [Player(pk=racer, name=f"Player {racer}") for racer in RACERS]
        race = Race(
            pk=1,
            code="RACE",
            deal=deal,
            host=players[0],
            seats=2,
            created_at=1,
            starts_at=self.starts_at,
            time_limit_min=180,
        )
        games = []
        for player in players:
            stored = self.games[player.pk]
            log = self.replayed(player.pk)
            games.append(
                Game(
                    pk=player.pk,
                    race=race,
                    player=player,
                    seq=log.seq,
                    moves=log.table.moves,
                    redeals=log.redeals,
                    home=log.table.home,
                    outcome=stored.outcome,
                    finished_ms=stored.finished_ms,
                )
            )
        return Room(race, tuple(games))

    def replayed(self, racer: int) -> GameLog:
        return replay(LAYOUT, 3, True, [(code, at) for _, at, code in self.games[racer].log])


class Silence:
    """A relay to no other process."""

    me = "me"

    def tell(self, told: News) -> None:
        pass


class Client:
    """A racer's browser: an outbox, and everything that was answered."""

    def __init__(self, racer: int) -> None:
        self.racer = racer
        self.connection: Connection | None = None
        self.frames: list[dict[str, Any]] = []
        self.log = GameLog.start(LAYOUT, 3, True)
        self.outbox: list[tuple[int, str]] = []
        self.acted: dict[int, dict[str, Any]] = {}

    async def send(self, event: dict[str, Any]) -> None:
        if event["type"] == "websocket.close":
            self.connection = None
            return
        frame = json.loads(event["text"])
        self.frames.append(frame)
        if frame["type"] == "acted":
            before = self.acted.setdefault(frame["seq"], frame)
            assert before == frame, "an action is answered alike every time"
            self.outbox = [item for item in self.outbox if item[0] > frame["seq"]]
        if frame["type"] == "refused" and any(seq == frame["seq"] for seq, _ in self.outbox):
            self.outbox.clear()
            self.log = GameLog.start(LAYOUT, 3, True)  # drawn anew at the next welcome


class Interleavings(RuleBasedStateMachine):
    """Two racers and one process; another process may play for them as well."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self.note_error)
        self.errors: list[dict[str, Any]] = []
        self.dropped: list[asyncio.Task[Any]] = []

    def note_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(context)

    def run(self, step: Callable[[], Any] | None = None) -> None:
        """Run a step on the loop, and whatever it set going, until all waits."""

        async def stepped() -> None:
            if step is not None:
                step()
            for _ in range(12):
                await asyncio.sleep(0)

        self.loop.run_until_complete(stepped())

    def spawn(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        task = self.loop.create_task(work)
        self.dropped.append(task)
        return task

    @initialize()
    def begin(self) -> None:
        self.store = Store(clock.now_ms() - 10_000)
        self.clients = {racer: Client(racer) for racer in RACERS}
        self.watcher_frames: list[dict[str, Any]] = []

        async def watched(event: dict[str, Any]) -> None:
            self.watcher_frames.append(json.loads(event["text"]))

        def make() -> None:
            database = cast("Database", self.store)
            self.keeper = Keeper(Hub(self.store.room(), {}), database)
            self.desk = Desk(cast("Relay", Silence()), self.spawn)
            self.desk.journal._database.stop()
            self.desk.journal._database = database
            self.keeper.hub.join(Connection(watched, None), None)

        self.run(make)
        for racer in RACERS:
            self.connect(racer)
        self.calm()

    # --- The network and the players -----------------------------------------------------------

    @rule(racer=st.sampled_from(RACERS))
    def connect(self, racer: int) -> None:
        """A socket comes, or a second tab: it reads the race first, and so may wait for long."""
        client = self.clients[racer]

        async def coming() -> None:
            await self.keeper.refresh()
            game = self.game(racer)
            if client.connection is not None:
                self.keeper.hub.leave(client.connection, game)
            client.connection = connection = Connection(client.send, racer)
            self.keeper.hub.join(connection, game)
            self.resume(client, game)

        self.run(lambda: self.spawn(coming()))

    def resume(self, client: Client, game: LiveGame) -> None:
        """Take `welcome`: drop what the server has, send the rest again."""
        has = game.seq
        highest = max(client.acted, default=0)
        assert has >= highest, "what was acknowledged is there after a resume"
        mine = [item for item in client.outbox if item[0] > has]
        log = replay(LAYOUT, 3, True, game.actions)
        for seq, code in mine:
            offered = log.offer(seq, code, 0)
            if not isinstance(offered, Accepted):
                mine = []  # another tab has played something else
                log = replay(LAYOUT, 3, True, game.actions)
                break
            log = offered.log
        client.outbox, client.log = mine, log
        for seq, code in mine:
            self.act(client, seq, code)

    @rule(racer=st.sampled_from(RACERS))
    def cut(self, racer: int) -> None:
        client = self.clients[racer]
        if client.connection is None:
            return
        connection, client.connection = client.connection, None

        def gone() -> None:
            connection.lost()
            self.keeper.hub.leave(connection, self.game(racer))

        self.run(gone)

    @rule(racer=st.sampled_from(RACERS), count=st.integers(1, 4), luck=st.integers(0, 99))
    def play(self, racer: int, count: int, luck: int) -> None:
        """Send legal actions ahead of the answers."""
        client = self.clients[racer]
        if client.connection is None:
            return
        chance = random.Random(luck)
        for _ in range(count):
            offered = client.log.offer(client.log.seq + 1, next_code(client.log, chance), 0)
            if not isinstance(offered, Accepted):
                return
            client.log = offered.log
            item = (offered.entry.seq, offered.entry.code)
            client.outbox.append(item)
            self.run(lambda item=item: self.act(client, *item))  # type: ignore[misc]

    @rule(racer=st.sampled_from(RACERS), back=st.integers(0, 5), code=st.sampled_from(["", "aa"]))
    def send_something_old(self, racer: int, back: int, code: str) -> None:
        """Resend something that may be queued, durable or neither; or something wrong."""
        client = self.clients[racer]
        if client.connection is None:
            return
        seq = max(1, client.log.seq - back)
        if not code:
            if seq > client.log.seq:
                return
            code = client.log.entry(seq).code
        self.run(lambda: self.act(client, seq, code))

    @rule(racer=st.sampled_from(RACERS))
    def resign(self, racer: int) -> None:
        if self.clients[racer].connection is None:
            return
        self.run(lambda: self.desk.resign(self.keeper, self.game(racer), self.at_ms()))

    def act(self, client: Client, seq: int, code: str) -> None:
        """Do what a socket does with an `act`."""
        game, connection, at_ms = self.game(client.racer), client.connection, self.at_ms()

        async def acting() -> None:
            if not game.settled.is_set():
                await game.settled.wait()
            if connection is not None and game.connection is connection:
                self.desk.act(self.keeper, game, seq, code, at_ms)

        self.spawn(acting())

    # --- The database, and another process ------------------------------------------------------

    @rule()
    def commit(self) -> None:
        """A write takes effect; nobody here knows yet."""
        for call in self.store.calls:
            if call.is_write and not call.done:
                call.do()

    @rule()
    def answer_write(self) -> None:
        """What a write has come to is known here."""
        self.finish(lambda call: call.is_write)

    @rule()
    def look(self) -> None:
        """Reads see what is there now; nobody here knows yet."""
        for call in self.store.calls:
            if not call.is_write and not call.done:
                call.do()

    @rule()
    def answer_reads(self) -> None:
        """What reads have seen is known here."""
        self.finish(lambda call: not call.is_write)

    @rule()
    def refresh(self) -> None:
        """Something in the room has changed, or five seconds have passed."""
        self.run(lambda: self.spawn(self.keeper.refresh()))

    def finish(self, match: Callable[[Call], bool]) -> None:
        for call in [call for call in self.store.calls if match(call)]:
            if not call.done:
                call.do()
            self.give_back(call)

    @precondition(lambda self: any(call.is_write for call in self.store.calls))
    @rule(written=st.booleans())
    def fail(self, written: bool) -> None:
        """The transaction fails, before or after it was written."""
        call = next(call for call in self.store.calls if call.is_write)
        if written and not call.done:
            call.do()
        call.done = True
        if written or call.result is None:
            call.error = LOST
        self.give_back(call)

    @precondition(lambda self: any(not call.is_write for call in self.store.calls))
    @rule()
    def fail_reads(self) -> None:
        for call in [call for call in self.store.calls if not call.is_write]:
            call.error = LOST
            self.give_back(call)

    @rule(racer=st.sampled_from(RACERS), luck=st.integers(0, 99))
    def play_elsewhere(self, racer: int, luck: int) -> None:
        """Another process commits something for the same player."""
        chance = random.Random(luck)
        stored, log = self.store.games[racer], self.store.replayed(racer)
        if stored.outcome is None:
            stored.log.append((log.seq + 1, max(log.at_ms, self.at_ms()), next_code(log, chance)))

    @rule(racer=st.sampled_from(RACERS))
    def unresign_elsewhere(self, racer: int) -> None:
        stored = self.store.games[racer]
        if stored.outcome == "resigned":
            stored.outcome = stored.finished_ms = None

    def give_back(self, call: Call) -> None:
        self.store.calls.remove(call)
        self.run(call.give_back)

    # --- What must hold -------------------------------------------------------------------------

    @invariant()
    def nothing_went_wrong_unseen(self) -> None:
        assert not self.errors
        for task in [task for task in self.dropped if task.done()]:
            self.dropped.remove(task)
            assert task.exception() in {None, LOST}
        assert not self.desk.journal._task.done()

    @invariant()
    def what_is_stored_replays(self) -> None:
        for racer in RACERS:
            assert self.store.replayed(racer).seq == len(self.store.games[racer].log)

    @invariant()
    def what_was_answered_is_stored(self) -> None:
        for racer, client in self.clients.items():
            log = self.store.games[racer].log
            for seq, frame in client.acted.items():
                assert log[seq - 1] == (seq, frame["at"], frame["code"])

    @invariant()
    def what_was_announced_is_stored_and_was_announced_once(self) -> None:
        heard: dict[int, list[tuple[int, int, str]]] = {racer: [] for racer in RACERS}
        for frame in self.watcher_frames:
            if frame["type"] == "moved":
                for racer, seq, code, at, home, moves, *_ in frame["moves"]:
                    heard[racer].append((seq, at, code))
                    log = replay(LAYOUT, 3, True, [(c, a) for _, a, c in heard[racer]])
                    assert (home, moves) == (log.table.home, log.table.moves)
        for racer, rows in heard.items():
            assert rows == self.store.games[racer].log[: len(rows)]

    @invariant()
    def each_end_was_announced_once(self) -> None:
        over: set[int] = set()
        for frame in self.watcher_frames:
            if frame["type"] == "finished":
                assert frame["racer"] not in over
                over.add(frame["racer"])
            if frame["type"] == "racer" and frame["outcome"] is None:
                over.discard(frame["racer"])

    @invariant()
    def what_is_remembered_is_stored(self) -> None:
        for racer in RACERS:
            stored, game = self.store.games[racer].log, self.game(racer)
            assert game.actions == [(code, at) for _, at, code in stored[: game.seq]]

    def teardown(self) -> None:
        """All calm down: everybody comes back, and what the room knows is what is stored."""
        if not hasattr(self, "store"):
            self.loop.close()
            return
        try:
            self.calm()
            for racer in RACERS:
                self.connect(racer)
            self.calm()
            self.nothing_went_wrong_unseen()
            self.what_was_answered_is_stored()
            self.what_was_announced_is_stored_and_was_announced_once()
            for racer, client in self.clients.items():
                stored, game = self.store.games[racer], self.game(racer)
                log = self.store.replayed(racer)
                assert game.actions == [(code, at) for _, at, code in stored.log]
                assert (game.log.table, game.outcome) == (log.table, stored.outcome)
                assert (game.moves, game.home) == (log.table.moves, log.table.home)
                if stored.outcome is None:  # and so they can go on
                    assert not client.outbox, "all that was sent is answered in the end"
                    self.act_once_more(client, log)
        finally:
            self.keeper.stop()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.run()
            self.loop.close()

    def calm(self) -> None:
        for _ in range(30):
            self.run()
            for call in [call for call in self.store.calls if not call.done]:
                call.do()
            for call in list(self.store.calls):
                self.give_back(call)
        assert not self.store.calls

    def act_once_more(self, client: Client, log: GameLog) -> None:
        before = len(client.frames)
        self.run(lambda: self.act(client, log.seq + 1, "aa"))
        self.calm()
        answers = [frame for frame in client.frames[before:] if frame["type"] == "refused"]
        assert [answer["expected"] for answer in answers] == [log.seq + 1]

    # --- Small things ----------------------------------------------------------------------------

    def game(self, racer: int) -> LiveGame:
        game = self.keeper.hub.game(racer)
        assert game is not None
        return game

    def at_ms(self) -> int:
        return clock.now_ms() - self.store.starts_at


def test_a_read_that_sees_a_commit_before_its_writer_returns_doubles_nothing() -> None:
    room = Interleavings()
    room.begin()
    room.play(1, 3, 1)
    room.commit()
    room.refresh()
    room.answer_reads()
    room.answer_write()
    room.play(1, 2, 2)
    room.what_is_remembered_is_stored()
    room.what_was_announced_is_stored_and_was_announced_once()
    room.teardown()


@pytest.mark.parametrize("played_first", [False, True])
def test_a_resignation_holds_though_another_process_has_played_on(played_first: bool) -> None:
    room = Interleavings()
    room.begin()
    if played_first:
        room.play(1, 1, 1)
    room.play_elsewhere(1, 1)
    room.resign(1)
    room.calm()
    assert room.store.games[1].outcome == "resigned"
    assert [f["outcome"] for f in room.watcher_frames if f["type"] == "finished"] == ["resigned"]
    room.teardown()


def test_the_writer_lives_on_though_what_it_wrote_can_not_be_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: object) -> None:
        raise AssertionError

    room = Interleavings()
    room.begin()
    with monkeypatch.context() as broken:
        broken.setattr(room.desk, "written", fail)
        room.play(1, 2, 1)
        room.calm()
    assert room.clients[1].connection is None
    room.play(2, 2, 1)
    room.calm()
    assert len(room.clients[2].acted) == 2
    room.teardown()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_interleaving_of_commits_reads_cuts_and_resends_loses_or_doubles_an_action() -> None:
    run_state_machine_as_test(
        Interleavings,
        settings=settings(
            max_examples=2_000 if CHAOS else 120,
            stateful_step_count=40,
            phases=[Phase.generate],  # shrinking a find here takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
