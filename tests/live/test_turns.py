"""What comes while something is waited for keeps its turn: no socket, no database."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from games.live.connection import Connection
from games.live.hub import Hub
from games.live.hubs import Hubs
from games.live.keeper import Keeper
from games.live.live_game import LiveGame
from games.live.room_socket import TURNS, RoomSocket
from games.models import Player
from games.services import news
from tests.live.test_crossings import SlowDatabase, room, settle


class Visit:
    """A racer's socket in a room whose database answers when it is let."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self.hubs = Hubs()
        news.listen(self.hubs._on_news)
        self.hubs.database.stop()
        here = room(1)  # once: it has the time of day in it
        self.slow = SlowDatabase(here)
        self.hubs.database = cast("Any", self.slow)
        self.keeper = Keeper(Hub(here, {}), cast("Any", self.slow))
        self.connection = Connection(self.send, 1)
        game = self.keeper.hub.game_of(1)
        assert game is not None
        self.game: LiveGame = game
        self.keeper.hub.join(self.connection, game)
        player = Player(pk=1, name="Minh")
        self.socket = RoomSocket(self.hubs, self.keeper, self.connection, player, game)

    async def send(self, event: dict[str, Any]) -> None:
        self.said.append(json.loads(event["text"]) if "text" in event else event)

    def kinds(self) -> list[str]:
        return [word["type"] for word in self.said if word["type"] != "racer"]

    async def hear(self, **message: Any) -> None:
        self.socket.hear(json.dumps(message))
        await settle()

    async def ping(self) -> None:
        await self.hear(type="ping", sent=1, heard=0)


@pytest.fixture
async def visit() -> AsyncIterator[Visit]:
    made = Visit()
    await settle()
    made.said.clear()
    yield made
    made.keeper.stop()
    await made.hubs.stop()


async def test_what_the_room_knows_by_itself_is_done_at_once(visit: Visit) -> None:
    visit.socket.hear(json.dumps({"type": "ping", "sent": 1, "heard": 0}))
    visit.socket.hear(json.dumps({"type": "act", "seq": 9, "code": "ab"}))
    await settle()
    assert visit.kinds() == ["pong", "refused"]


async def test_a_ping_does_not_overtake_what_is_waited_for(visit: Visit) -> None:
    await visit.hear(type="sync")
    await visit.ping()
    assert visit.kinds() == []
    await visit.slow.answer()
    assert visit.kinds() == ["welcome", "pong"]
    await visit.ping()
    assert visit.kinds() == ["welcome", "pong", "pong"]


async def test_an_action_waits_until_its_game_is_settled(visit: Visit) -> None:
    visit.game.settled.clear()
    await visit.hear(type="act", seq=9, code="ab")
    await visit.ping()
    assert visit.kinds() == []
    visit.game.settled.set()
    await settle()
    assert visit.kinds() == ["refused", "pong"]


async def test_a_resignation_waits_until_its_game_is_settled(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    resigned: list[LiveGame] = []
    monkeypatch.setattr(visit.hubs.desk, "resign", lambda _, game, __: resigned.append(game))
    visit.game.settled.clear()
    await visit.hear(type="resign")
    assert not resigned
    visit.game.settled.set()
    await settle()
    assert resigned == [visit.game]


async def test_a_game_that_is_unsettled_again_is_waited_for_again(visit: Visit) -> None:
    visit.game.settled.clear()
    await visit.hear(type="act", seq=9, code="ab")
    visit.game.settled.set()
    visit.game.settled.clear()  # before who waited has had a turn
    await settle()
    assert visit.kinds() == []
    visit.game.settled.set()
    await settle()
    assert visit.kinds() == ["refused"]


async def test_what_fails_closes_the_socket_and_is_not_waited_for_again(visit: Visit) -> None:
    await visit.hear(type="sync")
    await visit.ping()
    (waiting,) = visit.slow.waiting
    waiting.set_exception(OSError("the database is away"))
    await settle()
    assert visit.said[-1] == {"type": "websocket.close", "code": 1013}
    assert not visit.connection.open


async def test_who_never_waits_for_an_answer_is_closed(visit: Visit) -> None:
    visit.socket._gate = None
    await visit.hear(type="sync")
    for _ in range(TURNS):
        visit.socket.hear(json.dumps({"type": "ping", "sent": 1, "heard": 0}))
    await settle()
    assert visit.said[-1] == {"type": "websocket.close", "code": 4429}


async def test_a_socket_ends_when_what_it_asked_is_done(visit: Visit) -> None:
    events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    listening = asyncio.create_task(visit.socket.listen(events.get, None))
    events.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": "sync"})})
    events.put_nowait({"type": "websocket.disconnect"})
    await settle()
    assert not listening.done()
    await visit.slow.answer()
    assert listening.done()


async def test_texts_may_be_brought_as_they_come(visit: Visit) -> None:
    bring: list[Any] = []
    listening = asyncio.create_task(visit.socket.listen(asyncio.Event().wait, bring.append))  # type: ignore[arg-type]
    await settle()
    bring[0](json.dumps({"type": "ping", "sent": 7, "heard": 0}))
    await settle()
    assert visit.said[-1]["sent"] == 7
    listening.cancel()
