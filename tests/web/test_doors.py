"""The forms: a race is opened, a game is dealt, a code leads somewhere."""

import json
from html import unescape

import pytest
from django.test import Client

from games.models import Deal, Player, Race
from tests.web import scenes
from tests.web.scenes import text_of

pytestmark = pytest.mark.django_db

WISH = {
    "name": "Anh",
    "seats": "4",
    "deal": "sealed",
    "code": "",
    "openness": "moves",
    "start": "host",
    "time_limit_min": "60",
    "undo": "on",
}


def test_a_newcomer_opens_a_race_with_a_name_alone(client: Client) -> None:
    response = client.post("/races/", WISH)
    race = Race.objects.select_related("deal", "host").get()
    assert response.headers["Location"] == f"/races/{race.code}/"
    assert (race.host.name, race.seats, race.deal.kind, race.undo) == ("Anh", 4, "S", True)
    assert not race.listed
    assert client.session["_auth_user_id"] == str(race.host_id)


def test_every_option_of_the_form_reaches_the_race(client: Client) -> None:
    wish = WISH | {
        "seats": "50",
        "deal": "four",
        "openness": "progress",
        "start": "all_ready",
        "time_limit_min": "10",
        "listed": "on",
    }
    del wish["undo"]
    assert client.post("/races/", wish).status_code == 302
    race = Race.objects.select_related("deal").get()
    assert (race.seats, race.openness, race.start) == (50, "progress", "all_ready")
    assert (race.time_limit_min, race.listed, race.undo, race.deal.kind) == (10, True, False, "F")


def test_a_typed_code_wins_and_may_be_typed_loosely(client: Client) -> None:
    client.post("/races/", WISH | {"code": " cr1 n–aaaaaab"})
    assert Race.objects.select_related("deal").get().deal.code == "CR1-N-AAAAAAB"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "Choose a name that the others will see."),
        ({"name": "x"}, "A name has 2 to 24 characters"),
        ({"code": "CR2-N-AAAAAAB"}, "There is no such deal."),
        ({"code": "CR1-S-AAAAAAB"}, "There is no such deal."),
        ({"seats": "51"}, "Select a valid choice"),
        ({"openness": "all"}, "Select a valid choice"),
    ],
)
def test_a_wrong_wish_opens_nothing_and_says_why(
    client: Client, changes: dict[str, str], told: str
) -> None:
    response = client.post("/races/", WISH | changes)
    assert response.status_code == 400
    assert told in unescape(text_of(response))
    assert not Race.objects.exists()


def test_a_closed_deal_can_not_be_raced_on_by_its_code(client: Client) -> None:
    closed = scenes.race(scenes.guest())
    for path in ("/races/", "/alone/"):
        response = client.post(path, WISH | {"code": closed.deal.code})
        assert response.status_code == 400
        assert "This deal is closed for now" in text_of(response)
    assert Race.objects.count() == 1


def test_a_guest_opens_another_race_and_may_change_their_name(client: Client) -> None:
    client.post("/races/", WISH)
    body = text_of(client.get("/"))
    assert 'name="name" value="Anh"' in body
    client.post("/races/", WISH | {"name": "Minh"})
    assert [player.name for player in Player.objects.all()] == ["Minh"]
    assert Race.objects.count() == 2


def test_the_hidden_fields_of_the_start_page_open_a_race_in_one_click(client: Client) -> None:
    client.force_login(scenes.guest("Anh"))
    context = client.get("/").context
    fields = {field.html_name: field.value() for field in context["race_form"]}
    sent = {name: "" if value is None else value for name, value in fields.items()}
    assert client.post("/races/", sent).status_code == 302
    race = Race.objects.get()
    assert (race.seats, race.undo, race.listed, race.host.name) == (4, True, False, "Anh")


def test_an_account_keeps_its_name(client: Client) -> None:
    account = Player.objects.create_superuser("Admin", "correct horse battery")
    client.force_login(account)
    assert 'name="name"' not in text_of(client.get("/races/"))
    client.post("/races/", WISH | {"name": "Somebody"})
    account.refresh_from_db()
    assert account.name == "Admin"
    assert Race.objects.get().host == account


@pytest.mark.parametrize(
    ("language", "name"), [("en", "Guest "), ("uk", "Гість "), ("vi", "Khách ")]
)
def test_playing_alone_needs_no_name(client: Client, language: str, name: str) -> None:
    response = client.post("/alone/", {"deal": "sealed"}, headers={"accept-language": language})
    race = Race.objects.select_related("host", "deal").get()
    assert response.headers["Location"] == f"/races/{race.code}/"
    assert (race.seats, race.deal.kind, race.host.language) == (1, "S", language)
    assert race.host.name.startswith(name)
    assert len(race.host.name) == len(name) + 4


