"""Texts are written and read as a library does it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from games.protocol.texts import framed, sole

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
