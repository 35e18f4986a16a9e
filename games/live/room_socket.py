"""What one open socket of a race room may say, and what becomes of it."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from django.conf import settings

from games import clock, meters, models, protocol
from games.live import asking
from games.live.connection import CloseCode, Connection, Receive
from games.live.gate import Gate, Verdict
from games.live.hubs import Hubs
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.models import Player
from games.protocol import BadMessage, Fault, Pong, Refused, encode
from games.services.denied import Denial, Denied

logger = logging.getLogger(__name__)

Overhear = Callable[[Callable[[str], None]], None]
"""A server's way to bring texts as they come: see games/protocol/texts.py."""
SYNC_EVERY_MS = 2_000
FAULT_EVERY_MS = 1_000
WAVE_EVERY_MS = 1_000
TURNS = 200
"""Messages that may wait for their turn, where no rate holds them back."""


class RoomSocket:
    """What one open socket may say. It acts for the seat its session had when it connected."""

    def __init__(
        self,
        hubs: Hubs,
        keeper: Keeper,
        connection: Connection,
        player: Player | None,
        game: LiveGame | None,
    ) -> None:
        self._hubs = hubs
        self._keeper = keeper
        self._connection = connection
        self._player = player
        self._game = game
        self._gate = Gate(clock.now_ms()) if settings.LIMITS else None
        self._most_bytes = settings.FRAME_BYTES
        self._synced_ms = self._faulted_ms = self._waved_ms = 0
        self._turns: deque[tuple[protocol.FromClient, int]] = deque()
        """What is being waited for, and what came after it: messages and when they came."""
        self._working: asyncio.Task[None] | None = None

    async def listen(self, receive: Receive, overhear: Overhear | None) -> None:
        """Hear frames until the socket is gone; all that was asked before is done then."""
        if overhear is not None:
            overhear(self.hear)
        while (event := await receive())["type"] != "websocket.disconnect":
            self.hear(event.get("text"), event.get("bytes"))
        if self._working is not None:
            await self._working

    def hear(self, text: str | None, data: bytes | None = None) -> None:
        """Take one frame, a text or bytes. What the room knows by itself is done at once; what has
        to be waited for, and all that comes meanwhile, is done in its turn."""
        now = clock.now_ms()
        if not self._connection.open or self._hubs.doors.closed:
            return
        message = self._admit(text, data, now)
        if message is None or (not self._turns and self._at_once(message, now)):
            return
        self._turns.append((message, now))
        if len(self._turns) > TURNS:
            self._connection.close(CloseCode.TOO_FAST)
        elif self._working is None:
            self._working = asyncio.get_running_loop().create_task(self._work_off())

    def _admit(self, text: str | None, data: bytes | None, now: int) -> protocol.FromClient | None:
        """Read a frame that is neither too large, nor too soon, nor nonsense."""
        size = len(data or b"") if text is None else _size(text)
        if size > self._most_bytes:
            self._fault(Denial.BAD_MESSAGE)
            self._connection.close(CloseCode.TOO_LARGE)
            return None
        if self._gate is not None:
            verdict = self._gate.judge(now)
            if verdict is not Verdict.PASS:
                self._too_fast(verdict, now)
                return None
        try:
            if text is None:
                raise BadMessage("a frame of bytes")
            return protocol.parse(text)
        except BadMessage as bad:
            logger.info("a bad message: %s", bad, extra=self._marks)
            self._fault(Denial.BAD_MESSAGE)
            return None

    async def _work_off(self) -> None:
        while self._turns:
            message, now = self._turns[0]
            try:
                while (game := self._seat) is not None and not game.settled.is_set():
                    await game.settled.wait()
                if not self._at_once(message, now):
                    await self._in_turn(message, now)
            except Denied as denied:
                self._fault(denied.reason)
            except Exception:  # the database, mostly: whoever asked comes back and asks again
                logger.exception("what a socket asked failed", extra=self._marks)
                self._connection.close(CloseCode.TRY_AGAIN)
            finally:
                self._turns.popleft()
        self._working = None

    def _at_once(self, message: protocol.FromClient, now: int) -> bool:
        """Do what needs no waiting; False where it does."""
        match message:
            case protocol.Act():
                return self._act(message, now)
            case protocol.Ping(sent=sent, heard=heard):
                self._connection.heard(heard)
                version = self._keeper.hub.view.version
                self._connection.push(encode(Pong(sent=sent, now=clock.now_ms(), version=version)))
            case protocol.Resign():
                return self._resign(now)
            case protocol.Emote(id=emote):
                self._wave(emote, now)
            case _:
                return False
        return True

    async def _in_turn(self, message: protocol.FromClient, now: int) -> None:
        if isinstance(message, protocol.Sync):
            await self._sync(now)
        else:
            await self._written()
            await self._ask(message)

    async def _written(self) -> None:
        """Wait until what this socket has played before is in the database, where services look."""
        game = self._game
        while game is not None:
            await self._hubs.desk.journal.known(game)
            if game.settled.is_set():
                return
            await game.settled.wait()

    @property
    def _seat(self) -> LiveGame | None:
        """The game this socket plays: none any more once the seat is given up by other ways."""
        game = self._game
        return game if game is not None and game.connection is self._connection else None

    def _act(self, message: protocol.Act, now: int) -> bool:
        game, race = self._seat, self._keeper.hub.view.race
        if game is None:
            self._refuse(message.seq, Denial.NOT_A_RACER)
        elif race.starts_at is None or now < race.starts_at:
            self._refuse(message.seq, Denial.NOT_STARTED)
        elif game.settled.is_set():
            self._hubs.desk.act(self._keeper, game, message.seq, message.code, now - race.starts_at)
        else:
            return False
        return True

    async def _ask(self, message: protocol.FromClient) -> None:
        """Ask a service for a change of the room."""
        if self._player is None:
            raise Denied(Denial.NOT_A_RACER, "A watcher has no say here.")
        request = asking.request(message, self._player, self._keeper.hub.code)
        done = await self._hubs.database.run(request)
        if isinstance(message, protocol.Rematch):
            following = done.code if isinstance(done, models.Race) else None
            self._connection.push(encode(protocol.Race(next=following)))
        if isinstance(message, protocol.Unresign):  # what comes next is judged on it
            await self._keeper.refresh()
        if isinstance(message, protocol.Leave):  # from now on a watcher's socket
            self._hubs.unseat(self._keeper, self._connection, self._game)
            self._game = None
            self._hubs.seat(self._keeper, self._connection, None)

    def _resign(self, now: int) -> bool:
        game, race = self._seat, self._keeper.hub.view.race
        if game is None:
            self._fault(Denial.NOT_A_RACER)
        elif race.starts_at is None or now < race.starts_at:
            self._fault(Denial.NOT_STARTED)
        elif game.settled.is_set():
            self._hubs.desk.resign(self._keeper, game, now - race.starts_at)
        else:
            return False
        return True

    def _wave(self, emote: protocol.EmoteId, now: int) -> None:
        if self._game is None:
            self._fault(Denial.NOT_A_RACER)
        elif settings.LIMITS and now - self._waved_ms < WAVE_EVERY_MS:
            self._fault(Denial.TOO_FAST)
        else:
            self._waved_ms = now
            self._hubs.wave(self._keeper, self._game, emote)

    async def _sync(self, now: int) -> None:
        if settings.LIMITS and now - self._synced_ms < SYNC_EVERY_MS:
            self._fault(Denial.TOO_FAST)
            return
        self._synced_ms = now
        await self._keeper.refresh()
        self._keeper.hub.welcome(self._connection, self._seat)

    @property
    def _marks(self) -> dict[str, object]:
        game = self._game.racer if self._game else None
        player = self._connection.player_id
        return {"race": self._keeper.hub.code, "game": game, "player": player}

    def _too_fast(self, verdict: Verdict, now: int) -> None:
        if verdict is Verdict.HOPELESS:
            logger.warning("a socket was too fast for too long", extra=self._marks)
            self._connection.close(CloseCode.TOO_FAST)
        elif now - self._faulted_ms >= FAULT_EVERY_MS:  # once a second says it well enough
            self._faulted_ms = now
            self._fault(Denial.TOO_FAST)

    def _refuse(self, seq: int, reason: Denial) -> None:
        meters.refused.add(reason)
        self._connection.push(encode(Refused(seq=seq, reason=reason, expected=1)))

    def _fault(self, reason: str) -> None:
        meters.refused.add(reason)
        self._connection.push(encode(Fault(reason=reason)))


def _size(text: str) -> int:
    """Count the bytes of a text; one that isn't Unicode counts as well."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))
