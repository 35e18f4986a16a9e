"""Every page in every language, for visitors and for players, and how much it asks of the store."""

import html
import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import clock
from games.models import Game, Race
from tests.web import scenes
from tests.web.scenes import LANGUAGES, text_of

pytestmark = pytest.mark.django_db

RULES = {"en": "Rules", "uk": "Правила", "vi": "Luật chơi"}
OWN_PAGES = (
    *("/", "/races/", "/rules/", "/leaderboards/", "/daily/", "/account/", "/account/sign-in/"),
    *("/deals/CR1-N-AAAAAAB/", "/deals/CR1-F-QWERTYU/"),
)


def addresses() -> list[str]:
    """Addresses of every kind of page, with something to show on each."""
    host = scenes.guest("Oksana")
    won = scenes.finished(host)
    lobby = scenes.race(host, listed=True)
    running = scenes.started(scenes.race(host, "CR1-N-BBBBBBB"), scenes.guest("Marek"))
    return [
        *OWN_PAGES,
        f"/deals/{won.race.deal.code}/",
        f"/deals/{won.race.deal.code}/?by=moves",
        f"/deals/{lobby.deal.code}/",
        f"/games/{won.pk}/",
        *(f"/races/{race.code}/" for race in (won.race, lobby, running)),
        f"/races/{won.race.code}/replay/",
        "/leaderboards/?scope=daily&period=week&games=first&by=moves",
        f"/players/{won.player_id}/",
    ]


@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_whole_in_every_language(
    client: Client, language: str, signed_in: bool
) -> None:
    paths = addresses()
    if signed_in:
        client.force_login(scenes.guest("Thảo Nguyên"))
    for path in paths:
        response = client.get(path, headers={"accept-language": language})
        body = text_of(response)
        assert response.status_code == 200, path
        assert f'<html lang="{language}"' in body, path
        assert RULES[language] in body, path
        assert "csrftoken" in response.cookies, path
        assert re.search(r"<title>\S.*</title>", body), path
        for name in ("og:title", "og:description", "og:url"):
            assert re.search(rf'<meta property="{name}" content="\S[^"]*">', body), (path, name)
        assert re.search(r'<meta name="description" content="\S[^"]*">', body), path
        assert ("Thảo Nguyên" in html.unescape(body)) == signed_in, path
        assert "private" in response.headers["Cache-Control"], path


@pytest.mark.parametrize("path", [*OWN_PAGES, "/nowhere/"])
def test_no_page_breaks_its_own_content_security_policy(client: Client, path: str) -> None:
    response = client.get(path)
    body = text_of(response)
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert not re.search(r"\sstyle=|\son\w+=|<style", body)
    for attributes in re.findall(r"<script([^>]*)>", body):
        assert " src=" in attributes or 'type="application/json"' in attributes


def test_the_look_chosen_is_drawn_from_the_first_byte(client: Client) -> None:
    client.cookies["theme"] = "dark"
    client.cookies["suits"] = "4"
    assert 'data-theme="dark" data-suits="4"' in text_of(client.get("/"))
    client.cookies["theme"] = '"><script>'
    assert "data-theme=" not in text_of(client.get("/"))


def test_the_start_page_lists_only_races_that_can_be_joined(client: Client) -> None:
    host = scenes.guest("Oksana")
    joinable = scenes.race(host, listed=True)
    secret = scenes.race(host)
    full = scenes.race(host, listed=True, seats=1)
    running = scenes.started(scenes.race(host, "CR1-N-BBBBBBB", listed=True))
    left = scenes.race(host, listed=True)
    Race.objects.filter(pk=left.pk).update(created_at=clock.now_ms() - 3_600_000)
    body = text_of(client.get("/"))
    assert f"/races/{joinable.code}/" in body
    for race in (secret, full, running, left):
        assert race.code not in body
    Game.objects.filter(race=left).update(seen_at=clock.now_ms())
    assert left.code in text_of(client.get("/"))


def test_the_start_page_shows_each_players_best_of_today(client: Client) -> None:
    fast, slow = scenes.guest("Halyna"), scenes.guest("Nam")
    scenes.finished(fast, ms=292_199)
    scenes.finished(fast, ms=400_000)
    scenes.finished(slow, ms=3_723_000)
    body = text_of(client.get("/"))
    assert body.index("04:52.1") < body.index("1:02:03.0")
    assert "06:40.0" not in body


def test_pages_ask_the_store_the_same_however_much_they_show(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    code = "CR1-N-CCCCCCC"
    for number in range(12):
        player = scenes.guest(f"Player {number}")
        scenes.finished(player, code, ms=100_000 + number)
        scenes.race(player, code, listed=True)
    client.force_login(player)
    for path, most in (("/", 8), (f"/deals/{code}/", 16), (f"/deals/{code}/?by=moves", 16)):
        with django_assert_max_num_queries(most):
            assert "Player 3" in text_of(client.get(path))


@pytest.mark.parametrize("path", ["/deals/CR1-N-CCCCCCC/", "/daily/", "/leaderboards/"])
def test_a_board_alone_asks_the_store_for_nothing_else(
    client: Client, path: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    player = scenes.guest("Player 3")
    scenes.finished(player, "CR1-N-CCCCCCC")
    client.force_login(player)
    client.get("/daily/")  # which makes the day
    with django_assert_max_num_queries(6):
        board = text_of(client.get(f"{path}?part=board"))
    assert "<main" not in board
    assert board in text_of(client.get(path))


def test_names_are_escaped_everywhere(client: Client) -> None:
    game = scenes.finished(scenes.guest("<b>Eve</b>"))
    lobby = scenes.race(scenes.guest("</script>"), listed=True)
    client.force_login(scenes.guest("<i>Zoe</i>"))
    for path in (
        "/",
        f"/deals/{game.race.deal.code}/",
        f"/games/{game.pk}/",
        f"/races/{lobby.code}/",
    ):
        body = text_of(client.get(path))
        assert not re.search(r"<b>Eve|<i>Zoe", body), path
        assert body.count("</script>") == body.count("<script"), path