def test_playing_alone_again_is_the_same_guest(client: Client) -> None:
    client.post("/alone/", {"deal": "random"})
    client.post("/alone/", {"deal": "four"})
    assert Player.objects.count() == 1
    kinds = Race.objects.order_by("pk").values_list("deal__kind", flat=True)
    assert list(kinds) == ["N", "F"]


def test_a_guest_who_was_given_a_name_is_still_asked_for_one(client: Client) -> None:
    client.post("/alone/", {"deal": "random"})
    lobby = scenes.race(scenes.guest())
    assert '"you_name": null' in text_of(client.get(f"/races/{lobby.code}/"))
    assert 'placeholder="Your name"' in text_of(client.get("/"))
    client.post("/races/", WISH)
    assert Player.objects.filter(name="Anh").count() == 1
    assert Player.objects.count() == 2
    assert '"you_name": "Anh"' in text_of(client.get(f"/races/{lobby.code}/"))


def test_a_name_chosen_in_the_room_counts_as_chosen(client: Client) -> None:
    client.post("/alone/", {"deal": "random"})
    client.post("/api/guest", {"name": "Anh"}, content_type="application/json")
    lobby = scenes.race(scenes.guest())
    assert '"you_name": "Anh"' in text_of(client.get(f"/races/{lobby.code}/"))


@pytest.mark.parametrize("path", ["/alone/", "/language/"])
def test_a_form_address_leads_home_when_it_is_only_opened(client: Client, path: str) -> None:
    assert client.get(path).headers["Location"] == "/"


@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [
        ("{race}", "/races/{race}/"),
        (" {race_lower} ", "/races/{race}/"),
        ("https://example.org/races/{race}/", "/races/{race}/"),
        ("example.org/races/{race}", "/races/{race}/"),
        ("https://example.org/races/{race_lower}/replay/?x=1", "/races/{race}/"),
        ("CR1-N-AAAAAAB", "/deals/CR1-N-AAAAAAB/"),
        ("cr1naaaaaab", "/deals/CR1-N-AAAAAAB/"),
        ("http://example.org/deals/cr1-f-aaaaaab/", "/deals/CR1-F-AAAAAAB/"),
        ("http://example.org/games/12/", "/games/12/"),
        ("", "/"),
    ],
)
def test_the_join_box_takes_links_and_codes(client: Client, typed: str, leads_to: str) -> None:
    race = scenes.race(scenes.guest()).code
    code = typed.format(race=race, race_lower=race.lower())
    response = client.get("/join/", {"code": code})
    assert response.headers["Location"] == leads_to.format(race=race)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("3334444", "There is no race 3334444 here."),
        ("https://example.org/races/NOPE/", "There is no race NOPE here."),
        ("hello", "neither a race link nor a code"),
        ("https://example.org/", "neither a race link nor a code"),
        ("<script>", "neither a race link nor a code"),
        ("https://[", "neither a race link nor a code"),
    ],
)
def test_the_join_box_says_what_is_wrong(client: Client, typed: str, told: str) -> None:
    response = client.get("/join/", {"code": typed})
    assert response.status_code == 404
    assert told in unescape(text_of(response))


def test_the_deal_of_a_link_is_filled_in(client: Client) -> None:
    body = text_of(client.get("/races/", {"deal": "CR1-N-AAAAAAB"}))
    assert 'value="CR1-N-AAAAAAB"' in body
    assert "<details open>" in body
    assert not Deal.objects.exists()


def test_the_room_is_told_who_is_here(client: Client) -> None:
    response = client.post("/races/", WISH, follow=True)
    race = Race.objects.select_related("deal").get()
    body = text_of(response)
    boot = json.loads(body.split('<script id="boot" type="application/json">')[1].split("<")[0])
    assert boot == {
        "race": race.code,
        "deal": race.deal.code,
        "signed_in": True,
        "day": None,
        "you_name": "Anh",
        "language": "en",
        "invite": f"http://testserver/races/{race.code}/",
    }
    visitor = text_of(Client().get(f"/races/{race.code}/"))
    assert '"you_name": null' in visitor
    assert "Anh invites you to a race" in visitor
    assert "<noscript>" in visitor
