"""Readers with sessions, who send JSON, and what a refusal looks like."""

import json
from typing import Any

from django.test import Client

from games.models import Player


class Reader:
    """A session of the site, somebody's or a visitor's."""

    def __init__(self, player: Player | None = None) -> None:
        self.http = Client(raise_request_exception=True)
        self.player = player
        if player is not None:
            self.http.force_login(player)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a body: bytes as they are, anything else as JSON; nothing for None."""
        raw = (
            body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        )
        return self.http.generic(method, path, raw, content_type="application/json")

    def get(self, path: str) -> Any:
        """Read an address."""
        return self.send("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        """Post a body."""
        return self.send("POST", path, body)


def refusal(answer: Any, status: int, reason: str) -> None:
    """Check that an answer is a refusal and nothing but one."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    body = answer.json()
    assert set(body) == {"reason", "detail"}
    assert body["reason"] == reason, body
    assert body["detail"]
    assert isinstance(body["detail"], str)
