"""The messages of the pages, as the code and the templates ask for them, and their catalogues."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.utils.translation import templatize

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("uk", "vi")
_KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


@dataclass(frozen=True, slots=True, order=True)
class Wanted:
    """A message that is asked for: its context ("" for none), singular and plural ("" for none)."""

    context: str
    text: str
    plural: str


def wanted() -> set[Wanted]:
    """Extract every message from games/**/*.py and games/templates."""
    found: set[Wanted] = set()
    for path in sorted((ROOT / "games").rglob("*.py")):
        found.update(_read(path.read_text()))
    for path in sorted((ROOT / "games" / "templates").rglob("*.*")):
        found.update(_read(templatize(path.read_text(), origin=str(path))))
    return found


def _read(source: str) -> Iterator[Wanted]:
    file = BytesIO(source.encode())
    for _line, texts, _comments, context in extract(
        "python", file, _KEYWORDS, options={"encoding": "utf-8"}
    ):
        singular, plural = (texts, "") if isinstance(texts, str) else (texts[0], texts[1])
        yield Wanted(context or "", singular, plural)


def path_of(language: str) -> Path:
    """Say where the catalogue of a language is."""
    return ROOT / "games" / "locale" / language / "LC_MESSAGES" / "django.po"


def catalogue(language: str) -> Catalog:
    """Read the catalogue of a language."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language)


def key(message: Message) -> Wanted:
    """Say which wanted message a message of a catalogue answers."""
    ids = (message.id, "") if isinstance(message.id, str) else message.id
    return Wanted(message.context or "", ids[0], ids[1])


def texts(message: Message) -> list[str]:
    """Give the translations of a message, one a plural form."""
    given = message.string or ""
    return [given] if isinstance(given, str) else [text or "" for text in given]
