"""A guest as a program: the small HTTP side with a session, and the race room's socket."""

import contextlib
import json
import time
from collections.abc import Callable
from socket import SHUT_RDWR
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

Frame = dict[str, Any]
_open: "list[Guest | RaceSocket]" = []


def close_all() -> None:
    """Close every session and socket that a test has left open."""
    while _open:
        _open.pop().close()


class Guest:
    """One session of a server at `origin`, signed in as a guest where a name is given."""

    def __init__(self, origin: str, name: str | None = None) -> None:
        self.origin = origin
        self.http = httpx.Client(base_url=origin, timeout=20)
        _open.append(self)
        self.http.get("/")
        self.bodies: list[str] = []
        """Everything the HTTP side has answered, for the tests that search it."""
        self.player: int | None = None
        if name is not None:
            answer = self.request("POST", "/api/guest", {"name": name})
            assert answer.status_code == 201, answer.text
            self.player = answer.json()["player"]

    def request(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Send JSON with the session's CSRF token."""
        headers = {"X-CSRFToken": self.http.cookies.get("csrftoken") or "", "Origin": self.origin}
        answer = self.http.request(method, path, json=body, headers=headers)
        self.bodies.append(answer.text)
        return answer

    def get(self, path: str) -> Any:
        """Read a JSON answer, whatever its status."""
        return self.request("GET", path).json()

    def open_race(self, deal: str = "CR1-N-AAAAAAB", **options: object) -> str:
        """Open a race; return its code."""
        answer = self.request("POST", "/api/races", {"deal": deal, **options})
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["code"]
        return code

    def take_seat(self, code: str) -> int:
        """Take a seat; return the racer's id."""
        answer = self.request("POST", f"/api/races/{code}/seat")
        assert answer.status_code == 201, answer.text
        racer: int = answer.json()["racer"]
        return racer

    def socket(self, code: str, **options: Any) -> "RaceSocket":
        """Open the race room's socket with this session."""
        return RaceSocket(self.origin, code, self._cookies(), **options)

    def close(self) -> None:
        """Let go of the connections; the session lives on."""
        self.http.close()

    def _cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())


class RaceSocket:
    """A socket of a race room that keeps every frame it has received."""

    def __init__(
        self,
        origin: str,
        code: str,
        cookies: str,
        *,
        subprotocols: tuple[str, ...] = ("crescent.1",),
        claimed_origin: str | None = None,
    ) -> None:
        self.frames: list[Frame] = []
        self.raw: list[str] = []
        self.seq = 0
        self.close_code: int | None = None
        headers = {"Cookie": cookies} if cookies else {}
        self._stack = contextlib.ExitStack()
        opening = connect(
            f"{origin.replace('http', 'ws', 1)}/ws/races/{code}/",
            origin=Origin(origin if claimed_origin is None else claimed_origin),
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,  # a test may leave frames unread and still be closed properly
            close_timeout=2,
            proxy=None,
        )
        self.connection: ClientConnection = self._stack.enter_context(opening)
        _open.append(self)

    def send(self, type_: str, **fields: object) -> None:
        """Send one message."""
        self.connection.send(json.dumps({"type": type_, **fields}))

    def send_text(self, text: str | bytes) -> None:
        """Send a frame as it is."""
        self.connection.send(text)

    def receive(self, timeout: float = 10) -> Frame:
        """Return the next frame.

        :raises TimeoutError: where none comes.
        :raises ConnectionClosed: with `close_code` set.
        """
        try:
            text = self.connection.recv(timeout=timeout)
        except ConnectionClosed as closed:
            self.close_code = closed.rcvd.code if closed.rcvd else 1006
            raise
        assert isinstance(text, str)
        self.raw.append(text)
        frame: Frame = json.loads(text)
        self.frames.append(frame)
        return frame

    def until(
        self, type_: str, match: Callable[[Frame], object] = lambda _: True, timeout: float = 15
    ) -> Frame:
        """Read frames until one of this type that matches."""
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                seen = [frame["type"] for frame in self.frames[-12:]]
                raise TimeoutError(f"no {type_} came; the last frames were {seen}")
            frame = self.receive(left)
            if frame["type"] == type_ and match(frame):
                return frame

    def settled(self) -> list[Frame]:
        """Return all that the server had to say until it answered a ping sent now."""
        sent = time.monotonic_ns() // 1_000
        before = len(self.frames)
        self.send("ping", sent=sent, heard=len(self.frames))
        self.until("pong", lambda frame: frame["sent"] == sent)
        return self.frames[before:-1]

    def act(self, code: str, seq: int | None = None) -> Frame:
        """Play an action and return its answer; a seq that isn't given is the next one."""
        seq = self.seq + 1 if seq is None else seq
        self.send("act", seq=seq, code=code)
        while True:
            answer = self.receive()
            if answer["type"] in {"acted", "refused"} and answer["seq"] == seq:
                break
        if answer["type"] == "acted":
            self.seq = max(self.seq, seq)
        return answer

    def closed(self, timeout: float = 10) -> int:
        """Read until the server closes the socket; return the code."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.receive(timeout)
        assert self.close_code is not None
        return self.close_code

    def close(self) -> None:
        """Leave properly."""
        self._stack.close()

    def cut(self) -> None:
        """Be gone without a word, as when the network is."""
        self.connection.socket.shutdown(SHUT_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
