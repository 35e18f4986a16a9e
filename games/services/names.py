"""What a player may be called."""

import unicodedata

from confusable_homoglyphs import confusables

from games.services.denied import Denial, Denied

SHORTEST, LONGEST = 2, 24  # visible characters
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean(name: str) -> str:
    """Return `name` as it will be shown: NFKC, trimmed, single spaces.

    :raises Denied: bad_name, for control, zero-width or direction characters, and for fewer than
        2 or more than 24 visible characters (a letter with its marks is one).
    """
    if len(name) > 4 * LONGEST:
        raise Denied(Denial.BAD_NAME, f"A name has at most {LONGEST} characters.")
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if any(unicodedata.category(character) in _UNSEEN for character in shown):
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
    """Tell whether people would take one name for the other (Unicode's confusables)."""
    return _skeleton(name) == _skeleton(other)


def _skeleton(name: str) -> str:
    """Each character replaced by the plainest that looks like it."""
    return "".join(_plainest(character) for character in key(name) if not character.isspace())


def _plainest(character: str) -> str:
    if character.isascii() and character not in "01|":
        return character
    table: dict[str, list[dict[str, str]]] = confusables.confusables_data
    alike = [item["c"] for item in table.get(character, ()) if item["c"].isascii()]
    plain = min(alike, default=character).casefold()
    return {"0": "o", "1": "l", "|": "l", "i": "l"}.get(plain, plain)
