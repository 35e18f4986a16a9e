"""Frames: a message to text, and text to a message."""

from collections.abc import Callable

import msgspec

from games.protocol.client import FromClient
from games.protocol.server import ServerMessage

SUBPROTOCOL = "crescent.1"


class BadMessage(Exception):
    """A frame that isn't one of the client's messages."""


_decode = msgspec.json.Decoder(FromClient).decode
_encode: Callable[[ServerMessage], bytes] = msgspec.json.Encoder().encode


def parse(text: str) -> FromClient:
    """Read a frame from a client.

    :raises BadMessage: for anything else than one of the client's messages.
    """
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadMessage(str(error)) from None


def encode(message: ServerMessage) -> bytes:
    """Write a message as the text of one frame, in UTF-8."""
    return _encode(message)
