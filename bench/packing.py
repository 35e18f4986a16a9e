"""Compact forms of a closed game's log, one value a game."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from games.engine.actions import ACTIONS

Actions = Sequence[tuple[str, int]]
"""(code, at in ms since the start), in order."""

# Foundations, redeal and undo first, for they are the most frequent: one byte each as a number.
NUMBERS = {
    code: number
    for number, code in enumerate(
        sorted(ACTIONS, key=lambda code: (ACTIONS[code].kind == "pile_to_pile", code))
    )
}
CODES = list(NUMBERS)


def varint(value: int) -> bytes:
    """Write a number from 0 in as few bytes as it needs, seven bits each, the low ones first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def varints(data: bytes) -> Iterator[int]:
    """Read numbers written so."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def _gaps(actions: Actions) -> bytes:
    times = [0, *(at for _, at in actions)]
    return b"".join(varint(later - at) for at, later in pairwise(times))


def _timed(codes: Sequence[str], gaps: bytes) -> list[tuple[str, int]]:
    at, found = 0, list[tuple[str, int]]()
    for code, gap in zip(codes, varints(gaps), strict=True):
        at += gap
        found.append((code, at))
    return found


def pack_text(actions: Actions) -> bytes:
    """Codes as they are, then the times between them: the number of codes comes first."""
    codes = "".join(code for code, _ in actions).encode()
    return varint(len(actions)) + codes + _gaps(actions)


def unpack_text(data: bytes) -> list[tuple[str, int]]:
    """Read `pack_text`'s form."""
    count = next(varints(data))
    start = len(varint(count))
    codes = data[start : start + 2 * count].decode()
    return _timed([codes[at : at + 2] for at in range(0, 2 * count, 2)], data[start + 2 * count :])


def pack_numbers(actions: Actions) -> bytes:
    """Codes as numbers of a dictionary, then the times."""
    return varint(len(actions)) + b"".join(varint(NUMBERS[c]) for c, _ in actions) + _gaps(actions)


def unpack_numbers(data: bytes) -> list[tuple[str, int]]:
    """Read `pack_numbers`'s form."""
    count, *rest = varints(data)
    codes = [CODES[number] for number in rest[:count]]
    return _timed(codes, b"".join(map(varint, rest[count:])))


def deflated(pack: Callable[[Actions], bytes]) -> Callable[[Actions], bytes]:
    """Compress what a form gives."""
    return lambda actions: zlib.compress(pack(actions), 9)


def inflated(
    unpack: Callable[[bytes], list[tuple[str, int]]],
) -> Callable[[bytes], list[tuple[str, int]]]:
    """Read what is compressed."""
    return lambda data: unpack(zlib.decompress(data))


FORMS = {
    "codes as text, times as differences": (pack_text, unpack_text),
    "codes as numbers, times as differences": (pack_numbers, unpack_numbers),
    "text, zlib": (deflated(pack_text), inflated(unpack_text)),
    "numbers, zlib": (deflated(pack_numbers), inflated(unpack_numbers)),
}
