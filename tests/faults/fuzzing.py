"""Real messages of a race, malformed, mutated and out of order, from sockets that keep coming back.

python -m tests.faults.fuzzing --messages 100000 [--server uvicorn]
"""

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import django
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crescent_site.settings")
django.setup()

from games import protocol  # noqa: E402 -- after the settings
from tests.support.client import Guest, RaceSocket, close_all  # noqa: E402
from tests.support.lines import winning_line  # noqa: E402
from tests.support.rooms import Running, running  # noqa: E402
from tests.support.server import Server  # noqa: E402

DEAL = "CR1-N-AAAAAAB"
KNOWN = {message.__struct_config__.tag for message in protocol.FromServer.__args__}
WAVE = 40
"""Messages that a socket sends before it waits until all of them are answered for."""
DEADLY = 1 / 20
"""How often a wave ends with a frame that no server takes: too long, or no UTF-8."""
LONGEST = 4_096
A_RACE = 1_500
"""Messages to a race before another takes its place: by then somebody has resigned, or won."""
ODD_CLOSES = {1002, 1006, 1007, 1009}
"""What such a frame may be closed with (daphne hangs up on some); any other close is a fault."""

Text = str | bytes
Mutation = Callable[[random.Random, Text, list[str]], Text]


def real_messages(racer: int, game: int) -> list[str]:
    """Give what browsers say in a race: its moves in order, and all that goes on around them."""
    acts: list[dict[str, object]] = [
        {"type": "act", "seq": seq, "code": code}
        for seq, code in enumerate(winning_line(DEAL), start=1)
    ]
    around: list[dict[str, object]] = [
        {"type": "ping", "sent": 1, "heard": 1},
        {"type": "ready", "ready": True},
        {"type": "start"},
        {"type": "call_off"},
        {"type": "options", "seats": 9, "openness": "cards", "undo": False},
        {"type": "host", "racer": racer},
        {"type": "kick", "racer": racer},
        {"type": "leave"},
        {"type": "sync"},
        {"type": "rematch", "agree": True},
        {"type": "emote", "id": "wave"},
        {"type": "ghost", "game": game},
        {"type": "resign"},
        {"type": "unresign"},
    ]
    return [json.dumps(message) for message in [*acts, *around]]


def _flip(chance: random.Random, text: Text, real: list[str]) -> Text:
    data = bytearray(_bytes(text))
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _cut(chance: random.Random, text: Text, real: list[str]) -> Text:
    return text[: chance.randrange(len(text))]


def _splice(chance: random.Random, text: Text, real: list[str]) -> Text:
    other = _bytes(chance.choice(real))
    data = _bytes(text)
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)) :]


def _double(chance: random.Random, text: Text, real: list[str]) -> Text:
    return text + text if isinstance(text, str) else text


def _pad(chance: random.Random, text: Text, real: list[str]) -> Text:
    """Near the longest frame that is taken, or beyond it."""
    return _bytes(text) + b" " * chance.choice([2_000, 4_000, 4_090, 5_000, 70_000])


def _retype(chance: random.Random, text: Text, real: list[str]) -> Text:
    """Put a value of another kind, or of another message, into a field."""
    message = json.loads(text)
    values: list[object] = [
        None,
        True,
        -1,
        0,
        2**31,
        2**63,
        10**30,
        1.5,
        "",
        "S+",
        "\x00",
        "🂡",
        [],
        {},
        [[]],
    ]
    name = chance.choice(sorted(message))
    message[name] = chance.choice([*values, *json.loads(chance.choice(real)).values()])
    return json.dumps(message, ensure_ascii=chance.random() < 0.5)


def _rename(chance: random.Random, text: Text, real: list[str]) -> Text:
    message = json.loads(text)
    message["type"] = json.loads(chance.choice(real))["type"]
    return json.dumps(message)


def _renumber(chance: random.Random, text: Text, real: list[str]) -> Text:
    message = json.loads(text)
    if "seq" in message:
        message["seq"] = max(0, message["seq"] + chance.randint(-3, 3))
    return json.dumps(message)


def _nest(chance: random.Random, text: Text, real: list[str]) -> Text:
    return b"[" * chance.randint(1, 2_000) + _bytes(text)


def _as_it_is(chance: random.Random, text: Text, real: list[str]) -> Text:
    return text


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _cut, _splice, _double, _pad, _retype, _retype, _retype, _rename, _renumber),
    *(_nest, *[_as_it_is] * 10),
)


def _bytes(text: Text) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@dataclass
class Stand:
    """Where a socket's game stands: the seq that the server takes next."""

    expected: int = 1


