"""What a process knows of a room while reads and news of it cross: no socket, no database."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from games import clock
from games.engine.log import Accepted
from games.live import keeper as keepers
from games.live import relay, session
from games.live.connection import Connection
from games.live.hub import Hub, move_of
from games.live.hubs import HEAL_S, Hubs
from games.live.journal import Pending
from games.live.keeper import OTHERS_S, Keeper
from games.live.socket import _serve
from games.models import Deal, Game, Player, Race
from games.services import deals, marks, news, rosters
from games.services.rosters import Actions, Room
from tests.support.lines import legal_line, solved_deal


def room(*players: int) -> Room:
    """Make the room of a race that runs."""
    people = [Player(pk=player, name=f"Player {player}") for player in players]
    deal = Deal(pk=1, code="CR1-N-AAAAAAB", kind="N", layout=solved_deal()[0], created_at=1)
    race = Race(pk=1, code="RACE", deal=deal, host=people[0], seats=2, created_at=1)
    race.starts_at = clock.now_ms() - 1_000
    race.version = len(players)
    return Room(race, tuple(Game(pk=one.pk, race=race, player=one) for one in people))


class SlowDatabase:
    """Reads the room as it is when asked, and answers when it is let."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.waiting: list[asyncio.Future[None]] = []
        self.openings = 0
        self.asked: list[Callable[..., Any]] = []

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        found: Any = []
        self.asked.append(work)
        if work is deals.at_play_elsewhere:  # there is no other race
            return {race.pk: set() for race in kwargs["readers"]}
        if work is session.visitor_of:
            found = (None, "")
        elif work is rosters.read_room:
            found = self.room
            self.openings += 1
        elif work is keepers.read:
            actions: dict[int, Actions] = {}
            found = [(replace(self.room), actions)]
        self.waiting.append(asyncio.get_running_loop().create_future())
        await self.waiting[-1]
        return found

    async def answer(self) -> None:
        """Answer what has been asked until now, and let that be worked on."""
        waiting, self.waiting = self.waiting, []
        for one in waiting:
            one.set_result(None)
        await settle()

    def stop(self) -> None:
        """Nothing to stop."""


async def settle() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


@pytest.fixture
async def hubs() -> AsyncIterator[Hubs]:
    made = Hubs()
    made.database.stop()
    made.database = SlowDatabase(room(1))  # type: ignore[assignment]
    news.listen(made._on_news)
    yield made
    await made.stop()


def database(hubs: Hubs) -> SlowDatabase:
    assert isinstance(hubs.database, SlowDatabase)
    return hubs.database


async def opened(hubs: Hubs) -> Keeper:
    """Let a process open the room."""
    opening = asyncio.create_task(hubs.keeper("RACE"))
    for _ in range(3):
        await settle()
        await database(hubs).answer()
    keeper = opening.result()
    assert keeper is not None
    return keeper


async def test_who_takes_a_seat_while_the_room_is_read_is_not_let_in_as_a_watcher(
    hubs: Hubs,
) -> None:
    slow = database(hubs)
    first = asyncio.create_task(hubs.keeper("RACE"))
    await settle()
    await slow.answer()  # there is such a race
    slow.room = room(1, 2)  # the second read is under way, and has not seen this
    second = asyncio.create_task(hubs.keeper("RACE"))
    while not (first.done() and second.done()):
        await settle()
        await slow.answer()
    keeper = second.result()
    assert keeper is not None
    assert keeper is first.result()
    assert keeper.hub.game_of(2) is not None


@pytest.mark.parametrize("how", ["here", "elsewhere"])
async def test_news_of_a_room_that_is_being_read_is_not_missed(hubs: Hubs, how: str) -> None:
    slow = database(hubs)
    opening = asyncio.create_task(hubs.keeper("RACE"))
    await settle()
    await slow.answer()
    slow.room = room(1, 2)
    if how == "here":
        hubs._changed("RACE")
    else:
        hubs._hear("another", relay.Changed("RACE"))
    for _ in range(6):
        await settle()
        await slow.answer()
    keeper = opening.result()
    assert keeper is not None
    assert keeper.hub.game_of(2) is not None


