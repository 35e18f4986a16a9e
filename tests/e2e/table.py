"""A race room in a browser, seen as a person sees it: by names, places and what lies on them."""

from typing import Any, Self

from playwright.sync_api import Locator, Page, expect

from games.engine.actions import parse_action
from games.engine.deals import layout_of, parse_deal_code
from games.engine.position import Position, play
from games.engine.table import Table

PILES = "abcdefghijklmnop"
RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
DEAL = "CR1-N-AAAAAAB"

READ = """() => Object.fromEntries([...document.querySelectorAll('main .board [data-place]')]
  .map((place) => [place.dataset.place, place.getAttribute('aria-label')]))"""
SHOWS = f"""(wanted) => {{
  const names = ({READ})();
  return Object.entries(wanted).every(([place, name]) => names[place] === name);
}}"""


def position_of(deal: str) -> Position:
    """Return how the deal of a code begins."""
    code = parse_deal_code(deal)
    return Position.of(layout_of(code), code.redeals)


def card_name(card: str) -> str:
    """Return a card's name in English, as a screen reader says it."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def names_of(table: Table) -> dict[str, str]:
    """Return what every place of a table is called, by its letter or as S+."""
    names = dict[str, str]()
    for number, (pile, top, height) in enumerate(
        zip(PILES, table.tops, table.heights, strict=True), 1
    ):
        cards = f"{height} card{'' if height == 1 else 's'}"
        name = f"{cards}, {card_name(top)} on top" if top else "empty"
        names[pile] = f"pile {number}, {name}"
    for suit, up, down in zip("SHDC", table.up, table.down, strict=True):
        for way, word, top in (("+", "up", up), ("-", "down", down)):
            rank = "A23456789TJQK".index(top[0])
            count = rank + 1 if way == "+" else 13 - rank
            names[suit + way] = (
                f"{word} foundation of {SUITS[suit]}, {count} of 13, {card_name(top)} on top"
            )
    return names


class TablePage:
    """One player's page. It keeps the position beside it, to know what each place should show."""

    def __init__(self, page: Page, deal: str = DEAL) -> None:
        self.page = page
        self.position = position_of(deal)

    def open_race(self, origin: str, name: str, *, deal: str = DEAL, seats: int = 1) -> str:
        """Open a race by the form of the start page; return its code."""
        self.page.goto(f"{origin}/races/?deal={deal}")
        form = self.page.locator("form:has([name=seats])")
        form.locator("[name=name]").fill(name)
        form.locator("[name=seats]").select_option(str(seats))
        form.get_by_role("button").click()
        self.page.wait_for_url("**/races/*/")
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    def play_alone(self, origin: str, deal: str = DEAL) -> Self:
        """Open a table for one on a deal and wait for its cards."""
        self.page.goto(f"{origin}/deals/{deal}/")
        self.page.locator("form[action='/alone/'] button.primary").first.click()
        self.page.wait_for_url("**/races/*/")
        self.settled()
        return self

    def join(self, origin: str, race: str, name: str) -> Self:
        """Follow the link of a race and give a name."""
        self.page.goto(f"{origin}/races/{race}/")
        self.page.get_by_role("textbox").first.fill(name)
        self.page.get_by_role("button", name="Join").click()
        return self

    @property
    def race(self) -> str:
        """The code of the race on the page."""
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    def place(self, place: str) -> Locator:
        """Find a place of one's own table: a pile by its letter, a foundation as S+ or H-."""
        return self.page.locator(f"main .board [data-place='{place}']").first

    def names(self) -> dict[str, str]:
        """Read what every place is called now."""
        names: dict[str, str] = self.page.evaluate(READ)
        return names

    def boxes(self) -> dict[str, Any]:
        """Read where the card of every place lies, as (x, y) of its middle."""
        boxes: dict[str, Any] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('main .board [data-place]')]
              .map((place) => {
                const {left, right, top, bottom} = place.getBoundingClientRect();
                return [place.dataset.place, [(left + right) / 2, (top + bottom) / 2]];
              }))"""
        )
        return boxes

    def follow(self, code: str) -> None:
        """Take note of an action played on the page, and wait until the server has answered it."""
        self.position = play(self.position, parse_action(code)).position
        self.settled()

    def settled(self, timeout: float = 10_000) -> None:
        """Wait until every place shows what it should: one question, however many places."""
        if self.position.table.home < 104:  # the results may already lie over a table that is won
            wanted = names_of(self.position.table)
            self.page.wait_for_function(SHOWS, arg=wanted, timeout=timeout)

    def said(self, text: str) -> None:
        """Expect a sentence in the line under the table."""
        expect(self.page.locator(".line")).to_contain_text(text)
