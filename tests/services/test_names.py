"""What a player may be called, and which names people would take for each other."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.models import Player
from games.services import names
from games.services.denied import Denial, Denied

INVISIBLE = {
    "control": "\x00",
    "escape": "\x1b",
    "delete": "\x7f",
    "soft hyphen": "\u00ad",
    "combining grapheme joiner": "\u034f",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "right-to-left isolate": "\u2067",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "line separator inside": "\u2060\u2028",
    "hangul filler": "\u3164",
    "hangul choseong filler": "\u115f",
    "halfwidth hangul filler": "\uffa0",
    "braille blank": "\u2800",
    "khmer inherent vowel": "\u17b4",
    "mongolian variation selector": "\u180b",
    "tag": "\U000e0041",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "lone surrogate": "\ud800",
}


def refused(name: str) -> Denied:
    with pytest.raises(Denied) as caught:
        names.clean(name)
    assert caught.value.reason == Denial.BAD_NAME
    return caught.value


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Anh", "Anh"),
        ("  Anh \t Thư\n", "Anh Thư"),
        ("Ａｎｈ　５", "Anh 5"),
        ("ﬁnn", "finn"),
        ("Tha\u0309o", "Thảo"),
        ("Олена", "Олена"),
        ("नमस्ते", "नमस्ते"),
        ("Anh ❤\ufe0f", "Anh ❤"),
        ("葛\U000e0100城", "葛城"),
        ("an\u00a0na", "an na"),
        ("\u2028Anh\u2029", "Anh"),
    ],
)
def test_a_name_is_shown_composed_trimmed_and_without_drawing_hints(typed: str, shown: str) -> None:
    assert names.clean(typed) == shown


@pytest.mark.parametrize("hidden", INVISIBLE.values(), ids=INVISIBLE)
@pytest.mark.parametrize("name", ["An{}h", "{}Anh", "Anh{}", "{0}{0}"])
def test_nobody_gets_a_name_with_characters_that_nobody_sees(name: str, hidden: str) -> None:
    refused(name.format(hidden))


@pytest.mark.parametrize("count", [2, 3, 23, 24])
@pytest.mark.parametrize("letter", ["a", "я", "ệ", "字", "e\u0323\u0302", "x\u0302"])
def test_names_of_two_to_twenty_four_letters_are_taken_marks_not_counted(
    letter: str, count: int
) -> None:
    assert names.clean(letter * count) == unicodedata.normalize("NFKC", letter * count)


@pytest.mark.parametrize("name", ["", " ", "a", " a ", "a" * 25, "字" * 25, "ﷺﷺ", "a" * 5_000_000])
def test_shorter_and_longer_names_are_refused(name: str) -> None:
    refused(name)


@pytest.mark.parametrize(
    "name", ["a" + "\u0301" * 60, "\u0301abc", "\u20e3ab", "´ab", "aa" * 2 + "\u0332" * 49]
)
def test_names_made_of_marks_are_refused(name: str) -> None:
    refused(name)


@pytest.mark.parametrize("name", ["--", "!?", "❤❤", "· ·", "\u0964\u0964"])
def test_a_name_needs_a_letter_or_a_digit(name: str) -> None:
    refused(name)


@given(st.text(max_size=40) | st.text("aА0e\u0301\u0332 \u200b\ufe0f\u3164´ﷺ", max_size=100))
@example("e\ufe0f\u0301a")
@example("ẛ\u0323a")
def test_what_is_shown_fits_the_column_and_is_shown_the_same_when_cleaned_again(text: str) -> None:
    try:
        shown = names.clean(text)
    except Denied:
        refused(text)
        return
    assert names.clean(shown) == shown == shown.strip()
    assert unicodedata.is_normalized("NFKC", shown)
    assert "  " not in shown
    assert len(shown) <= (Player._meta.get_field("name").max_length or 0)
    assert len(names.key(shown)) <= (Player._meta.get_field("name_key").max_length or 0)
    bare = [one for one in shown if unicodedata.category(one) not in {"Mn", "Me"}]
    assert 2 <= len(bare) <= 24


@pytest.mark.parametrize(
    ("name", "other"), [("Anh", "aNH"), ("ＡＮＨ", "anh"), ("Straße", "STRASSE"), ("ΣΑΣ", "σας")]
)
def test_one_key_for_one_name_whatever_its_case_and_width(name: str, other: str) -> None:
    assert names.key(name) == names.key(other)


ALIKE = [
    ("Anh", "anh"),
    ("Anh", "An h"),
    ("Оля", "Oля"),  # a Cyrillic O, a Latin one
    ("paypal", "раураӏ"),
    ("TOM", "ТОМ"),  # all three Cyrillic: alike as capitals alone
    ("Kate", "Кate"),
    ("Max", "Мax"),
    ("Nina", "Νina"),  # a Greek capital
    ("Irina", "Іrіna"),
    ("Ian", "lan"),
    ("Ian", "1an"),
    ("Al", "A|"),
    ("Bob", "B0b"),
    ("Bob", "BOB"),
    ("Dоnаld", "DONALD"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_a_name_that_looks_like_another_is_found_out(name: str, other: str) -> None:
    assert names.look_alike(name, other)
    assert names.look_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Anh", "Ann"), ("Thảo", "Thao"), ("Олена", "Олег"), ("Bob 1", "Bob 2"), ("Vy", "Vỹ")],
)
def test_names_that_people_tell_apart_are_not_taken_for_each_other(name: str, other: str) -> None:
    assert not names.look_alike(name, other)


@given(st.text(max_size=12), st.text(max_size=12))
def test_looking_alike_goes_both_ways_and_holds_whatever_the_case(name: str, other: str) -> None:
    assert names.look_alike(name, name)
    assert names.look_alike(name, other) == names.look_alike(other, name)
    assert names.look_alike(name, name.casefold())
    assert names.look_alike(name, unicodedata.normalize("NFD", name))