async def test_a_socket_that_goes_while_the_room_is_read_leaves_one_room_not_two(
    hubs: Hubs,
) -> None:
    slow = database(hubs)
    gone = asyncio.create_task(hubs.keeper("RACE"))
    await settle()
    gone.cancel()
    await settle()
    comers = [asyncio.create_task(hubs.keeper("RACE")) for _ in range(2)]
    for _ in range(8):
        await settle()
        await slow.answer()
    assert comers[0].result() is comers[1].result()
    assert slow.openings == 1


async def test_of_two_claims_in_one_millisecond_exactly_one_falls() -> None:
    async def send(event: dict[str, Any]) -> None:
        pass

    both = []
    for _ in range(2):
        hub = Hub(room(1), {})
        game = hub.game(1)
        assert game is not None
        hub.join(Connection(send, 1), game)
        game.claim = 1_000
        both.append((hub, game))
    kept = [
        not hub.seated_elsewhere(1, 1_000, wins_tie=wins)
        for (hub, _), wins in zip(both, (True, False), strict=True)
    ]
    assert kept == [False, True]
    assert [game.connection is None for _, game in both] == [True, False]


async def test_who_is_seated_elsewhere_before_their_row_is_read_is_online_once_it_is() -> None:
    hub = Hub(room(1), {})
    for racer in (2, 3):
        assert hub.seated_elsewhere(racer, clock.now_ms(), wins_tie=True)
    hub.gone_elsewhere(3)
    hub.absorb(room(1, 2, 3), {}, hub.tick)
    online = [game.online(clock.now_ms()) for game in map(hub.game, (2, 3)) if game is not None]
    assert online == [True, False]


