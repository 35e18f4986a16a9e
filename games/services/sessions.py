"""Sessions: each has a mark that its sockets are known by, and its end is told to all processes."""

import secrets
from typing import Any

from django.contrib.auth import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver
from django.http import HttpRequest

from games.services import news

_MARK = "mark"


@receiver(user_logged_in)
def _mark(request: HttpRequest, **_: Any) -> None:
    request.session.setdefault(_MARK, secrets.token_hex(8))


def mark_of(session: SessionBase) -> str:
    """Return the mark of a session, "" for one that nobody has signed in. It opens nothing, and
    stays when the session gets another key."""
    return str(session.get(_MARK, ""))


def end(*, player_id: int, mark: str) -> None:
    """Tell that a player's session of this mark has ended."""
    news.publish(news.SessionsEnded(player_id, mark))


def end_others(*, player_id: int, mark: str) -> None:
    """Tell that every session of a player has ended but the one of this mark."""
    news.publish(news.SessionsEnded(player_id, mark, others=True))
