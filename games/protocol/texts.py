"""Several texts in one write: what the servers of this project add to ASGI.

ASGI sends one text a message, and a server takes each through its own framing and its own system
call. A server that has EXTENSION in its scope's `extensions` takes
`{"type": "websocket.send", "texts": [bytes, …]}`: UTF-8, each a message of its own, in order.
"""

from collections.abc import Sequence

EXTENSION = "crescent.texts"

_SHORT = tuple(bytes((0x81, size)) for size in range(126))
_LONG = 1 << 16


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
