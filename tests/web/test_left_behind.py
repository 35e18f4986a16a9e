"""Who leaves a race for the start page finds the way back there, until their game has ended."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Player, Race
from games.web import listings
from tests.web.test_doors import WISH

pytestmark = pytest.mark.django_db


def test_the_start_page_leads_back_to_a_lobby_and_to_a_game(client: Client) -> None:
    client.post("/races/", WISH)
    code = Race.objects.get().code
    page = client.get("/").content.decode()
    assert f'href="/races/{code}/"' in page
    assert "Back to your race" in page
    Race.objects.update(starts_at=1)
    assert "Back to your game" in client.get("/").content.decode()


def test_the_way_back_is_found_without_the_cards(client: Client) -> None:
    client.post("/races/", WISH)
    with CaptureQueriesContext(connection) as captured:
        races = listings.left_behind(player=Player.objects.get())
    assert races == [Race.objects.get()]
    assert not [query for query in captured.captured_queries if "layout" in query["sql"]]


@pytest.mark.parametrize(
    "ended",
    [
        {"outcome": "resigned", "finished_ms": 1_000},
        {"removed_at": 1},
    ],
)
def test_what_has_ended_is_not_come_back_to(client: Client, ended: dict[str, object]) -> None:
    client.post("/races/", WISH)
    Game.objects.update(**ended)
    assert "Back to your" not in client.get("/").content.decode()


def test_a_stranger_has_nothing_to_come_back_to(client: Client) -> None:
    Client().post("/races/", WISH)
    assert "Back to your" not in client.get("/").content.decode()


def test_ones_own_page_leads_to_the_game_that_is_being_played(client: Client) -> None:
    client.post("/races/", WISH)
    race = Race.objects.get()
    Race.objects.update(starts_at=1)
    mine = client.get(f"/players/{race.host_id}/").content.decode()
    assert f'<a href="/races/{race.code}/">being played</a>' in mine
    other = Client().get(f"/players/{race.host_id}/").content.decode()
    assert f'href="/races/{race.code}/"' not in other
