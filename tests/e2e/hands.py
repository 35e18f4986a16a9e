"""The ways to play a card: by clicks, by keys alone, by fingers, by dragging. Each can play a whole game."""

import time
from abc import ABC, abstractmethod
from typing import Any

from games.engine.rules import legal_actions
from tests.e2e.table import PILES, TablePage

SAME_PLACE_S = 0.4
"""Two taps on one place sooner than this are one double tap."""


class Hand(ABC):
    """Plays actions on a page; every action is seen through to the server's answer."""

    def __init__(self, player: TablePage) -> None:
        self.player = player
        self.page = player.page

    def play(self, code: str) -> None:
        """Play one legal action and wait for the server's answer."""
        self.act(code)
        self.player.follow(code)

    def act(self, code: str) -> None:
        """Do with the hand what one legal action takes."""
        if code == "**":
            self.redeal()
        elif code == "<<":
            self.undo()
        else:
            self.move(*self.path(code), only=self.choices(code) == 1)

    def play_all(self, line: list[str]) -> None:
        """Play one action after the other."""
        for code in line:
            self.play(code)

    def path(self, code: str) -> tuple[str, str]:
        """Return the places a move leads from and to."""
        source, target = code[0], code[1]
        if source in "SHDC":  # across the foundations of a suit
            return source + ("-" if target == "+" else "+"), code
        if target in "+-":
            top = self.player.position.table.tops[PILES.index(source)]
            assert top is not None
            return source, top[1] + target
        return source, target

    def choices(self, code: str) -> int:
        """Count the places the same card can go to."""
        codes = [action.code for action in legal_actions(self.player.position.table)]
        assert code in codes, f"{code} is not legal"
        if code[0] in "SHDC":
            return 1
        return sum(each[0] == code[0] for each in codes)

    def redeal(self) -> None:
        """Press the button."""
        self.page.get_by_role("button", name="Redeal").click()

    def undo(self) -> None:
        """Press the button."""
        self.page.get_by_role("button", name="Undo").click()

    @abstractmethod
    def move(self, source: str, target: str, *, only: bool) -> None:
        """Move a card; `only` tells that it has just one place to go."""


class Clicks(Hand):
    """A mouse that clicks."""

    def __init__(self, player: TablePage) -> None:
        super().__init__(player)
        self.boxes: dict[str, Any] = player.boxes()

    def move(self, source: str, target: str, *, only: bool) -> None:
        self.page.mouse.click(*self.boxes[source])
        if not only:
            self.page.mouse.click(*self.boxes[target])


class Fingers(Hand):
    """A finger that taps; it needs a context with touch."""

    def __init__(self, player: TablePage) -> None:
        super().__init__(player)
        self.boxes: dict[str, Any] = player.boxes()
        self._last: tuple[str, float] = ("", 0.0)

    def move(self, source: str, target: str, *, only: bool) -> None:
        self._tap(source)
        if not only:
            self._tap(target)

    def redeal(self) -> None:
        self.page.get_by_role("button", name="Redeal").tap()

    def undo(self) -> None:
        self.page.get_by_role("button", name="Undo").tap()

    def _tap(self, place: str) -> None:
        last, at = self._last
        if last == place and (left := at + SAME_PLACE_S - time.monotonic()) > 0:
            self.page.wait_for_timeout(left * 1000)
        self.page.touchscreen.tap(*self.boxes[place])
        self._last = (place, time.monotonic())


class Keys(Hand):
    """A keyboard alone: letters for piles, plus and minus for foundations, arrows and Enter for the rest."""

    def move(self, source: str, target: str, *, only: bool) -> None:
        if source in PILES:
            self.page.keyboard.press(f"Key{source.upper()}")
            if target in PILES:
                self.page.keyboard.press(f"Key{target.upper()}")
            else:
                self.page.keyboard.press("Equal" if target[1] == "+" else "Minus")
        else:
            self._focus(source)
            self.page.keyboard.press("Enter")

    def redeal(self) -> None:
        self.page.keyboard.press("KeyR")

    def undo(self) -> None:
        self.page.keyboard.press("Control+KeyZ")

    def _focus(self, place: str) -> None:
        """Walk to a foundation: into the upper row, then along and down."""
        for key in ("Tab", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
            for _ in range(26):
                if self._focused() == place:
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"the keys don't lead to {place}")

    def _focused(self) -> str | None:
        focused: str | None = self.page.evaluate("document.activeElement?.dataset.place ?? null")
        return focused


class Drags(Hand):
    """A mouse that drags; on a foundation every other card is dropped just somewhere among them."""

    def __init__(self, player: TablePage) -> None:
        super().__init__(player)
        self.boxes: dict[str, Any] = player.boxes()
        self._loosely = False

    def move(self, source: str, target: str, *, only: bool) -> None:
        x, y = self.boxes[target]
        if target not in PILES and self._takes_one(source):
            self._loosely = not self._loosely
            if self._loosely:
                x, y = self._between()
        mouse = self.page.mouse
        mouse.move(*self.boxes[source])
        mouse.down()
        mouse.move(x, y, steps=3)
        mouse.up()

    def _takes_one(self, source: str) -> bool:
        """Where both foundations take a card, the aim decides."""
        if source not in PILES:
            return False
        moves = [action.code for action in legal_actions(self.player.position.table)]
        return not {source + "+", source + "-"} <= set(moves)

    def _between(self) -> tuple[float, float]:
        """Find the spot where four foundations meet."""
        return (
            (self.boxes["H+"][0] + self.boxes["D+"][0]) / 2,
            (self.boxes["H+"][1] + self.boxes["H-"][1]) / 2,
        )


class Swipes(Fingers):
    """A finger that drags cards, in Chromium; it needs a context with touch."""

    def __init__(self, player: TablePage) -> None:
        super().__init__(player)
        self._session = self.page.context.new_cdp_session(self.page)

    def move(self, source: str, target: str, *, only: bool) -> None:
        (x, y), (to_x, to_y) = self.boxes[source], self.boxes[target]
        self._touch("touchStart", (x, y))
        for step in range(1, 6):
            self._touch("touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        self._session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )
