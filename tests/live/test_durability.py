"""Durable before acknowledged: the server is killed in the middle of a load, again and again."""

import asyncio
import contextlib
import json
import os
import random
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin, Subprotocol

from games.engine.log import Accepted, GameLog, replay
from tests.support.client import Guest
from tests.support.lines import next_code
from tests.support.rooms import log_of
from tests.support.server import Server
from tests.support.stores import shift_start, stored_games

DEAL = "CR1-N-AAAAAAB"
FULL = os.environ.get("CRESCENT_CHAOS") == "full"
ROUNDS, CLIENTS, RACES = (10, 50, 2) if FULL else (2, 12, 2)
AHEAD = 5
"""How many actions a client has under way."""


@dataclass
class Racer:
    """A browser without a screen: it keeps an outbox as docs/protocol.md tells, and a diary."""

    origin: str
    code: str
    cookies: str
    chance: random.Random
    racer: int = 0
    log: GameLog = field(default_factory=lambda: log_of(DEAL))
    """What it draws: the confirmed log and the outbox on top."""
    outbox: list[tuple[int, str]] = field(default_factory=list)
    acted: dict[int, tuple[int, str]] = field(default_factory=dict)
    """What was acknowledged: seq to (at, code)."""
    heard: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    """What was announced: (racer, seq) to (at, code)."""
    resumed: int = 0
    resent: int = 0
    wrong: list[str] = field(default_factory=list)
    progress: asyncio.Event = field(default_factory=asyncio.Event)
    stopping: bool = False

    async def race(self) -> None:
        """Play until told to stop, coming back after every cut."""
        while not self.stopping:
            with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                async with connect(
                    f"{self.origin.replace('http', 'ws', 1)}/ws/races/{self.code}/",
                    origin=Origin(self.origin),
                    subprotocols=[Subprotocol("crescent.1")],
                    additional_headers={"Cookie": self.cookies},
                    compression=None,
                    proxy=None,
                    open_timeout=10,
                ) as socket:
                    await self.talk(socket)
            await asyncio.sleep(0.05 + self.chance.random() * 0.2)

    async def talk(self, socket: ClientConnection) -> None:
        while not self.stopping or self.outbox:
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
            except TimeoutError:
                continue
            match frame["type"]:
                case "welcome":
                    await self.resume(socket, frame)
                case "acted":
                    self.confirm(frame)
                case "refused" | "fault":
                    self.wrong.append(f"{self.racer}: {frame}")
                case "moved":
                    for racer, seq, code, at, *_ in frame["moves"]:
                        before = self.heard.setdefault((racer, seq), (at, code))
                        if before != (at, code):
                            self.wrong.append(f"{racer}'s {seq} was announced in two ways")
            if frame["type"] in {"welcome", "acted", "go"}:
                await self.play(socket)

    async def resume(self, socket: ClientConnection, welcome: dict[str, Any]) -> None:
        self.racer = welcome["you"]
        if welcome["table"] is None:
            return
        self.resumed += 1
        known = welcome["logs"][str(self.racer)]
        if known != self.log.codes[: len(known)]:
            self.wrong.append(f"{self.racer}: the server has what was never sent")
        if welcome["seq"] < max(self.acted, default=0):
            self.wrong.append(
                f"{self.racer}: an acknowledged action is missing at {welcome['seq']}"
            )
        self.outbox = [item for item in self.outbox if item[0] > welcome["seq"]]
        self.resent += len(self.outbox)
        for seq, code in self.outbox:
            await socket.send(json.dumps({"type": "act", "seq": seq, "code": code}))

    def confirm(self, frame: dict[str, Any]) -> None:
        entry = (frame["at"], frame["code"])
        if self.acted.setdefault(frame["seq"], entry) != entry:
            self.wrong.append(f"{self.racer}'s {frame['seq']} was acknowledged in two ways")
        self.outbox = [item for item in self.outbox if item[0] > frame["seq"]]
        self.progress.set()

    async def play(self, socket: ClientConnection) -> None:
        while len(self.outbox) < AHEAD and not self.stopping:
            offered = self.log.offer(self.log.seq + 1, next_code(self.log, self.chance), 0)
            assert isinstance(offered, Accepted)
            self.log = offered.log
            entry = offered.entry
            self.outbox.append((entry.seq, entry.code))
            await socket.send(json.dumps({"type": "act", "seq": entry.seq, "code": entry.code}))

    async def until_it_goes_on(self) -> None:
        """Wait until something more is acknowledged."""
        self.progress.clear()
        await asyncio.wait_for(self.progress.wait(), 30)


def seat_all(server: Server) -> list[Racer]:
    racers = []
    for number in range(RACES):
        names = [f"Racer {number} {seat}" for seat in range(CLIENTS // RACES)]
        guests = [Guest(server.origin, name) for name in names]
        code = guests[0].open_race(DEAL, seats=len(guests))
        for guest in guests[1:]:
            guest.take_seat(code)
        with guests[0].socket(code) as host:
            host.until("welcome")
            host.send("start")
            host.until("race", lambda frame: frame.get("starts_at"))
        shift_start(server, code, 6_000)
        racers += [
            Racer(server.origin, code, guest._cookies(), random.Random(f"{number} {guest.player}"))
            for guest in guests
        ]
        for guest in guests:
            guest.close()
    return racers


async def test_no_acknowledged_action_is_lost_or_doubled_when_the_server_is_killed(
    own_server: Server,
) -> None:
    racers = await asyncio.to_thread(seat_all, own_server)
    tasks = [asyncio.create_task(racer.race()) for racer in racers]
    try:
        for _ in range(ROUNDS):
            await asyncio.gather(*[racer.until_it_goes_on() for racer in racers])
            await asyncio.sleep(0.5)  # the load itself: let it run
            await asyncio.to_thread(own_server.kill)
            await asyncio.to_thread(own_server.start)
            await asyncio.gather(*[racer.until_it_goes_on() for racer in racers])
        for racer in racers:
            racer.stopping = True
        await asyncio.wait_for(asyncio.gather(*tasks), 30)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert [wrong for racer in racers for wrong in racer.wrong] == []
    assert all(racer.resumed > ROUNDS for racer in racers)
    assert sum(racer.resent for racer in racers) > 0, "no cut fell into an unanswered action"
    assert sum(len(racer.acted) for racer in racers) > ROUNDS * CLIENTS * AHEAD
    own_server.kill()  # what is on the disk now is what counts
    stored: dict[int, dict[str, Any]] = {}
    for code in {racer.code for racer in racers}:
        stored |= stored_games(own_server, code)
    for racer in racers:
        game = stored[racer.racer]
        rows = [tuple(row) for row in game["log"]]
        assert [seq for seq, _, _ in rows] == list(range(1, len(rows) + 1))
        assert [code for _, _, code in rows] == [entry.code for entry in racer.log.entries][
            : len(rows)
        ]
        assert len(rows) == racer.log.seq, "all that was sent is stored in the end"
        for seq, (at, code) in racer.acted.items():
            assert rows[seq - 1] == (seq, at, code)
        log = replay(log_of(DEAL).position.layout, 3, True, [(code, at) for _, at, code in rows])
        assert (game["seq"], game["moves"], game["home"]) == (
            log.seq,
            log.table.moves,
            log.table.home,
        )
        for (other, seq), (at, code) in racer.heard.items():
            assert stored[other]["log"][seq - 1] == [seq, at, code], "announced, so durable"
    assert f"{CLIENTS} games equal their logs" in own_server.manage("verify_games")
