"""Several texts in one write are the frames that a library makes of each."""

import pytest
from websockets.frames import Frame, Opcode

from games.protocol.texts import framed


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_texts_are_framed_as_a_server_frames_them(size: int) -> None:
    text = b"x" * size
    alone = Frame(Opcode.TEXT, text).serialize(mask=False)
    assert framed([text]) == alone
    assert framed([text, b"{}", text]) == alone + b"\x81\x02{}" + alone


def test_nothing_is_framed_as_nothing() -> None:
    assert framed([]) == b""
