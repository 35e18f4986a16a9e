"""The rate gate of one socket: a bucket of tokens, a frame takes one."""

from enum import Enum, auto

from django.conf import settings


class Verdict(Enum):
    """What the gate says of a frame."""

    PASS = auto()
    TOO_FAST = auto()  # dropped
    HOPELESS = auto()  # dropped, and so were as many as two bursts before it: close


class Gate:
    """Lets a steady rate and a burst through (settings ACTIONS_PER_SECOND, ACTIONS_BURST)."""

    __slots__ = ("_burst", "_dropped", "_last_ms", "_per_ms", "_tokens")

    def __init__(self, now_ms: int) -> None:
        self._burst = float(settings.ACTIONS_BURST)
        self._per_ms = settings.ACTIONS_PER_SECOND / 1000
        self._tokens = self._burst
        self._last_ms = now_ms
        self._dropped = 0

    def judge(self, now_ms: int) -> Verdict:
        """Judge one frame received at `now_ms`. A full bucket forgives what was dropped."""
        self._tokens += (now_ms - self._last_ms) * self._per_ms
        self._last_ms = now_ms
        if self._tokens >= self._burst:
            self._tokens = self._burst
            self._dropped = 0
        if self._tokens >= 1:
            self._tokens -= 1
            return Verdict.PASS
        self._dropped += 1
        return Verdict.HOPELESS if self._dropped > 2 * self._burst else Verdict.TOO_FAST
