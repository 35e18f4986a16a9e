"""Deal codes and the deal function."""

import random
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, read_cards
from games.engine.deals import (
    CODE_COUNT,
    KINDS,
    BadDealCode,
    BadLayout,
    DealCode,
    SealedDeal,
    commitment,
    deal,
    layout_of,
    parse_deal_code,
    seed_of,
    validate_layout,
)

from .facts import read_facts

FACTS = read_facts("deals")
LETTERS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=7, max_size=7)
CODES = st.builds(DealCode, st.sampled_from(KINDS), LETTERS)
DASHES = "-‐‑‒–—―−﹘﹣－⸺〜\u00ad"
SPACES = " \t\n\u00a0\u2003\u2009\u202f\u3000\u200b\ufeff"


@pytest.mark.parametrize("fact", FACTS["letters"], ids=lambda fact: fact["letters"])
def test_letters_deal_the_documented_cards(fact: dict[str, str]) -> None:
    for kind in ("N", "F"):
        layout = layout_of(parse_deal_code(f"CR1-{kind}-{fact['letters']}"))
        assert layout == fact["layout"]
        validate_layout(layout)


@pytest.mark.parametrize("fact", FACTS["sealed"])
def test_seeds_deal_the_documented_cards_and_commitment(fact: dict[str, str]) -> None:
    seed = bytes.fromhex(fact["seed_hex"])
    assert deal(seed) == fact["layout"]
    assert commitment(seed, fact["layout"]) == fact["commitment"]


@given(st.binary(max_size=32))
def test_any_seed_deals_the_whole_deck(seed: bytes) -> None:
    assert Counter(read_cards(deal(seed))) == Counter(DECK)


def test_code_of_a_sealed_deal_tells_no_cards() -> None:
    code = parse_deal_code("CR1-S-AAAAAAB")
    assert code.sealed
    for ask in (seed_of, layout_of):
        with pytest.raises(SealedDeal, match="CR1-S-AAAAAAB"):
            ask(code)


def test_crescent_four_has_a_fourth_redeal() -> None:
    assert [DealCode(kind, "AAAAAAB").redeals for kind in KINDS] == [3, 4, 3]


def test_codes_alike_are_those_that_deal_the_same_cards() -> None:
    for kind in ("N", "F"):
        alike = DealCode(kind, "QRSTUVW").alike
        assert alike == ("CR1-N-QRSTUVW", "CR1-F-QRSTUVW")
        assert len({layout_of(parse_deal_code(code)) for code in alike}) == 1
    assert DealCode("S", "QRSTUVW").alike == ("CR1-S-QRSTUVW",)


@given(CODES)
def test_shown_form_is_read_back(code: DealCode) -> None:
    assert parse_deal_code(str(code)) == code
    assert len(str(code)) == 13


@given(st.integers(0, CODE_COUNT - 1))
def test_letters_count_deals_in_base_26(number: int) -> None:
    code = DealCode.of_number("N", number)
    assert code.number == number
    assert parse_deal_code(str(code)).number == number


def test_first_and_last_deal_numbers() -> None:
    assert str(DealCode.of_number("N", 1)) == "CR1-N-AAAAAAB"
    assert str(DealCode.of_number("F", CODE_COUNT - 1)) == "CR1-F-ZZZZZZZ"
    for number in (-1, CODE_COUNT):
        with pytest.raises(ValueError, match="no deal number"):
            DealCode.of_number("N", number)


@given(CODES, st.randoms(use_true_random=False))
def test_case_spaces_and_dashes_may_vary_or_be_missing(
    code: DealCode, chance: random.Random
) -> None:
    typed = ""
    for character in str(code).replace("-", ""):
        typed += chance.choice(["", "", "", *DASHES, *SPACES])
        typed += chance.choice([character.lower(), character])
    typed += chance.choice(["", *SPACES])
    assert parse_deal_code(typed) == code


@pytest.mark.parametrize("dash", DASHES)
def test_every_dash_is_a_dash(dash: str) -> None:
    assert str(parse_deal_code(f"cr1{dash}n{dash}crescen")) == "CR1-N-CRESCEN"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "CR1-N-",
        "CR1-N-AAAAAA",
        "CR1-N-AAAAAAAA",
        "CR1-X-AAAAAAB",
        "CR2-N-AAAAAAB",
        "CRI-N-AAAAAAB",
        "CR1-N-AAAAAA1",
        "CR１-N-AAAAAAB",
        "CR1-N-ＡAAAAAB",
        "CR1-N-AAAAAAſ",
        "ſR1-N-AAAAAAB",
        "CR1-N-AAAAAß",
        "CR1-N-AAAAAﬀ",
        "CR1-N-AAAAAAı",
        "CR1-N-AAAAAAİ",
        "CR1-N-AAAAAAК",
        "СR1-N-AAAAAAB",
        "CR1-N-AAAAAAB.",
        "CR1_N_AAAAAAB",
        "CR1/N/AAAAAAB",
        "CR1-N-AAAAAAB\0",
        "CR1-N-AAAAAA\u0301B",
        "\u202eCR1-N-AAAAAAB",
        "\ud800CR1-N-AAAAAAB",
        "CR1-N-AAAAAAB" + " " * 60,
    ],
)
def test_nothing_else_is_a_deal_code(text: str) -> None:
    with pytest.raises(BadDealCode) as caught:
        parse_deal_code(text)
    assert caught.value.reason == "bad_deal"
    assert len(str(caught.value)) < 400


@given(st.text(max_size=80))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        code = parse_deal_code(text)
    except BadDealCode:
        return
    rest = "".join(
        character
        for character in text
        if unicodedata.category(character)[0] not in "ZPC" and character != "\u2212"
    )
    assert rest.upper() == str(code).replace("-", "")


@given(CODES, st.integers(0, 12), st.characters())
def test_one_wrong_character_is_never_read_as_another_code(
    code: DealCode, place: int, character: str
) -> None:
    text = str(code)
    text = text[:place] + character + text[place + 1 :]
    try:
        found = parse_deal_code(text)
    except BadDealCode:
        return
    assert character.isascii() or unicodedata.category(character)[0] in "ZPCS"
    assert str(found) == text.upper() or found == code


@pytest.mark.parametrize("letters", ["", "AAAAAA", "aaaaaaa", "AAAAAAA\n", "ААААААА"])
def test_a_deal_code_is_never_made_of_wrong_letters(letters: str) -> None:
    with pytest.raises(BadDealCode):
        DealCode("N", letters)


def test_layouts_that_are_none_are_refused() -> None:
    layout = FACTS["letters"][0]["layout"]
    for text, says in (
        (layout[:-2], "192 characters"),
        (layout + "AS", "192 characters"),
        ("1S" + layout[2:], "not a card"),
        (layout[2:4] + layout[2:], "lacks"),
        ("AS" * 96, "lacks"),
        (layout.lower(), "not a card"),
    ):
        with pytest.raises(BadLayout, match=says):
            validate_layout(text)


def test_words_that_would_favour_some_cards_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first word that is too high for 96 choices, and the last that is not.
    too_high = 2**32 // 96 * 96

    def deal_of(*words: int) -> str:
        stream = iter([*words, *[0] * 200])
        monkeypatch.setattr("games.engine.deals._words", lambda seed: stream)
        return deal(b"")

    assert deal_of(too_high, 7) == deal_of(7) != deal_of(95)
    assert deal_of(2**32 - 1, too_high, 7) == deal_of(7)
    assert deal_of(too_high - 1) == deal_of(95)
