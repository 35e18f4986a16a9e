"""Keeping games under a name and a password, signing in and out, another password."""

import html
import re
import unicodedata
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import IntegrityError
from django.test import Client

from games.models import Player
from games.services import accounts
from tests.web import scenes
from tests.web.scenes import LANGUAGES, text_of

pytestmark = pytest.mark.django_db

PASSWORD = "seven of spades"
WISH = {"name": "Thảo", "new_password1": PASSWORD, "new_password2": PASSWORD}
NO_SUCH = "No account has this name and this password."


@pytest.fixture(autouse=True)
def _every_test_counts_for_itself_and_hashes_quickly(settings: Any) -> None:
    settings.LIMITS = False
    settings.PASSWORD_HASHERS = [f"{MD5PasswordHasher.__module__}.MD5PasswordHasher"]


def account(name: str = "Thảo") -> Player:
    return accounts.keep(player=None, name=name, password=PASSWORD, language="")


def signed_in(name: str = "Thảo") -> tuple[Client, Player]:
    client, player = Client(), account(name)
    client.force_login(player)
    return client, player


def who(client: Client) -> str | None:
    """Whose the session is."""
    key = client.session.get("_auth_user_id")
    client.get("/account/")  # the middleware ends what is no longer good
    return key if client.session.get("_auth_user_id") == key else None


def sign_in(client: Client, name: str, password: str = PASSWORD, **fields: str) -> Any:
    return client.post("/account/sign-in/", {"username": name, "password": password, **fields})


def test_a_guest_keeps_what_they_played(client: Client) -> None:
    anh = scenes.guest()
    game = scenes.finished(anh)
    client.force_login(anh)
    session = client.session.session_key
    response = client.post("/account/", WISH)
    assert response.headers["Location"] == f"/players/{anh.pk}/"
    assert client.session.session_key != session
    assert who(client) == str(anh.pk)
    body = text_of(client.get(f"/players/{anh.pk}/"))
    assert f"/games/{game.pk}/" in body
    assert "cookie" not in body


def test_a_newcomer_makes_an_account_and_is_signed_in(client: Client) -> None:
    client.post("/account/", WISH)
    player = Player.objects.get()
    assert not player.is_guest
    assert who(client) == str(player.pk)


