"""Texts without ceremony: what the servers of this project add to ASGI.

ASGI sends one text a message, and a server takes each through its own framing and its own system
call; and what comes waits in a queue for a turn of the event loop. A server that has EXTENSION in
its scope's `extensions` takes `{"type": "websocket.send", "texts": [bytes, …]}`: UTF-8, each a
message of its own, in order. Its value has `overhear`, a function that is given another: that one
is called with each text as it comes, but for those that came before and are still to be received.
"""

from collections.abc import Sequence

EXTENSION = "crescent.texts"

_SHORT = tuple(bytes((0x81, size)) for size in range(126))
_LONG = 1 << 16
_MASKED = 6
"""Bytes before a short masked payload: two of the head, four of the mask."""


def framed(texts: Sequence[bytes]) -> bytes:
    """Write texts as a server's frames: final, unmasked (RFC 6455, 5.2)."""
    parts = []
    for text in texts:
        size = len(text)
        if size < len(_SHORT):
            parts.append(_SHORT[size])
        elif size < _LONG:
            parts.append(b"\x81\x7e" + size.to_bytes(2, "big"))
        else:
            parts.append(b"\x81\x7f" + size.to_bytes(8, "big"))
        parts.append(text)
    return b"".join(parts)


def sole(data: bytes) -> str | None:
    """Read what a client has sent where it is just one short text: one frame, whole, final and
    masked, of at most 125 bytes in UTF-8. None for all else, which is a parser's to judge."""
    size = len(data) - _MASKED
    if not 0 <= size < len(_SHORT) or data[0] != 0x81 or data[1] != 0x80 | size:
        return None
    mask = (data[2:_MASKED] * 32)[:size]
    payload = int.from_bytes(data[_MASKED:]) ^ int.from_bytes(mask)
    try:
        return payload.to_bytes(size).decode()
    except UnicodeDecodeError:
        return None
