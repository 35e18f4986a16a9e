"""A race server that accepts every move, stores nothing and can be told to misbehave."""

import asyncio
import base64
import hashlib
import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_ACCEPT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


@dataclass
class Manners:
    """How the stand-in behaves; the defaults are those of a good server."""

    piece: int = 0
    """Bytes a write, 0 for all at once."""
    fragment: int = 0
    """Payload bytes a frame, 0 for whole messages; between fragments comes a ping."""
    drop_push: int = 0
    """Leave out every so manieth push."""
    refuse: int = 0
    """Refuse every so manieth act as `unavailable`, and what was sent after it as `gap`; nobody
    twice running, for racers give up after a few."""
    close_after: int = 0
    """Close the socket of every so manieth act with 4429."""
    silent: int = 0
    """Never answer the so manieth act."""


@dataclass(eq=False)
class Client:
    """A socket of the stand-in; `racer` is None for a watcher."""

    writer: asyncio.StreamWriter
    racer: int | None
    seq: int = 0
    refused: bool = False
    codes: list[str] = field(default_factory=list)


@dataclass
class Race:
    """A room: who is in it, and whether it has started."""

    clients: list[Client] = field(default_factory=list)
    started: bool = False
    seats: int = 0


class StandIn:
    """The races by code, and what was counted."""

    def __init__(self, manners: Manners) -> None:
        """Start with no race."""
        self.manners = manners
        self.races: dict[str, Race] = {}
        self.acts = 0
        self.pushes = 0
        self.heads: list[str] = []
        self.pongs = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak with one client until it goes."""
        race, client = None, None
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            digest = hashlib.sha1(fields["Sec-WebSocket-Key"].encode() + _ACCEPT).digest()
            await self._write(
                writer,
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Protocol: crescent.1\r\n"
                b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n",
            )
            race = self.races.setdefault(head.split("/")[3], Race())
            client = Client(writer, None)
            if "Cookie" in fields:
                race.seats += 1
                client.racer = 1000 + race.seats
            race.clients.append(client)
            await self._welcome(race, client)
            while True:
                opcode, payload = await _frame(reader)
                if opcode == 8:
                    return
                if opcode == 10:
                    self.pongs += 1
                if opcode == 1:
                    await self._take(race, client, json.loads(payload))
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            if race is not None and client in race.clients:
                race.clients.remove(client)
            writer.close()

    async def _welcome(self, race: Race, client: Client) -> None:
        racers = [
            {"racer": other.racer, "name": 'a "quoted" } ] name', "online": True, "moves": 0}
            for other in race.clients
            if other.racer is not None
        ]
        await self._say(
            client,
            {
                "type": "welcome",
                "you": client.racer,
                "race": {"code": "x", "seats": 4, "starts_at": 1 if race.started else None},
                "deal": {"code": "CR1-N-AAAAAAB"},
                "racers": racers,
                "seq": client.seq,
                "table": None,
                "seen": {},
                "logs": {str(row["racer"]): "" for row in racers},
                "now": 1,
            },
        )

    async def _take(self, race: Race, client: Client, message: dict[str, object]) -> None:
        match message["type"]:
            case "start":
                race.started = True
                for other in race.clients:
                    table = None if other.racer is None else {"moves": 0}
                    await self._say(other, {"type": "go", "table": table, "now": 1})
            case "act":
                await self._act(race, client, message)
            case "ping":
                await self._say(client, {"type": "pong", "sent": message["sent"], "now": 1})

    async def _act(self, race: Race, client: Client, message: dict[str, object]) -> None:
        self.acts += 1
        manners, seq, code = self.manners, message["seq"], message["code"]
        if manners.silent and self.acts == manners.silent:
            return
        if seq != client.seq + 1 or (_due(self.acts, manners.refuse) and not client.refused):
            client.refused = True
            reason = "unavailable" if seq == client.seq + 1 else "gap"
            await self._say(
                client,
                {"type": "refused", "seq": seq, "reason": reason, "expected": client.seq + 1},
            )
            return
        if _due(self.acts, manners.close_after):
            await self._write(client.writer, b"\x88\x02" + struct.pack("!H", 4429))
            return
        client.seq += 1
        client.refused = False
        acted = {"type": "acted", "seq": seq, "code": code, "at": 5, "moves": 1, "shown": {}}
        await self._say(client, acted)
        moved = {"type": "moved", "moves": [[client.racer, seq, code, 5, 8, 1, 3]]}
        for other in list(race.clients):
            self.pushes += 1
            if not _due(self.pushes, manners.drop_push):
                await self._say(other, moved)

    async def _say(self, client: Client, message: object) -> None:
        payload, size = json.dumps(message).encode(), self.manners.fragment
        if not size:
            await self._write(client.writer, _packed(0x81, payload))
            return
        parts = [payload[at : at + size] for at in range(0, len(payload), size)]
        data = b""
        for number, part in enumerate(parts):
            data += _packed((0x80 if number == len(parts) - 1 else 0) | (number == 0), part)
            data += _packed(0x89, b"still there?")
        await self._write(client.writer, data)

    async def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        size = self.manners.piece or len(data)
        for at in range(0, len(data), size):
            if not writer.is_closing():
                writer.write(data[at : at + size])


def _due(count: int, every: int) -> bool:
    return every > 0 and count % every == 0


def _packed(first: int, payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        return bytes((first, length)) + payload
    return bytes((first, 126)) + struct.pack("!H", length) + payload


async def _frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, second = await reader.readexactly(2)
    assert second & 128, "a client masks what it sends"
    length = second & 127
    if length == 126:
        length = struct.unpack("!H", await reader.readexactly(2))[0]
    key = await reader.readexactly(4)
    masked = await reader.readexactly(length)
    return first & 15, bytes(byte ^ key[at & 3] for at, byte in enumerate(masked))


@contextmanager
def standing_in(manners: Manners | None = None) -> Iterator[tuple[StandIn, int]]:
    """Serve on a free loopback port in a thread; gives the stand-in and the port."""
    stand_in = StandIn(manners or Manners())
    ready = threading.Event()
    ports: list[int] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        server = await asyncio.start_server(stand_in.serve, "127.0.0.1", 0, backlog=4096)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await stop.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield stand_in, ports[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
