"""What a shared link says: of what is there, in the page's language, under one address."""

import html
import re

import pytest
from django.test import Client

from games.models import Game
from tests.web import scenes
from tests.web.scenes import LANGUAGES, text_of

pytestmark = pytest.mark.django_db

LOCALES = {"en": "en_US", "uk": "uk_UA", "vi": "vi_VN"}
DEAL = "CR1-N-AAAAAAB"


@pytest.fixture
def pages() -> dict[str, tuple[str, list[str]]]:
    """Addresses by what they show, each with what its link has to tell in any language."""
    halyna, nam = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(halyna, DEAL), nam)
    game = scenes.end(race, halyna, ms=292_100)
    lost = scenes.end(race, nam, won=False)
    Game.objects.update(seq=1)
    lobby = scenes.race(scenes.guest("Oksana"))
    empty = scenes.started(scenes.race(scenes.guest("Zoe"), "CR1-N-ZZZZZZZ", seats=1))
    scenes.end(empty, empty.host, won=False)
    return {
        "game": (f"/games/{game.pk}/", ["Halyna", DEAL, "04:52.1", "100"]),
        "lost game": (f"/games/{lost.pk}/", ["Nam", DEAL, "40"]),
        "compare": (f"/games/{game.pk}/compare/{lost.pk}/", ["Halyna", "Nam", DEAL]),
        "replay": (f"/races/{race.code}/replay/", [race.code, "Halyna", "04:52.1"]),
        "results": (f"/races/{race.code}/", [race.code, "Halyna", "04:52.1"]),
        "nobody home": (f"/races/{empty.code}/replay/", [empty.code]),
        "lobby": (f"/races/{lobby.code}/", ["Oksana", "2"]),
        "deal": (f"/deals/{DEAL}/", [DEAL, "04:52.1"]),
        "unplayed deal": ("/deals/CR1-F-ABCDEFG/", ["CR1-F-ABCDEFG"]),
        "player": (f"/players/{halyna.pk}/", ["Halyna", "04:52.1", "1"]),
        "loser": (f"/players/{nam.pk}/", ["Nam"]),
    }


def meta(body: str) -> dict[str, str]:
    found = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', body))
    found["canonical"] = re.findall(r'<link rel="canonical" href="([^"]*)">', body)[0]
    found["title"] = re.findall(r"<title>(.*?)</title>", body)[0]
    return {name: html.unescape(text) for name, text in found.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shared_link_says_what_it_shows(
    client: Client, pages: dict[str, tuple[str, list[str]]], language: str
) -> None:
    for kind, (path, told) in pages.items():
        response = client.get(f"{path}?at=5000", headers={"accept-language": language})
        found = meta(text_of(response))
        shown = f"{found['og:title']} {found['og:description']}"
        assert [one for one in told if one not in shown] == [], kind
        assert found["description"] == found["og:description"], kind
        assert found["title"].endswith(" · Crescent"), kind
        assert found["og:locale"] == LOCALES[language]
        assert found["canonical"] == found["og:url"] == f"http://testserver{path}", kind
        assert re.search("[а-яіїє]", shown) is None or language == "uk"


def test_the_three_languages_say_it_differently(
    client: Client, pages: dict[str, tuple[str, list[str]]]
) -> None:
    for kind, (path, _) in pages.items():
        told = {
            meta(text_of(client.get(path, headers={"accept-language": language})))["description"]
            for language in LANGUAGES
        }
        assert len(told) == len(LANGUAGES), kind
        assert not any("{" in text or "%(" in text for text in told), kind


def test_a_race_under_way_tells_no_result(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    scenes.end(race, winner, ms=61_000)
    found = meta(text_of(client.get(f"/races/{race.code}/")))
    assert "01:01.0" not in found["og:description"]


def test_a_private_players_link_tells_nothing_of_their_games(client: Client) -> None:
    game = scenes.finished(scenes.guest("Halyna"), ms=61_000)
    path = f"/players/{game.player_id}/"
    assert "01:01.0" in meta(text_of(client.get(path)))["og:description"]
    client.force_login(game.player)
    client.post(path, {"private": "yes"})
    client.logout()
    body = text_of(client.get(path))
    assert "01:01.0" not in meta(body)["og:description"]
    assert '<meta name="robots" content="noindex">' in body
