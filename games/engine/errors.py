"""Everything the engine can raise.

EngineError
├── NotAnAction     a text that can't be read as an action
├── Illegal         an action against the rules, with its Reason
├── BadDealCode     a text that can't be read as a deal code
├── SealedDeal      the cards of a sealed deal were asked of its code
├── BadLayout       a text or piles that aren't the cards of a game
└── BadLog          a stored log that the rules refuse
"""

from .reasons import Reason


class EngineError(Exception):
    """The root; `reason` is a stable word that a screen can translate."""

    reason: str


class NotAnAction(EngineError):
    """The text is no two-character action code; `text` holds its first characters."""

    def __init__(self, text: str) -> None:
        self.reason = Reason.NOT_AN_ACTION
        self.text = text[:40]
        super().__init__(f"{self.text!r} is not an action: expected two characters such as 'ab'")


class Illegal(EngineError):
    """The rules refuse the action; `reason` says why and `code` is the action's code."""

    reason: Reason

    def __init__(self, reason: Reason, code: str) -> None:
        self.reason = reason
        self.code = code
        super().__init__(f"{code} is refused: {reason}")

    def __reduce__(self) -> tuple[type["Illegal"], tuple[Reason, str]]:
        return Illegal, (self.reason, self.code)


class BadDealCode(EngineError):
    """The text is no deal code; `text` holds its first characters."""

    reason = "bad_deal"

    def __init__(self, text: str) -> None:
        self.text = text[:40]
        super().__init__(f"{self.text!r} is not a deal code: expected one like CR1-N-AAAAAAB")


class SealedDeal(EngineError):
    """The code of a sealed deal tells nothing about its cards."""

    reason = "deal_closed"

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"the cards of {code} come from its seed, not from its code")


class BadLayout(EngineError):
    """The cards aren't those of a game; the message says what is wrong."""

    reason = "bad_layout"


class BadLog(EngineError):
    """A stored log can't be replayed; `seq` is the action that was refused and `reason` why."""

    def __init__(self, seq: int, code: str, reason: str) -> None:
        self.seq = seq
        self.code = code
        self.reason = reason
        super().__init__(f"action {seq} of the log, {code!r}, is refused: {reason}")

    def __reduce__(self) -> tuple[type["BadLog"], tuple[int, str, str]]:
        return BadLog, (self.seq, self.code, self.reason)
