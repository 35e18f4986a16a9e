"""Every message of the pages stands in both catalogues, and nothing else does."""

import re

import pytest

from tests.web import messages
from tests.web.messages import LANGUAGES, catalogue, key, wanted

_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")


@pytest.fixture(scope="module")
def asked() -> set[messages.Wanted]:
    return wanted()


def test_the_extractor_sees_code_and_templates(asked: set[messages.Wanted]) -> None:
    assert messages.Wanted("", "No such race", "") in asked  # games/web
    assert messages.Wanted("", "%(moves)s move", "%(moves)s moves") in asked  # templates
    assert messages.Wanted("button", "Join", "") in asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_missing_or_unused(language: str, asked: set[messages.Wanted]) -> None:
    given = {key(message) for message in catalogue(language) if message.id}
    assert sorted(asked - given) == []
    assert sorted(given - asked) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_with_its_placeholders(language: str) -> None:
    read = catalogue(language)
    assert list(read.obsolete) == []
    for message in read:
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        texts = messages.texts(message)
        assert len(texts) == (read.num_plurals if message.pluralizable else 1), message.id
        wanted_holders = sorted(_PLACEHOLDER.findall(key(message).text))
        for text in texts:
            assert text.strip(), message.id
            assert sorted(_PLACEHOLDER.findall(text)) == wanted_holders, message.id
            assert "%" not in _PLACEHOLDER.sub("", text), message.id
        assert list(message.check(read)) == [], message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_are_the_languages_own(language: str) -> None:
    same = {str(message.id) for message in catalogue(language) if message.id == message.string}
    assert same <= {"Crescent Four"}