def test_a_name_that_was_given_is_chosen_once_it_is_kept(client: Client) -> None:
    client.post("/alone/", {"deal": "random"})
    given = Player.objects.get().name
    assert f'value="{given}"' not in text_of(client.get("/account/"))
    client.post("/account/", WISH | {"name": given})
    assert given in text_of(client.get(f"/players/{Player.objects.get().pk}/"))
    race = scenes.race(scenes.guest("Oksana"))
    assert f'"you_name": "{given}"' in text_of(client.get(f"/races/{race.code}/"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "Choose a name that the others will see."),
        ({"name": "x"}, "A name has 2 to 24 characters"),
        ({"name": "oksana"}, "Somebody here already has this name"),
        ({"new_password1": "7S", "new_password2": "7S"}, "A password has at least 8 characters."),
        ({"new_password1": "password", "new_password2": "password"}, "too common"),
        ({"new_password2": "seven of clubs"}, "didn’t match"),
        (
            {"name": "halyna1984", "new_password1": "halyna1984", "new_password2": "halyna1984"},
            "This password is too much like the name.",
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_kept(
    client: Client, changes: dict[str, str], told: str
) -> None:
    account("Oksana")
    anh = scenes.guest("Anh")
    client.force_login(anh)
    response = client.post("/account/", WISH | changes)
    anh.refresh_from_db()
    assert response.status_code == 400
    assert told in html.unescape(text_of(response))
    assert (anh.is_guest, anh.name) == (True, "Anh")
    assert PASSWORD not in text_of(response)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_with_a_password_is_said_in_the_readers_language(
    client: Client, language: str
) -> None:
    english = set()
    for password, again in (("7S", "7S"), ("password", "password"), (PASSWORD, "x"), ("", "")):
        wish = WISH | {"new_password1": password, "new_password2": again}
        response = client.post("/account/", wish, headers={"accept-language": language})
        body = html.unescape(text_of(response))
        english |= set(re.findall(r'role="alert">([^<]*)<', body))
    spoken = {text for text in english if re.search(r"\b(password|field|this|must)\b", text, re.I)}
    assert bool(spoken) == (language == "en")


def test_who_is_signed_in_with_an_account_sees_it_instead_of_forms() -> None:
    client, player = signed_in()
    for path in ("/account/", "/account/password/"):
        assert "Thảo" in html.unescape(text_of(client.get(path)))
    assert client.get("/account/sign-in/").status_code == 302
    client.post("/account/", WISH | {"name": "Other"})
    player.refresh_from_db()
    assert player.name == "Thảo"


@pytest.mark.parametrize("typed", ["Thảo", " thảo ", "THẢO", "Tha\u0309o"])
def test_signing_in_takes_any_spelling_of_the_name(client: Client, typed: str) -> None:
    player = account()
    before = client.session.session_key
    assert sign_in(client, typed).headers["Location"] == "/"
    assert who(client) == str(player.pk)
    assert client.session.session_key != before


@pytest.mark.parametrize(
    ("name", "password"),
    [("Thảo", "wrong"), ("Nobody", PASSWORD), ("Nobody", "wrong"), ("Guest", PASSWORD),
     ("Thảo", PASSWORD + " "), ("\x01", "wrong"), ("x" * 300, "wrong")],
)  # fmt: skip
def test_a_wrong_name_and_a_wrong_password_are_answered_alike(
    client: Client, name: str, password: str
) -> None:
    account()
    scenes.guest("Guest")
    response = sign_in(client, name, password)
    assert response.status_code == 400
    if len(name) < 300:
        alert = re.findall(r'role="alert">([^<]*)<', text_of(response))
        assert alert == [NO_SUCH]
    assert who(client) is None


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account/", ("name", "new_password1", "new_password2", "kept")),
        ("/account/sign-in/", ("username", "password")),
        ("/account/password/", ("old_password", "new_password1", "new_password2")),
    ],
)
def test_every_field_has_a_length_beyond_which_nothing_is_done_with_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, fields: tuple[str, ...]
) -> None:
    if "old_password" in fields:
        client.force_login(account())
    done = [0]
    normalize = unicodedata.normalize

    def watched(form: Any, text: str) -> str:
        done.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr("unicodedata.normalize", watched)
    response = client.post(path, dict.fromkeys(fields, "\ufdfa" * 5_000))
    assert response.status_code == 400
    assert set(response.context["form"].errors) >= set(fields)
    assert max(done) <= 1_000


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/account/", "/account/sign-in/", "/races/", "/admin/login/"])
def test_a_form_that_is_too_large_is_not_read(client: Client, path: str, language: str) -> None:
    huge = {"username": "\ufdfa" * 700_000}
    response = client.post(path, huge, headers={"accept-language": language})
    assert response.status_code == 413
    told = {"en": "Shorten it", "uk": "Скоротіть", "vi": "Hãy rút ngắn"}
    assert told[language] in html.unescape(text_of(response))


def test_a_name_that_nobody_has_costs_a_hash_as_well(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    account()
    hashed = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, *args: Any, **kwargs: Any) -> str:
        hashed.append(1)
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    counts = []
    for name in ("Thảo", "Nobody"):
        hashed.clear()
        sign_in(client, name, "wrong")
        counts.append(len(hashed))
    assert counts == [1, 1]


