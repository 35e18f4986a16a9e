"""Deal codes, and the way from a code or a seed to the cards."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, get_args

from .cards import DECK, SLOT_COUNT, Card, read_cards
from .errors import BadDealCode, BadLayout, SealedDeal

__all__ = [
    "CODE_COUNT",
    "KINDS",
    "BadDealCode",
    "BadLayout",
    "DealCode",
    "DealKind",
    "SealedDeal",
    "commitment",
    "deal",
    "layout_of",
    "parse_deal_code",
    "read_layout",
    "seed_of",
    "validate_layout",
]

DealKind = Literal["N", "F", "S"]
KINDS: tuple[DealKind, ...] = get_args(DealKind)

CODE_COUNT = 26**7
"""How many deals of a kind can be named."""

SEED_BYTES = 16
"""The length of a sealed deal's seed."""

_SCHEME = b"crescent-1:"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LONGEST_CODE = 64
_CODE = re.compile(r"CR1([NFS])([A-Z]{7})")
_SEPARATORS = "\t\n\v\f\r\u00ad\u200b\u2043\u2212\ufeff"
"""What players take for a space or a dash although Unicode files it elsewhere."""


@dataclass(frozen=True, slots=True, order=True)
class DealCode:
    """The name of a deal: its kind (N, F or S) and seven letters A-Z."""

    kind: DealKind
    letters: str

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(f"CR1{self.kind}{self.letters}"):
            raise BadDealCode(str(self))

    def __str__(self) -> str:
        """Give the form that is always shown."""
        return f"CR1-{self.kind}-{self.letters}"

    @property
    def redeals(self) -> Literal[3, 4]:
        """How many redeals a game of this kind has: Crescent Four allows a fourth."""
        return 4 if self.kind == "F" else 3

    @property
    def sealed(self) -> bool:
        """Whether the cards come from a secret seed instead of the letters."""
        return self.kind == "S"

    @property
    def alike(self) -> tuple[str, ...]:
        """The codes that deal these same cards: N and F of the same letters do."""
        if self.sealed:
            return (str(self),)
        return (f"CR1-N-{self.letters}", f"CR1-F-{self.letters}")

    @property
    def number(self) -> int:
        """The letters read as a base-26 number, A = 0: "AAAAAAB" is 1."""
        number = 0
        for letter in self.letters:
            number = number * 26 + _LETTERS.index(letter)
        return number

    @classmethod
    def of_number(cls, kind: DealKind, number: int) -> "DealCode":
        """Give the code of deal `number`, 0 to CODE_COUNT - 1.

        :raises ValueError: for another number.
        """
        if not 0 <= number < CODE_COUNT:
            raise ValueError(f"there is no deal number {number}")
        letters = ""
        for _ in range(7):
            number, letter = divmod(number, 26)
            letters = _LETTERS[letter] + letters
        return cls(kind, letters)


def parse_deal_code(text: str) -> DealCode:
    """Read a deal code as a person may have typed, pasted or heard it.

    Case does not matter, nor where spaces and dashes of any kind stand. Anything else must be
    there, in ASCII. At most 64 characters are looked at.

    :raises BadDealCode: if that isn't a deal code.
    """
    if len(text) > _LONGEST_CODE:
        raise BadDealCode(text)
    code = "".join(character for character in text if not _separates(character))
    found = _CODE.fullmatch(code.upper()) if code.isascii() else None
    if found is None:
        raise BadDealCode(text)
    kind = next(kind for kind in KINDS if kind == found[1])
    return DealCode(kind, found[2])


def _separates(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Pd" or category.startswith("Z") or character in _SEPARATORS


def seed_of(code: DealCode) -> bytes:
    """Give the seed of a deal whose cards follow from its code (kinds N and F).

    :raises SealedDeal: for a sealed deal: its seed is random and stored elsewhere.
    """
    if code.sealed:
        raise SealedDeal(str(code))
    return _SCHEME + code.letters.encode("ascii")


def deal(seed: bytes) -> str:
    """Give the layout that a seed leads to: 96 cards, 192 characters, pile 1 first, bottom to top.

    An unbiased shuffle (Durstenfeld 1964) fed by SHA-256.
    """
    cards = list(DECK)
    words = _words(seed)
    for last in range(SLOT_COUNT - 1, 0, -1):
        choices = last + 1
        unbiased = 2**32 // choices * choices
        word = next(words)
        while word >= unbiased:
            word = next(words)
        other = word % choices
        cards[last], cards[other] = cards[other], cards[last]
    return "".join(cards)


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = sha256(seed + counter.to_bytes(4, "big")).digest()
        for place in range(0, len(block), 4):
            yield int.from_bytes(block[place : place + 4], "big")
        counter += 1


def layout_of(code: DealCode) -> str:
    """Give the layout of a deal whose cards follow from its code.

    :raises SealedDeal: for a sealed deal.
    """
    return deal(seed_of(code))


def commitment(seed: bytes, layout: str) -> str:
    """Give what a sealed deal shows from the start: lower-case hex that binds seed and layout."""
    return sha256(_SCHEME + seed + layout.encode("ascii")).hexdigest()


def read_layout(layout: str) -> tuple[Card, ...]:
    """Give the 96 cards of a layout by slot.

    :raises BadLayout: if the text isn't the 96 cards of a deal, each as often as it must be.
    """
    if len(layout) != 2 * SLOT_COUNT:
        raise BadLayout(f"a layout has {2 * SLOT_COUNT} characters, not {len(layout)}")
    try:
        cards = read_cards(layout)
    except ValueError as error:
        raise BadLayout(str(error)) from error
    if sorted(cards) != sorted(DECK):
        wrong = [card for card, count in (Counter(DECK) - Counter(cards)).items() if count]
        raise BadLayout(f"the layout lacks {', '.join(sorted(wrong))}")
    return cards


def validate_layout(layout: str) -> None:
    """Check that a text is the 96 cards of a deal.

    :raises BadLayout: if it is not.
    """
    read_layout(layout)