async def test_a_process_that_opens_a_room_is_told_who_is_there(
    hubs: Hubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[relay.News] = []
    monkeypatch.setattr(hubs.relay, "tell", said.append)
    keeper = await opened(hubs)
    assert said == [relay.Opened("RACE")]

    async def send(event: dict[str, Any]) -> None:
        pass

    game = keeper.hub.game(1)
    assert game is not None
    hubs.seat(keeper, Connection(send, 1), game)
    seated = relay.Seated("RACE", 1, game.claim)
    hubs._hear("another", relay.Opened("RACE"))
    # What was played before the other is heard of it reads once more, as it is told of a change.
    assert said[1:] == [seated, relay.Changed("RACE"), seated]


@pytest.mark.parametrize("news", [relay.Opened("RACE"), relay.Here(("OTHER", "RACE"))])
async def test_others_are_taken_to_have_a_race_for_a_while_after_they_have_said_so(
    hubs: Hubs, monkeypatch: pytest.MonkeyPatch, news: relay.News
) -> None:
    keeper = await opened(hubs)
    assert not keeper.has_others
    hubs._hear("another", relay.Here(("OTHER",)))
    assert not keeper.has_others
    hubs._hear("another", news)
    assert keeper.has_others
    heard_s = clock.elapsed_s()
    monkeypatch.setattr(clock, "elapsed_s", lambda: heard_s + 2 * HEAL_S)
    assert keeper.has_others  # one of its sayings may be lost
    monkeypatch.setattr(clock, "elapsed_s", lambda: heard_s + OTHERS_S + 1)
    assert not keeper.has_others


async def test_what_is_played_is_told_to_whoever_has_the_race_too(
    hubs: Hubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[relay.News] = []
    monkeypatch.setattr(hubs.relay, "tell", said.append)
    keeper = Keeper(Hub(room(1, 2), {}), hubs.database)
    game = keeper.hub.game(1)
    assert game is not None
    for seq, code in enumerate(legal_line(game.log, 2), 1):
        accepted = game.offer(seq, code, seq)
        assert isinstance(accepted, Accepted)
        pending = Pending(keeper, game, seq - 1, accepted.log, [accepted.entry])
        hubs.desk.written([pending])
        keeper.note_others()
    assert said == [relay.Moves("RACE", [move_of(game, game.log.entry(2))])]
    keeper.stop()


async def test_a_read_that_ends_after_its_room_was_let_go_holds_it_no_longer(hubs: Hubs) -> None:
    slow = database(hubs)
    keeper = await opened(hubs)
    reading = asyncio.create_task(keeper.refresh())
    await settle()
    keeper.stop()
    hubs._keepers.clear()
    while not reading.done():
        await slow.answer()
        await settle()
    slow.asked.clear()
    held = weakref.ref(keeper)
    del keeper, reading
    await settle()
    gc.collect()
    assert held() is None


async def test_who_came_or_went_elsewhere_is_not_forgotten_until_the_row_has_it() -> None:
    before = room(1, 2)
    hub = Hub(before, {})
    game = hub.game(2)
    assert game is not None
    assert hub.seated_elsewhere(2, clock.now_ms(), wins_tie=True)
    hub.absorb(before, {}, hub.tick)  # a read that is older than the row's next write
    assert game.online(clock.now_ms())
    seen = clock.now_ms()
    await asyncio.sleep(0.002)
    hub.gone_elsewhere(2)
    after = room(1, 2)
    after.games[1].seen_at = seen
    hub.absorb(after, {}, hub.tick)
    assert not game.online(clock.now_ms())


async def test_a_room_that_is_let_go_while_somebody_comes_is_not_there_twice(
    hubs: Hubs, settings: Any
) -> None:
    settings.KEEP_MS = -1
    slow = database(hubs)
    scope = {"headers": [], "url_route": {"kwargs": {"code": "race"}}}
    events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def send(event: dict[str, Any]) -> None:
        pass

    opening = asyncio.create_task(hubs.keeper("RACE"))
    for _ in range(3):
        await settle()
        await slow.answer()
    assert opening.done()
    comers = [asyncio.create_task(_serve(hubs, scope, events.get, send))]
    await settle()
    await slow.answer()  # who it is; now the room is being read for them
    hubs._heal_now()
    await hubs._heal()
    assert hubs.live == 0
    comers.append(asyncio.create_task(_serve(hubs, scope, events.get, send)))
    for _ in range(8):
        await settle()
        await slow.answer()
    keeper = hubs._keepers["RACE"]
    assert keeper.hub.audience.connections == set(hubs.doors.sockets)
    assert len(hubs.doors.sockets) == 2
    for _ in comers:
        events.put_nowait({"type": "websocket.disconnect"})
    await asyncio.gather(*comers)


async def test_who_watches_cards_is_known_to_from_zero_on_or_from_when_they_get_them(
    hubs: Hubs,
) -> None:
    async def send(event: dict[str, Any]) -> None:
        pass

    slow = database(hubs)
    race = slow.room.race
    race.openness, race.starts_at = "cards", clock.now_ms() + 60_000
    opening = asyncio.create_task(hubs.keeper("RACE"))
    for _ in range(3):
        await settle()
        await slow.answer()
    keeper = opening.result()
    assert keeper is not None
    hubs.seat(keeper, Connection(send, 8), None)
    await settle()
    assert marks.note_study not in slow.asked
    race.starts_at = clock.now_ms()
    keeper._on_time()
    await settle()
    assert slow.asked.pop() is marks.note_study
    await slow.answer()
    keeper.hub.audience.elsewhere.add(9)  # who is at a game on these cards elsewhere
    hubs.seat(keeper, Connection(send, 9), None)
    await settle()
    assert marks.note_study not in slow.asked
    keeper.hear_elsewhere({9}, set(), keeper.hub.elsewhere.begun)
    await settle()
    assert slow.asked.pop() is marks.note_study


async def test_the_end_of_a_session_is_told_again_where_the_layer_was_away() -> None:
    class Layer:
        def __init__(self) -> None:
            self.is_away = True
            self.told: list[str] = []

        async def group_send(self, group: str, message: dict[str, str]) -> None:
            if self.is_away:
                raise OSError
            self.told.append(message["text"])

    heard: list[relay.News] = []
    told = relay.Relay(lambda _, news: heard.append(news), lambda: None)
    layer = told._layer = Layer()
    ended = relay.Ended(1, "mark", others=False)
    told.tell(relay.Changed("RACE"))
    told.tell(ended)
    with pytest.raises(OSError):
        await told._send()
    assert not told._said.is_set()
    layer.is_away = False
    await told._send()
    await told.said()
    assert [relay._decode(text) for text in layer.told] == [[ended]]
