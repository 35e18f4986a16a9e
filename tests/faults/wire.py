"""A WebSocket client as bare bytes on a TCP socket: one that can stop reading, or dribble."""

import base64
import json
import os
import socket
import struct
from typing import Self
from urllib.parse import urlsplit

SMALL = 4096


class BareSocket:
    """A race room's socket, with small buffers and nobody who reads unless `frames` is asked."""

    def __init__(self, origin: str, code: str, cookies: str = "") -> None:
        host = urlsplit(origin).netloc
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        self.socket.settimeout(20)
        name, port = host.split(":")
        self.socket.connect((name, int(port)))
        lines = [
            f"GET /ws/races/{code}/ HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: crescent.1",
            f"Origin: {origin}",
            *([f"Cookie: {cookies}"] if cookies else []),
        ]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._read = b""
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, self._read = self._read.split(b"\r\n\r\n", 1)
        assert b" 101 " in head.split(b"\r\n", 1)[0], head

    def message(self, type_: str, **fields: object) -> bytes:
        """Encode a message as the bytes of one masked frame."""
        text = json.dumps({"type": type_, **fields}).encode()
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
        size = struct.pack("!B", 0x80 | len(text))
        if len(text) > 125:
            size = struct.pack("!BH", 0x80 | 126, len(text))
        return b"\x81" + size + mask + masked

    def frame(self) -> tuple[int, bytes]:
        """Read one frame: its opcode and payload."""
        head = self._take(2)
        length = head[1] & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._take(8))
        return head[0] & 0x0F, self._take(length)

    def until(self, type_: str) -> dict[str, object]:
        """Read on until a message of this type."""
        while True:
            opcode, payload = self.frame()
            if opcode == 1:
                found: dict[str, object] = json.loads(payload)
                if found["type"] == type_:
                    return found

    def close_code(self) -> int | None:
        """Read on to the end; return the code of the close frame, None where there was none."""
        try:
            while True:
                opcode, payload = self.frame()
                if opcode == 8:
                    return int(struct.unpack("!H", payload[:2])[0])
        except (ConnectionError, EOFError):
            return None

    def _take(self, count: int) -> bytes:
        while len(self._read) < count:
            self._more()
        taken, self._read = self._read[:count], self._read[count:]
        return taken

    def _more(self) -> None:
        got = self.socket.recv(65536)
        if not got:
            raise EOFError
        self._read += got

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()
