"""The hubs of this process: opened when a socket comes, kept right by relay, news and clock."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.conf import settings

from games import clock
from games.live import relay
from games.live.connection import Connection
from games.live.database import Database
from games.live.desk import Desk
from games.live.doors import Doors
from games.live.hub import Hub
from games.live.keeper import Keeper, read
from games.live.live_game import LiveGame
from games.live.presence import Presence
from games.live.relay import Relay
from games.protocol import Emoted, EmoteId
from games.services import deals, news, rosters, settling

logger = logging.getLogger(__name__)

HEAL_S = 5
SWEEP_S = 15
COMMIT_S = 5
LAST_WORDS_S = 2


class Hubs:
    """Everything that a process keeps live. Made on its event loop; `start` it once."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.doors = Doors()
        self.database = Database("live", threads=2)
        self.relay = Relay(self._hear, self._heal_now)
        self.desk = Desk(self.relay, self._spawn)
        self.presence = Presence(self.database, self._seated_here)
        self._keepers: dict[str, Keeper] = {}
        self._opening: dict[str, asyncio.Task[Keeper | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._heal_wake = asyncio.Event()

    async def start(self) -> None:
        """Begin to listen to the other processes and to look after what is live."""
        await self.relay.start()
        news.listen(self._on_news)
        for step in (self._heal, self._sweep, self.presence.keep, self.presence.keep_soon):
            self._spawn(self._repeat(step))

    async def drain(self) -> None:
        """Take nothing more, finish the commit that runs, and send everybody to another process;
        each step in its time, for whoever asked will not wait for ever."""
        self.doors.close()
        await self._in_time(self.desk.journal.idle(), COMMIT_S)
        self.doors.send_away()
        await self._in_time(self.relay.said(), LAST_WORDS_S)
        await self._in_time(self.doors.empty(), LAST_WORDS_S)

    async def _in_time(self, step: Awaitable[None], seconds: float) -> None:
        try:
            await asyncio.wait_for(step, seconds)
        except TimeoutError:
            logger.warning("Not all could be finished in %s s before the end", seconds)

    async def stop(self) -> None:
        """Let go of everything; for tests: a process that ends needs no goodbye."""
        news.stop_listening(self._on_news)
        for keeper in self._keepers.values():
            keeper.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.desk.journal.stop()
        await self.relay.stop()
        self.database.stop()

    @property
    def live(self) -> int:
        """How many races are held in memory."""
        return len(self._keepers)

    # --- Rooms ---------------------------------------------------------------------------------

    async def keeper(self, code: str) -> Keeper | None:
        """Return the keeper of a race's hub, opening it if need be; None where there is no such
        race. What the hub knows was read after this call began."""
        keeper = self._keepers.get(code)
        if keeper is None and code not in self._opening:
            opening = self._opening[code] = self._loop.create_task(self._open(code))
            opening.add_done_callback(lambda _: self._opening.pop(code, None))
            return await asyncio.shield(opening)
        if keeper is None:  # it may have been read before this call began: read it again
            keeper = await asyncio.shield(self._opening[code])
        if keeper is not None:
            await keeper.refresh()
        return keeper

    async def _open(self, code: str) -> Keeper | None:
        if await self.database.run(rosters.read_room, code=code) is None:
            return None
        ((room, actions),) = await self.database.run(read, {code: {}})
        keeper = self._keepers[code] = Keeper(Hub(room, actions), self.database)
        self.relay.tell(relay.Opened(code))
        await keeper.find_ghosts(room)
        return keeper

    def holds(self, keeper: Keeper) -> bool:
        """Tell whether a keeper is still its race's: a room that nobody was in may have been let go
        since it was asked for."""
        return self._keepers.get(keeper.hub.code) is keeper

    def seat(self, keeper: Keeper, connection: Connection, game: LiveGame | None) -> None:
        """Let a socket into a room, and tell the other processes if it takes a seat."""
        keeper.hub.join(connection, game)
        keeper.note_watchers()
        if game is not None:
            self.presence.came(game.racer)
            self._tell_seated(keeper.hub, game)

    def unseat(self, keeper: Keeper, connection: Connection, game: LiveGame | None) -> None:
        """Let a socket go."""
        if keeper.hub.leave(connection, game) and game is not None:
            self.presence.went(game.racer)
            self.relay.tell(relay.Gone(keeper.hub.code, game.racer))

    def wave(self, keeper: Keeper, game: LiveGame, emote: EmoteId) -> None:
        """Show everybody in the race that a racer waves."""
        keeper.hub.audience.push(Emoted(racer=game.racer, id=emote))
        self.relay.tell(relay.Waved(keeper.hub.code, game.racer, emote))

    # --- News ----------------------------------------------------------------------------------

    def _on_news(self, event: news.Event) -> None:
        """Hear of a commit, on whatever thread it was made."""
        match event:
            case news.RaceChanged(race_code=code):
                self._loop.call_soon_threadsafe(self._changed, code)
            case news.GamesBegan(race_code=code, deal_code=deal, players=players):
                began = relay.Began(code, deal, players)
                self._loop.call_soon_threadsafe(self._began, began)
            case news.SessionsEnded(player_id=player, mark=mark, others=others):
                ended = relay.Ended(player, mark, others)
                self._loop.call_soon_threadsafe(self._ended, ended)

    def _ended(self, told: relay.Ended) -> None:
        self.relay.tell(told)
        self._end(told)

    def _end(self, told: relay.Ended) -> None:
        self.doors.end_sessions(told.player, told.mark, others=told.others)

    def _began(self, told: relay.Began) -> None:
        self.relay.tell(told)
        self._begin(told)

    def _begin(self, told: relay.Began) -> None:
        for code, keeper in self._keepers.items():
            if code != told.code:
                keeper.hub.elsewhere.hear_began(told.deal, told.players)

    def _changed(self, code: str) -> None:
        self.relay.tell(relay.Changed(code))
        self._refresh(code)

    def _refresh(self, code: str) -> None:
        if code in self._keepers or code in self._opening:
            self._spawn(self._logged(lambda: self._read_again(code)))

    async def _read_again(self, code: str) -> None:
        await self.keeper(code)

    def _hear(self, sender: str, told: relay.News) -> None:
        if isinstance(told, relay.Ended):
            self._end(told)
        elif isinstance(told, relay.Began):
            self._begin(told)
        elif isinstance(told, relay.Here):
            for code in self._keepers.keys() & told.codes:
                self._keepers[code].note_others()
        elif keeper := self._keepers.get(told.code):
            self._hear_of(keeper, sender, told)
        else:
            self._refresh(told.code)  # it may be opening, with what was read before this news

    def _hear_of(self, keeper: Keeper, sender: str, told: relay.News) -> None:
        keeper.note_others()
        match told:
            case relay.Moves(moves=moves):
                if not keeper.hub.hear_moves(moves):
                    self._refresh(keeper.hub.code)
            case relay.Changed():
                self._refresh(keeper.hub.code)
            case relay.Seated(racer=racer, claim=claim):
                wins_tie = sender > self.relay.me
                if not keeper.hub.seated_elsewhere(racer, claim, wins_tie=wins_tie):
                    game = keeper.hub.game(racer)
                    assert game is not None
                    self._tell_seated(keeper.hub, game)
            case relay.Opened():
                # It is told what is played from now on; what was until now it reads once more.
                self.relay.tell(relay.Changed(keeper.hub.code))
                for game in keeper.hub.view.games:
                    if game.connection is not None:
                        self._tell_seated(keeper.hub, game)
            case relay.Waved(racer=racer, id=emote):
                keeper.hub.audience.push(Emoted(racer=racer, id=emote))
            case relay.Gone(racer=racer):
                keeper.hub.gone_elsewhere(racer)

    def _tell_seated(self, hub: Hub, game: LiveGame) -> None:
        self.relay.tell(relay.Seated(hub.code, game.racer, game.claim))

    # --- Looking after -------------------------------------------------------------------------

    def _heal_now(self) -> None:
        self._heal_wake.set()

    async def _heal(self) -> None:
        """Read again what is live here, in one query, and announce what was missed; let go of
        races that nobody has been in for a while (the setting KEEP_MS)."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._heal_wake.wait(), HEAL_S)
        self._heal_wake.clear()
        await self.relay.mend()
        for code, keeper in list(self._keepers.items()):
            hub = keeper.hub
            if (
                not hub.audience.connections
                and clock.now_ms() - hub.idle_since_ms > settings.KEEP_MS
            ):
                keeper.stop()
                del self._keepers[code]
        ticks = {code: keeper.hub.tick for code, keeper in self._keepers.items()}
        known = {code: keeper.hub.known() for code, keeper in self._keepers.items()}
        if not known:
            return
        self.relay.tell(relay.Here(tuple(known)))
        await self._ask_elsewhere()
        for room, actions in await self.database.run(read, known):
            live = self._keepers.get(room.race.code)
            if live is not None:
                live.absorb(room, actions, ticks[room.race.code])

    async def _ask_elsewhere(self) -> None:
        """Ask, in one query, which readers of all that is live are at play elsewhere."""
        asked = [
            (keeper, room.begun, readers)
            for keeper in self._keepers.values()
            if (readers := (room := keeper.hub.elsewhere).readers())
        ]
        if asked:
            readers_of = {keeper.hub.elsewhere.race: readers for keeper, _, readers in asked}
            found = await self.database.run(deals.at_play_elsewhere, readers=readers_of)
            for keeper, begun, readers in asked:
                keeper.hear_elsewhere(readers, found[keeper.hub.race_id], begun)

    async def _sweep(self) -> None:
        """Settle races that are overdue wherever their sockets are, or were."""
        await asyncio.sleep(SWEEP_S)
        await self.database.run(settling.settle_overdue)

    def _seated_here(self) -> list[int]:
        return [
            game.racer
            for keeper in self._keepers.values()
            for game in keeper.hub.view.games
            if game.connection is not None
        ]

    def _spawn(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            if not await self._logged(step):
                await asyncio.sleep(1)

    async def _logged(self, step: Callable[[], Awaitable[None]]) -> bool:
        """Do something that will be tried again anyway; what fails is logged."""
        try:
            await step()
        except Exception:
            logger.exception("%s failed and will be tried again", step)
            return False
        return True
