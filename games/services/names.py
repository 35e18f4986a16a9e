"""What a player may be called."""

import re
import unicodedata

from confusable_homoglyphs import confusables

from games.services.denied import Denial, Denied

SHORTEST, LONGEST = 2, 24  # visible characters
LONGEST_TYPED = 4 * LONGEST
"""Code points that a name may have as it is typed, with all its marks; what is longer is refused
before it is normalised, which takes time and may make eighteen of one."""
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters, marks and symbols by category, and yet nobody sees them: fillers, joiners, a blank.
_BLANKS = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Choose how the character before them is drawn: phones type them behind a heart."""


def clean(name: str) -> str:
    """Return `name` as it will be shown: NFKC, trimmed, single spaces, no variation selectors.

    :raises Denied: bad_name, for control, zero-width or direction characters, and for fewer than
        2 or more than 24 visible characters (a letter with its marks is one).
    """
    if len(name) > LONGEST_TYPED:
        raise Denied(Denial.BAD_NAME, f"A name has at most {LONGEST} characters.")
    shown = " ".join(unicodedata.normalize("NFKC", _VARIANTS.sub("", name)).split())
    if any(unicodedata.category(one) in _UNSEEN or one in _BLANKS for one in shown):
        raise Denied(Denial.BAD_NAME, "A name can't hold characters that nobody sees.")
    marks = 0
    visible = 0
    for character in shown:
        if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"}:
            marks += 1
            if marks > 2 * LONGEST or visible == 0:
                raise Denied(Denial.BAD_NAME, "A name can't consist of marks.")
        else:
            visible += 1
    if not SHORTEST <= visible <= LONGEST:
        raise Denied(Denial.BAD_NAME, f"A name has {SHORTEST} to {LONGEST} characters.")
    if not any(character.isalnum() for character in shown):
        raise Denied(Denial.BAD_NAME, "A name needs a letter or a digit.")
    return shown


def key(name: str) -> str:
    """Return what two names share when they are the same name: NFKC, case-folded."""
    return unicodedata.normalize("NFKC", name).casefold()


def look_alike(name: str, other: str) -> bool:
    """Tell whether people would take one name for the other (Unicode's confusables).

    Names are the same whatever their case, so they are compared as small letters and as capitals:
    Cyrillic ТОМ is a Latin TOM in capitals alone.
    """
    return any(one == another for one, another in zip(looks(name), looks(other), strict=True))


def looks(name: str) -> tuple[str, str]:
    """Return what a name looks like, as small letters and as capitals: who shares either with
    another looks like them."""
    small = key(name)
    return _skeleton(small), _skeleton(small, capitals=True)


def _skeleton(key: str, *, capitals: bool = False) -> str:
    """Each character replaced by the plainest that looks like it."""
    return "".join(_plainest(one, capitals) for one in key if not one.isspace())


def _plainest(character: str, capitals: bool) -> str:
    small, capital = _ascii_like(character), _ascii_like(character.upper())
    alike = (capital or small) if capitals else (small or capital)
    plain = min(alike, default=character).casefold()
    return {"0": "o", "1": "l", "|": "l", "i": "l"}.get(plain, plain)


def _ascii_like(character: str) -> list[str]:
    if character.isascii():
        return [character]
    table: dict[str, list[dict[str, str]]] = confusables.confusables_data
    return [item["c"] for item in table.get(character, ()) if item["c"].isascii()]
