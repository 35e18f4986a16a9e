"""A race room in a browser, played as a person does: by looking at names and clicking."""

import re
from typing import Self

from playwright.sync_api import Locator, Page, expect

from games.engine.actions import parse_action
from games.engine.deals import layout_of, parse_deal_code
from games.engine.position import Position, play
from games.engine.rules import legal_actions

RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def card_name(card: str) -> str:
    """Return a card's name in English, as a screen reader says it."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


class TablePage:
    """One player's page. It keeps the position beside it, to know which click means what."""

    def __init__(self, page: Page, deal: str = "CR1-N-AAAAAAB") -> None:
        self.page = page
        code = parse_deal_code(deal)
        self.position = Position.of(layout_of(code), code.redeals)

    def open_race(self, origin: str, name: str, *, deal: str, seats: int) -> str:
        """Open a race by the form of the start page; return its code."""
        self.page.goto(f"{origin}/races/?deal={deal}")
        form = self.page.locator("form:has([name=seats])")
        form.locator("[name=name]").fill(name)
        form.locator("[name=seats]").select_option(str(seats))
        form.get_by_role("button").click()
        self.page.wait_for_url("**/races/*/")
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    def join(self, origin: str, race: str, name: str) -> Self:
        """Follow the link of a race and give a name."""
        self.page.goto(f"{origin}/races/{race}/")
        self.page.get_by_role("textbox").first.fill(name)
        self.page.get_by_role("button", name="Join").click()
        return self

    def place(self, place: str) -> Locator:
        """Find a place of one's own table: a pile by its letter, a foundation as S+ or H-."""
        return self.page.locator(f"main [data-place='{place}']").first

    def play(self, code: str) -> None:
        """Play an action by clicks; returns when the server has answered it."""
        action = parse_action(code)
        if code == "**":
            self.page.get_by_role("button", name="Redeal").click()
        elif code == "<<":
            self.page.get_by_role("button", name="Undo").click()
        else:
            self._click(code)
        self.position = play(self.position, action).position
        self.settled()

    def settled(self) -> None:
        """Wait until every pile shows what it should."""
        table = self.position.table
        for pile, top, height in zip("abcdefghijklmnop", table.tops, table.heights, strict=True):
            name = f", {card_name(top)} on top" if top else "empty"
            cards = f"{height} card" if height else ""
            label = self.place(pile).get_attribute("aria-label") or ""
            if name not in label or cards not in label:
                expect(self.place(pile)).to_have_attribute(
                    "aria-label", _containing(cards, name), timeout=10_000
                )

    def _click(self, code: str) -> None:
        source, target = code[0], code[1]
        if source in "SHDC":  # across the foundations of a suit
            from_place, to_place = source + ("-" if target == "+" else "+"), code
        elif target in "+-":
            top = self.position.table.tops["abcdefghijklmnop".index(source)]
            assert top is not None
            from_place, to_place = source, top[1] + target
        else:
            from_place, to_place = source, target
        choices = [a.code for a in legal_actions(self.position.table) if self._from(a.code, code)]
        assert code in choices, f"{code} is not legal"
        self.place(from_place).click()
        if len(choices) > 1:
            self.place(to_place).click()

    @staticmethod
    def _from(code: str, like: str) -> bool:
        """Tell whether two actions move the same card."""
        return code == like if like[0] in "SHDC" else code[0] == like[0]


def _containing(*parts: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in parts))