def waves(chance: random.Random, real: list[str], stand: Stand) -> Iterator[list[Text]]:
    """Give messages without end: the moves that come next and others, out of order here and there,
    mutated here and there; what is deadly comes last."""
    while True:
        at = max(0, stand.expected - 1)
        wave = real[at : at + WAVE // 2] + chance.choices(real, k=WAVE // 2)
        if chance.random() < 0.3:
            chance.shuffle(wave)
        mutated = [chance.choice(MUTATIONS)(chance, text, real) for text in wave][:WAVE]
        deadly = [text for text in mutated if _is_deadly(text)]
        kept = [_tamed(text) if _is_deadly(text) else text for text in mutated]
        yield kept + (deadly[:1] if chance.random() < DEADLY else [])


def _is_deadly(text: Text) -> bool:
    data = _bytes(text)
    return len(data) > LONGEST or data.decode(errors="ignore").encode() != data


def _tamed(text: Text) -> Text:
    return _bytes(text)[:LONGEST].decode(errors="ignore")


@dataclass
class Fuzzer:
    """Sends to one server until so many messages are sent; keeps what came back and what is wrong
    with it."""

    server: Server
    chance: random.Random
    sent: int = 0
    frames: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    closes: Counter[int] = field(default_factory=Counter)
    wrongs: list[str] = field(default_factory=list)

    async def run(self, messages: int) -> None:
        """Fuzz one race after the other, with a racer, a rival, a lobby's host and a watcher."""
        while self.sent < messages:
            race = await asyncio.to_thread(running, self.server, DEAL)
            lobby = await asyncio.to_thread(race.guests[0].open_race, "CR1-N-AAAAAAD", seats=9)
            watcher = await asyncio.to_thread(Guest, self.server.origin)
            real = real_messages(race.racers[1], race.racers[0])
            until = min(messages, self.sent + A_RACE)
            await asyncio.gather(
                self._attack(race.code, race.guests[0]._cookies(), real, until),
                self._attack(lobby, race.guests[0]._cookies(), real, until),
                self._attack(race.code, watcher._cookies(), real, until),
            )
            await asyncio.to_thread(self._judge, race)
            await asyncio.to_thread(close_all)

    async def _attack(self, code: str, cookies: str, real: list[str], until: int) -> None:
        stand = Stand()
        wave = waves(self.chance, real, stand)
        while self.sent < until:
            async with connect(
                f"{self.server.origin.replace('http', 'ws', 1)}/ws/races/{code}/",
                origin=Origin(self.server.origin),
                subprotocols=[Subprotocol("crescent.1")],
                additional_headers={"Cookie": cookies} if cookies else {},
                compression=None,
                ping_interval=None,
                max_size=None,
                close_timeout=2,
                proxy=None,
            ) as socket:
                while self.sent < until and await self._send(socket, stand, next(wave)):
                    pass
            self.closes[int(socket.close_code or 0)] += 1

    async def _send(self, socket: ClientConnection, stand: Stand, wave: list[Text]) -> bool:
        """Send a wave and hear all that it leads to; False where it was the end of the socket."""
        deadly = _is_deadly(wave[-1])
        try:
            for text in wave:
                await socket.send(text, text=deadly or self.chance.random() < 0.95)
            await socket.send('{"type":"ping","sent":123456789,"heard":0}')
            async with asyncio.timeout(20):
                while self._hear(await socket.recv(), stand):
                    pass
        except WebSocketException:
            if not deadly or socket.close_code not in ODD_CLOSES:
                self.wrongs.append(f"closed with {socket.close_code} after {wave}"[:2_000])
            return False
        self.sent += len(wave)
        if deadly:
            self.wrongs.append(f"taken: {wave[-1]!r}"[:200])
        return True

    def _hear(self, text: Text, stand: Stand) -> bool:
        """Judge a frame; False for the answer to the wave's last ping."""
        frame = json.loads(text)
        self.frames[frame["type"]] += 1
        if frame["type"] not in KNOWN:
            self.wrongs.append(f"no frame of the protocol: {frame}")
        if frame["type"] in {"fault", "refused"}:
            self.reasons[frame["reason"]] += 1
            if not re.fullmatch(r"[a-z_]+", frame["reason"]):
                self.wrongs.append(f"no reason: {frame}")
        if frame["type"] in {"acted", "refused"}:
            stand.expected = frame["seq"] + 1 if frame["type"] == "acted" else frame["expected"]
        return not (frame["type"] == "pong" and frame["sent"] == 123456789)

    def _judge(self, race: Running) -> None:
        """The rival's socket has heard of it all, and its game is as it was."""
        rival: RaceSocket = race.sockets[1]
        rival.settled()
        answer = rival.act("b+", 1)
        over = {"race_closed", "game_over", "not_a_racer"}
        if answer["type"] != "acted" and answer.get("reason") not in over:
            self.wrongs.append(f"the rival can't play: {answer}")


def log_of(server: Server) -> list[str]:
    """Return what in a server's log shouldn't be there."""
    said = server.log.read_text()
    return re.findall(r"^.*(?:Traceback| ERROR | CRITICAL ).*$", said, flags=re.MULTILINE)


def main() -> int:
    """Fuzz a server; 0 where nothing went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.fuzzing", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="crescent-fuzzing-") as folder,
        Server(
            Path(folder),
            environment={"CRESCENT_LIMITS": "off"},
            arguments=("--server", wanted.server),
        ) as server,
    ):
        fuzzer = Fuzzer(server, random.Random(wanted.seed))
        asyncio.run(fuzzer.run(wanted.messages))
        wrongs = [*fuzzer.wrongs, *log_of(server)]
        if "differ" in (verified := server.manage("verify_games")):
            wrongs.append(verified)
    print(f"seed {wanted.seed}: {fuzzer.sent:,} messages; {dict(fuzzer.frames)}")
    print(f"refused: {dict(fuzzer.reasons)}")
    print(f"closed with {dict(fuzzer.closes)}; {len(wrongs)} things wrong")
    print(*wrongs[:50], sep="\n")
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
