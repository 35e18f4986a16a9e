"""The keeper of a hub: brings it what the database says, and what the clock says."""

import asyncio
from collections.abc import Collection

from games import clock
from games.live import rows
from games.live.database import Database
from games.live.hub import Hub
from games.models import Deal
from games.models.game import Outcome
from games.services import deals, marks, rosters, settling
from games.services.rosters import Actions, Room

RETRY_MS = 1_000
GHOST_STEP_MS = 250
OTHERS_S = 20
"""How long a process that has said so is taken to have the race live: four of its sayings."""


class Keeper:
    """Refreshes one hub and arms one timer for whatever is due next: zero, the time limit, the
    close. Nothing depends on the timer: other processes and the sweep settle the race as well."""

    def __init__(self, hub: Hub, database: Database) -> None:
        self.hub = hub
        self._database = database
        self._reading = asyncio.Lock()
        self._next_read: asyncio.Task[None] | None = None
        self._ghost_timer: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._settling: asyncio.Task[None] | None = None
        self._noting: asyncio.Task[None] | None = None
        self._noted: set[int] = set()
        self._unnoted: set[int] = set()
        self._others_until_s = 0.0
        self.arm()

    def note_others(self) -> None:
        """Note that another process has this race live, or has just had."""
        self._others_until_s = clock.elapsed_s() + OTHERS_S

    @property
    def has_others(self) -> bool:
        """Whether any other process has to hear what is played here."""
        return clock.elapsed_s() < self._others_until_s

    async def refresh(self) -> None:
        """Bring the hub what the database has now. Callers that come while a read is under way
        share the next one: what they wait for began after they called."""
        if self._next_read is None:
            self._next_read = asyncio.get_running_loop().create_task(self._read())
        await asyncio.shield(self._next_read)

    async def _read(self) -> None:
        async with self._reading:
            self._next_read = None
            await self._ask_elsewhere(self.hub.elsewhere.readers())
            tick, known = self.hub.tick, self.hub.known()
            found = await self._database.run(read, {self.hub.code: known})
        for room, actions in found:
            self.absorb(room, actions, tick)
            await self.find_ghosts(room)

    async def meet(self, player_id: int | None) -> None:
        """Find out of a reader who comes in the next moment whether they are at play elsewhere."""
        elsewhere = self.hub.elsewhere
        if player_id is None or not elsewhere.is_reader(player_id):
            return
        begun = -1
        while begun != elsewhere.begun:  # who begins while it is asked about is asked about again
            begun = elsewhere.begun
            await self._ask_elsewhere({player_id})

    async def _ask_elsewhere(self, readers: set[int]) -> None:
        if readers:
            elsewhere = self.hub.elsewhere
            begun, race = elsewhere.begun, elsewhere.race
            found = await self._database.run(deals.at_play_elsewhere, readers={race: readers})
            self.hear_elsewhere(readers, found[race.pk], begun)

    def hear_elsewhere(self, asked: Collection[int], at_play: set[int], begun: int) -> None:
        """Take which of the readers `asked` about are at play elsewhere: see `Elsewhere.hear`."""
        self.hub.elsewhere.hear(asked, at_play, begun)
        self.note_watchers()

    def absorb(self, room: Room, actions: dict[int, Actions], asked_tick: int) -> None:
        """Hand the hub a read that was asked for at `asked_tick`."""
        self.hub.absorb(room, actions, asked_tick)
        self.note_watchers()
        self.arm()

    def note_watchers(self) -> None:
        """See to it that watchers who are shown cards are known to have studied the deal. What
        fails is tried again with the next read."""
        view = self.hub.view
        if not rows.shows_cards(view):
            return
        audience = self.hub.audience
        there = {connection.player_id for connection in audience.connections} - audience.elsewhere
        known = self._noted.union(game.player_id for game in view.games)
        self._unnoted |= {pk for pk in there - known if pk is not None}
        if self._unnoted and self._noting is None:
            self._noting = asyncio.get_running_loop().create_task(self._note(view.deal))

    async def _note(self, deal: Deal) -> None:
        try:
            while self._unnoted:  # who comes and goes meanwhile has seen the cards as well
                watchers = set(self._unnoted)
                await self._database.run(marks.note_study, player_ids=watchers, deal=deal)
                self._noted |= watchers
                self._unnoted -= watchers
        finally:
            self._noting = None

    async def find_ghosts(self, room: Room) -> None:
        """Bring the hub the ghosts that a race has, where it has others."""
        if {ghost.racer for ghost in self.hub.ghosts} != set(room.ghosts):
            found = await self._database.run(rosters.read_ghosts, ids=room.ghosts)
            self.hub.set_ghosts(found)
            self._walk_ghosts()

    def _walk_ghosts(self) -> None:
        """Let the ghosts play what is due, and come back for what is next."""
        if self._ghost_timer is not None:
            self._ghost_timer.cancel()
            self._ghost_timer = None
        self.hub.play_ghosts()
        race = self.hub.view.race
        if self._stopped:
            return
        dues = [due for ghost in self.hub.ghosts if (due := ghost.due_ms()) is not None]
        if not dues or race.starts_at is None or race.closed_at is not None:
            return
        wait_ms = max(GHOST_STEP_MS, race.starts_at + min(dues) - clock.now_ms())
        loop = asyncio.get_running_loop()
        self._ghost_timer = loop.call_later(wait_ms / 1000, self._walk_ghosts)

    def arm(self, *, retry: bool = False) -> None:
        """Set the timer for what is due next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._due()
        if due is None or self._stopped:
            return
        wait_ms = max(RETRY_MS if retry else 0, due - clock.now_ms())
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(wait_ms / 1000, self._on_time)

    def stop(self) -> None:
        """Let go of the timers, also of those that a read under way would set."""
        self._stopped = True
        for timer in (self._timer, self._ghost_timer):
            if timer is not None:
                timer.cancel()

    def _due(self) -> int | None:
        view = self.hub.view
        race = view.race
        if race.starts_at is None or race.closed_at is not None:
            return None
        if not view.running:
            return race.starts_at
        if not self.hub.audience.went:
            return clock.now_ms()
        if any(game.outcome is None for game in view.games):
            return race.expires_at
        resigned = [g.finished_ms or 0 for g in view.games if g.outcome == Outcome.RESIGNED]
        if not resigned:
            return clock.now_ms()
        return race.starts_at + max(resigned) + settling.SECOND_THOUGHTS_MS + 1

    def _on_time(self) -> None:
        self._timer = None
        if self.hub.view.running and not self.hub.audience.went:
            self.hub.audience.go()
            self.note_watchers()
            self._walk_ghosts()
            self.arm()
        elif self._settling is None:
            self._settling = asyncio.get_running_loop().create_task(self._settle())

    async def _settle(self) -> None:
        try:
            await self._database.run(settle, self.hub.race_id)
            await self.refresh()
        finally:
            self._settling = None
            self.arm(retry=True)


def settle(race_id: int) -> None:
    """Expire a race that is out of time, and close it if it is over."""
    settling.expire(race_id=race_id)
    settling.close_if_over(race_id=race_id)


def read(known: dict[str, dict[int, int]]) -> list[tuple[Room, dict[int, Actions]]]:
    """Read races and what their logs hold beyond what is known: {race code: {game id: seq}}."""
    rooms = rosters.read_rooms(codes=known)
    behind = {
        row.pk: known[room.race.code].get(row.pk, 0)
        for room in rooms
        for row in room.games
        if row.seq > known[room.race.code].get(row.pk, 0)
    }
    actions = rosters.read_actions(after=behind)
    return [
        (room, {row.pk: actions[row.pk] for row in room.games if row.pk in actions})
        for room in rooms
    ]
