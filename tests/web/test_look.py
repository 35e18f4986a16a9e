"""A page is drawn as its reader wants it from the first byte: by the account, else by cookies."""

import html
import json
import re

import pytest
from django.test import Client

from games.models import Player
from tests.web import scenes
from tests.web.scenes import text_of

pytestmark = pytest.mark.django_db


def root(client: Client, path: str = "/rules/", language: str = "en") -> dict[str, str]:
    """Read the attributes of <html>."""
    body = text_of(client.get(path, headers={"accept-language": language}))
    tag = re.search(r"<html ([^>]*)>", body)
    assert tag
    return {name: html.unescape(text) for name, text in re.findall(r'([\w-]+)="([^"]*)"', tag[1])}


def account(language: str = "", **preferences: str) -> Client:
    player = Player.objects.create(
        name="Anh", name_key="anh", is_guest=False, language=language, preferences=preferences
    )
    client = Client()
    client.force_login(player)
    return client


def test_an_account_has_its_look_on_every_device() -> None:
    client = account(theme="dark", suits="4", cards="s", sound="on")
    for path in ("/", "/rules/", "/account/", "/nowhere/"):
        found = root(client, path)
        kept = json.loads(found.pop("data-account"))
        assert kept == {"theme": "dark", "suits": "4", "cards": "s", "sound": "on"}
        look = {"data-theme": "dark", "data-suits": "4", "data-cards": "s"}
        assert found == {"lang": "en", **look}


def test_the_cookies_of_a_device_change_nothing_for_an_account() -> None:
    client = account(theme="auto")
    client.cookies["theme"], client.cookies["suits"] = "dark", "4"
    assert root(client) == {"lang": "en", "data-account": '{"theme": "auto"}'}


@pytest.mark.parametrize("signed_in", [False, True])
def test_a_guest_and_a_visitor_have_what_their_browser_tells(
    client: Client, signed_in: bool
) -> None:
    if signed_in:
        client.force_login(scenes.guest())
    client.cookies["theme"], client.cookies["suits"], client.cookies["cards"] = "light", "4", "s"
    assert root(client) == {"lang": "en", "data-theme": "light", "data-suits": "4"}
    client.cookies["theme"], client.cookies["suits"] = '"><script>', "5"
    assert root(client) == {"lang": "en"}


def test_an_account_reads_its_language_everywhere() -> None:
    client = account(language="vi")
    assert root(client, language="uk")["lang"] == "vi"
    client.cookies["django_language"] = "uk"
    response = client.get("/rules/")
    assert response.headers["Content-Language"] == "vi"
    client.post("/language/", {"language": "uk", "next": "/"})
    assert root(client, language="en")["lang"] == "uk"


def test_a_guests_language_is_the_browsers(client: Client) -> None:
    player = scenes.guest()
    Player.objects.update(language="vi")
    client.force_login(player)
    assert root(client, language="uk")["lang"] == "uk"
