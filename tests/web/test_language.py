"""The language is the browser's until it is chosen; then it is the player's."""

import re

import pytest
from django.test import Client

from tests.web import scenes
from tests.web.scenes import text_of

pytestmark = pytest.mark.django_db


def test_choosing_a_language_is_remembered_by_the_browser_and_the_player(client: Client) -> None:
    player = scenes.guest()
    client.force_login(player)
    response = client.post("/language/", {"language": "vi", "next": "/rules/"})
    assert response.headers["Location"] == "/rules/"
    assert int(response.cookies["django_language"]["max-age"]) > 300 * 24 * 3600
    player.refresh_from_db()
    assert player.language == "vi"
    assert '<html lang="vi"' in text_of(client.get("/rules/", headers={"accept-language": "uk"}))


def test_a_visitor_may_choose_too(client: Client) -> None:
    client.post("/language/", {"language": "uk", "next": "/"})
    assert '<option value="uk" lang="uk" selected>' in text_of(client.get("/"))


@pytest.mark.parametrize("language", ["xx", "", "de"])
def test_a_language_that_is_not_spoken_changes_nothing(client: Client, language: str) -> None:
    player = scenes.guest()
    client.force_login(player)
    client.post("/language/", {"language": language, "next": "/"})
    player.refresh_from_db()
    assert player.language == ""
    assert '<html lang="en"' in text_of(client.get("/"))


def test_the_switch_leads_to_no_other_site(client: Client) -> None:
    response = client.post("/language/", {"language": "uk", "next": "https://evil.example/"})
    assert response.headers["Location"] == "/"


def test_a_language_nobody_here_speaks_is_english(client: Client) -> None:
    assert '<html lang="en"' in text_of(client.get("/", headers={"accept-language": "de,fr"}))


def test_plurals_are_the_languages_own(client: Client) -> None:
    code = "CR1-N-JJJJJJJ"
    for number, moves in enumerate((101, 103, 105)):
        scenes.finished(scenes.guest(f"Player {number}"), code, moves=moves)
    body = text_of(client.get("/", headers={"accept-language": "uk"}))
    for words in ("101 хід<", "103 ходи<", "105 ходів<"):
        assert words in body
    body = text_of(client.get(f"/deals/{code}/", headers={"accept-language": "uk"}))
    assert "3 перерозподіли" in body


def test_the_choices_of_forms_are_translated_when_they_are_shown(client: Client) -> None:
    body = text_of(client.get("/races/", headers={"accept-language": "vi"}))
    assert "60 phút" in body
    assert "minute" not in body


@pytest.mark.parametrize("language", ["en", "uk", "vi"])
def test_every_language_is_called_by_its_own_name(client: Client, language: str) -> None:
    client.cookies["django_language"] = language
    body = client.get("/").content.decode()
    offered = re.findall(r'<option value="(?:en|uk|vi)"[^>]*>([^<]*)', body)
    assert offered == ["English", "Українська", "Tiếng Việt"]


def test_a_race_on_a_deal_asks_for_no_other(client: Client) -> None:
    body = client.get("/races/?deal=CR1-N-CRESCEN").content.decode()
    assert 'value="CR1-N-CRESCEN"' in body
    assert '<select name="deal"' not in body
    assert '<select name="deal"' in client.get("/races/").content.decode()
