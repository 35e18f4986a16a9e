"""How the services tell the world what changed: events, published when they are committed."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction


@dataclass(frozen=True, slots=True)
class RaceChanged:
    """Something of this race or its roster is other than it was."""

    race_code: str


@dataclass(frozen=True, slots=True)
class SessionsEnded:
    """A player's session of this mark (services/sessions.py) has ended; with `others` every one
    of theirs has but this."""

    player_id: int
    mark: str
    others: bool = False


@dataclass(frozen=True, slots=True)
class GamesBegan:
    """Players (by id) are at a game on the open deal of this code from now on."""

    race_code: str
    deal_code: str
    players: tuple[int, ...]


Event = RaceChanged | SessionsEnded | GamesBegan
Listener = Callable[[Event], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Have `listener` called with every event, on the thread that committed it."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    """Undo `listen`."""
    _listeners.remove(listener)


def publish(event: Event) -> None:
    """Tell every listener once the surrounding transaction is committed, or at once if none is."""
    transaction.on_commit(lambda: _tell(event), robust=True)


def _tell(event: Event) -> None:
    for listener in tuple(_listeners):
        listener(event)