@pytest.mark.parametrize(
    ("aim", "where"),
    [
        ("/daily/", "/daily/"),
        ("/races/ABC/?x=1", "/races/ABC/?x=1"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("player", "/"),
        ("", "/"),
    ],
)
def test_signing_in_leads_to_pages_of_this_site_alone(client: Client, aim: str, where: str) -> None:
    account()
    assert sign_in(client, "Thảo", next=aim).headers["Location"] == where
    assert client.get("/account/sign-in/", {"next": aim}).headers["Location"] == where


def test_signing_out_ends_the_session() -> None:
    client, player = signed_in()
    assert client.get("/account/sign-out/").headers["Location"] == "/account/"
    assert who(client) == str(player.pk)
    kept = client.cookies["sessionid"].value
    assert client.post("/account/sign-out/").headers["Location"] == "/"
    assert "_auth_user_id" not in client.session
    client.cookies["sessionid"] = kept
    assert "Sign in" in text_of(client.get("/"))


def test_a_guest_is_not_signed_out_for_ever(client: Client) -> None:
    anh = scenes.guest()
    client.force_login(anh)
    assert client.post("/account/sign-out/").headers["Location"] == "/account/"
    assert who(client) == str(anh.pk)


def test_a_new_password_ends_every_other_session_and_keeps_this_one() -> None:
    client, player = signed_in()
    elsewhere = Client()
    elsewhere.force_login(player)
    session = client.session.session_key
    new = "eight of hearts"
    wish = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    wrong = client.post("/account/password/", wish | {"old_password": new})
    assert wrong.status_code == 400
    assert who(elsewhere) == str(player.pk)
    assert client.post("/account/password/", wish).headers["Location"] == "/account/"
    assert client.session.session_key != session
    assert who(client) == str(player.pk)
    assert who(elsewhere) is None
    assert sign_in(elsewhere, "Thảo").status_code == 400
    assert sign_in(elsewhere, "Thảo", new).status_code == 302


def test_guests_and_visitors_have_no_password_to_change(client: Client) -> None:
    assert client.get("/account/password/").headers["Location"] == "/account/"
    client.force_login(scenes.guest())
    assert client.post("/account/password/", {}).headers["Location"] == "/account/"


def test_a_guest_who_signs_in_takes_their_games_along_or_leaves_them(client: Client) -> None:
    player = account()
    for taken in (True, False):
        guest = scenes.guest()
        game = scenes.finished(guest)
        client.logout()
        client.force_login(guest)
        assert 'name="take_along"' in text_of(client.get("/account/sign-in/"))
        assert sign_in(client, "Thảo", **({"take_along": "on"} if taken else {})).status_code == 302
        assert who(client) == str(player.pk)
        game.refresh_from_db()
        assert game.player_id == (player if taken else guest).pk


def test_who_has_played_nothing_is_asked_nothing(client: Client) -> None:
    account()
    client.force_login(scenes.guest())
    assert "take_along" not in text_of(client.get("/account/sign-in/"))
    assert sign_in(client, "Thảo", take_along="on").status_code == 302


def test_who_still_sits_in_a_race_is_led_there_and_signed_in_nowhere(client: Client) -> None:
    account()
    guest = scenes.guest()
    race = scenes.race(guest)
    client.force_login(guest)
    assert 'name="take_along"' in text_of(client.get("/account/sign-in/"))
    response = sign_in(client, "Thảo", take_along="on")
    assert response.status_code == 400
    assert "You sit in a race that isn’t over." in html.unescape(text_of(response))
    assert f"/races/{race.code}/" in text_of(response)
    assert who(client) == str(guest.pk)
    assert f"/races/{race.code}/" not in text_of(sign_in(client, "Thảo", "wrong"))
    assert sign_in(client, "Thảo").status_code == 302


def test_a_merge_that_something_got_in_the_way_of_can_be_tried_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, guest = account(), scenes.guest()
    scenes.finished(guest)
    client.force_login(guest)

    def fail(**_: object) -> None:
        raise IntegrityError

    with monkeypatch.context() as broken:
        broken.setattr("games.services.rebuilding.rebuild", fail)
        response = sign_in(client, "Thảo", take_along="on")
    assert response.status_code == 400
    assert "Try again" in text_of(response)
    assert who(client) == str(guest.pk)
    assert sign_in(client, "Thảo", take_along="on").status_code == 302
    assert who(client) == str(player.pk)
