"""Racing clients as a browser is one: an outbox, reconnecting, and a memory of all they were told.

The model is plain: every racer plays a known line to its end. Whatever was acknowledged must be
that line, once, and be there after every resume; all screens must show the same in the end.
"""

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

Frame = dict[str, Any]
AHEAD = 3
"""Actions that a racer sends before the first of them is answered."""

HARMLESS = {"unavailable", "not_started", "not_a_racer", "gap", "stale"}
"""Refusals that a fault explains: the racer asks where it stands and goes on. A seat that another
socket has taken over is `not_a_racer`; a twin's or a lost answer's action `stale`."""


@dataclass
class Screen:
    """One client of a race: a racer with a line to play, or a watcher without one."""

    code: str
    origins: Sequence[str]
    cookies: str
    line: Sequence[str] = ()
    pace_s: float = 0.06
    hop_s: float = 0
    """How long a racer stays with a process before it goes to another; 0: until it must."""
    chance: random.Random = field(default_factory=random.Random)
    racer: int | None = None
    acted: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Acknowledged to this client: seq to (code, at)."""
    shown: dict[int, dict[int, tuple[str, int]]] = field(default_factory=dict)
    """What was announced: racer to seq to (code, at)."""
    closed: Frame | None = None
    closes: list[int] = field(default_factory=list)
    wrongs: list[str] = field(default_factory=list)
    joined: asyncio.Event = field(default_factory=asyncio.Event)
    _sent: int = 0
    _has: int = 0
    _running: bool = False

    async def run(self) -> None:
        """Be in the race until it is closed, whatever happens to the connection."""
        while self.closed is None:
            origin = self.chance.choice(self.origins)
            try:
                async with connect(
                    f"{origin.replace('http', 'ws', 1)}/ws/races/{self.code}/",
                    origin=Origin(origin),
                    subprotocols=[Subprotocol("crescent.1")],
                    additional_headers={"Cookie": self.cookies} if self.cookies else {},
                    compression=None,
                    open_timeout=8,
                    close_timeout=1,
                    ping_interval=None,
                    max_size=None,
                    proxy=None,
                ) as socket:
                    await self._stay(socket)
                    self.closes.append(socket.close_code or 0)
            except (OSError, WebSocketException, TimeoutError, EOFError):
                self.closes.append(0)
            self._running = False
            pause = 0.6 if self.closes[-1] == 4409 else 0.05
            await asyncio.sleep(pause + self.chance.random() * 0.3)

    async def _stay(self, socket: ClientConnection) -> None:
        playing = asyncio.ensure_future(self._play(socket))
        listening = asyncio.ensure_future(self._listen(socket))
        stay = self.hop_s * (0.5 + self.chance.random()) if self.hop_s else None
        try:
            await asyncio.wait(
                {playing, listening}, timeout=stay, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for task in (playing, listening):
                task.cancel()
            done = await asyncio.gather(playing, listening, return_exceptions=True)
            for error in done:
                if isinstance(error, AssertionError | KeyError | TypeError):
                    self.wrongs.append(repr(error))

    async def _play(self, socket: ClientConnection) -> None:
        """Send what comes next, a few ahead of the answers, and a ping every second."""
        beat = 0
        while True:
            await asyncio.sleep(self.pace_s * (0.5 + self.chance.random()))
            beat += 1
            if beat % max(1, int(1 / self.pace_s)) == 0:
                await socket.send('{"type":"ping","sent":1,"heard":0}')
            if self._running and self._sent < min(len(self.line), self._has + AHEAD):
                self._sent += 1
                act = {"type": "act", "seq": self._sent, "code": self.line[self._sent - 1]}
                await socket.send(json.dumps(act))

    async def _listen(self, socket: ClientConnection) -> None:
        silent = 0
        while self.closed is None:
            try:
                async with asyncio.timeout(4):  # not wait_for: 3.11's may lose a cancellation
                    text = await socket.recv()
            except TimeoutError:  # pings are answered: this connection is dead
                silent += 1
                if silent == 2:
                    return
                continue
            silent = 0
            await self._hear(json.loads(text), socket)

    async def _hear(self, frame: Frame, socket: ClientConnection) -> None:
        match frame["type"]:
            case "welcome":
                self._welcome(frame)
            case "go":
                self._running = frame["table"] is not None
            case "acted":
                self._acted(frame)
            case "refused":
                if frame["reason"] not in HARMLESS:
                    self.wrongs.append(f"refused: {frame}")
                self._sent = self._has = max(self.acted, default=0)
                if frame["reason"] != "not_a_racer":
                    await socket.send('{"type":"sync"}')
            case "moved":
                for racer, seq, code, at, *_ in frame["moves"]:
                    self._show(racer, seq, code, at)
            case "closed":
                self.closed = frame

    def _welcome(self, frame: Frame) -> None:
        self.racer, has = frame["you"], frame["seq"]
        if has < max(self.acted, default=0):
            self.wrongs.append(f"welcome has {has}, acknowledged was {max(self.acted)}")
        self._sent = self._has = has
        self._running = frame["table"] is not None and bool(self.line)
        own = frame["logs"].get(str(self.racer), "")
        if self.line and own != "".join(self.line[:has]):
            self.wrongs.append(f"the log of {self.racer} is not what was played")
        self.joined.set()

    def _acted(self, frame: Frame) -> None:
        seq, told = frame["seq"], (frame["code"], frame["at"])
        if self.acted.setdefault(seq, told) != told:
            self.wrongs.append(f"answered anew: {told} after {self.acted[seq]}")
        self._has = max(self._has, seq)

    def _show(self, racer: int, seq: int, code: str, at: int) -> None:
        before = self.shown.setdefault(racer, {})
        if before.setdefault(seq, (code, at)) != (code, at):
            self.wrongs.append(f"announced anew: {racer} {seq} {code} {at} after {before[seq]}")
