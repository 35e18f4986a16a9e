"""Texts are written and read as a library does it."""

import asyncio
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from games.management.uvicorn_server import TextsProtocol
from games.protocol.texts import EXTENSION, framed, sole

OPCODES = (Opcode.CONT, Opcode.TEXT, Opcode.BINARY, Opcode.CLOSE, Opcode.PING, Opcode.PONG)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_texts_are_framed_as_a_server_frames_them(size: int) -> None:
    text = b"x" * size
    alone = Frame(Opcode.TEXT, text).serialize(mask=False)
    assert framed([text]) == alone
    assert framed([text, b"{}", text]) == alone + b"\x81\x02{}" + alone


def test_nothing_is_framed_as_nothing() -> None:
    assert framed([]) == b""


def parsed(data: bytes) -> str | None:
    """What `sole` should say, by the library's parser."""
    reader = StreamReader()
    reader.feed_data(data)
    try:
        next(Frame.parse(reader.read_exact, mask=True))
    except StopIteration as done:
        frame: Frame = done.value
    except ProtocolError:
        return None
    else:
        return None  # it wants more
    if reader.buffer or frame.opcode is not Opcode.TEXT or not frame.fin or len(frame.data) > 125:
        return None
    try:
        return bytes(frame.data).decode()
    except UnicodeDecodeError:
        return None


@given(st.text(max_size=130))
def test_a_short_text_alone_is_read(text: str) -> None:
    data = Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
    assert sole(data) == parsed(data) == (text if len(text.encode()) <= 125 else None)


@given(
    frames=st.lists(
        st.builds(Frame, st.sampled_from(OPCODES), st.binary(max_size=125), fin=st.booleans()),
        min_size=1,
        max_size=2,
    ),
    masked=st.booleans(),
    cut=st.integers(0, 12),
    flips=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 255)), max_size=2),
)
def test_whatever_else_comes_is_the_parsers(
    frames: list[Frame], masked: bool, cut: int, flips: list[tuple[int, int]]
) -> None:
    whole = b"".join(
        bytes((0x80 * frame.fin | frame.opcode, 0x80 * masked | len(frame.data)))
        + b"mask" * masked
        + bytes(frame.data)
        for frame in frames
    )
    data = bytearray(whole[: len(whole) - cut])
    for place, value in flips:
        if place < len(data):
            data[place] = value
    assert sole(bytes(data)) == parsed(bytes(data))


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it."""
        self.written += bytes(data)

    def is_closing(self) -> bool:
        """It never is."""
        return False

    def close(self) -> None:
        """Do nothing: whoever made it drops it."""


HANDSHAKE = (
    b"GET /ws/ HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def heard_by_uvicorn(pieces: list[bytes]) -> list[str]:
    """Let uvicorn's socket have these bytes, piece by piece; return the texts it brings."""
    heard: list[str] = []
    open_ = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][EXTENSION]["overhear"](heard.append)
        open_.set()
        while (await receive())["type"] != "websocket.disconnect":
            raise AssertionError("a text was not overheard")

    config = Config(application, log_config=None, lifespan="off", ws_per_message_deflate=False)
    config.load()
    socket = TextsProtocol(config, ServerState(), {})
    wire = Wire()
    socket.connection_made(wire)
    socket.data_received(HANDSHAKE)
    await asyncio.wait_for(open_.wait(), 10)
    assert wire.written.startswith(b"HTTP/1.1 101")
    for piece in pieces:
        socket.data_received(piece)
    socket.connection_lost(ConnectionResetError())
    await asyncio.gather(*socket.tasks)
    return heard


@given(
    texts=st.lists(st.tuples(st.text(max_size=160), st.integers(0, 3)), max_size=6),
    cuts=st.lists(st.integers(0, 1_000), max_size=8),
)
@settings(deadline=None)
def test_uvicorn_brings_the_same_texts_however_the_bytes_are_cut(
    texts: list[tuple[str, int]], cuts: list[int]
) -> None:
    """Among them are pings, texts in two frames, and cuts that fall where a frame ends."""
    frames = list[bytes]()
    for text, kind in texts:
        data = text.encode()
        if kind == 1:
            frames.append(Frame(Opcode.PING, b"?").serialize(mask=True))
        if kind == 2:  # with a ping between its parts
            middle = len(data) // 2
            frames += [
                Frame(Opcode.TEXT, data[:middle], fin=False).serialize(mask=True),
                Frame(Opcode.PING, b"!").serialize(mask=True),
                Frame(Opcode.CONT, data[middle:]).serialize(mask=True),
            ]
        else:
            frames.append(Frame(Opcode.TEXT, data).serialize(mask=True))
    stream, ends = b"".join(frames), [*accumulate(map(len, frames))]
    some_ends = {end for end, cut in zip(ends, cuts, strict=False) if cut % 2}
    places = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts), *some_ends})
    pieces = [stream[start:end] for start, end in pairwise(places)]
    for given_pieces in (pieces, frames):
        assert asyncio.run(heard_by_uvicorn(given_pieces)) == [text for text, _ in texts]


def test_what_looks_like_a_frame_inside_of_another_is_none() -> None:
    text = "\N{ASTERISM}abcdab"  # in UTF-8 an E2, then what might be the frame of a text
    whole = bytes((0x81, 0x80 | len(text.encode()))) + bytes(4) + text.encode()
    cut = whole.index(b"\x81\x82")
    assert sole(whole[cut:]) is not None
    assert asyncio.run(heard_by_uvicorn([whole[:cut], whole[cut:]])) == [text]


def test_a_text_in_the_middle_of_another_is_the_parsers_to_refuse() -> None:
    begun = Frame(Opcode.TEXT, b"ab", fin=False).serialize(mask=True)
    whole = Frame(Opcode.TEXT, b"cd").serialize(mask=True)
    assert asyncio.run(heard_by_uvicorn([begun, whole])) == []
    assert asyncio.run(heard_by_uvicorn([whole, begun])) == ["cd"]
