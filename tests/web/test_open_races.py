"""The list of open races by itself, and a finished race's games running along as ghosts."""

import pytest
from django.test import Client

from games import clock
from games.models import Game, Player, Race
from games.services import seats
from tests.web import scenes
from tests.web.scenes import text_of

pytestmark = pytest.mark.django_db


def test_the_list_of_open_races_comes_alone_and_follows_what_happens(client: Client) -> None:
    empty = text_of(client.get("/races/open/"))
    assert "Nobody is waiting" in empty
    assert "<html" not in empty
    race = scenes.race(scenes.guest("Thảo"), listed=True)
    scenes.race(scenes.guest("Halyna"))
    listed = text_of(client.get("/races/open/"))
    assert "Thảo" in listed
    assert "Halyna" not in listed  # by link only
    assert listed.strip() in text_of(client.get("/"))
    seats.take(code=race.code, player=scenes.guest("Nam"))
    assert "Thảo" not in text_of(client.get("/races/open/"))


def test_a_race_nobody_is_in_vanishes_from_the_list_after_ten_minutes(client: Client) -> None:
    race = scenes.race(scenes.guest("Thảo"), listed=True)
    for minutes, there in ((9, True), (11, False)):
        then = clock.now_ms() - 60_000 * minutes
        Race.objects.filter(pk=race.pk).update(created_at=then)
        Game.objects.filter(race=race).update(seen_at=then)
        assert ("Thảo" in text_of(client.get("/races/open/"))) is there


def test_one_click_plays_a_finished_deal_against_its_games(client: Client) -> None:
    host, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(host), other)
    games = [scenes.end(race, host), scenes.end(race, other, ms=90_000)]
    Game.objects.update(seq=100)
    wish = {"deal": "random", "code": race.deal.code, "ghosts": race.code}
    answer = client.post("/alone/", wish)
    alone = Race.objects.latest("pk")
    assert answer.headers["Location"] == f"/races/{alone.code}/"
    assert (alone.seats, alone.deal) == (1, race.deal)
    assert set(alone.ghosts.all()) == set(games)


@pytest.mark.parametrize("ghosts", ["", "NOPE", "\0"])
def test_a_deal_is_played_without_ghosts_where_there_are_none(client: Client, ghosts: str) -> None:
    wish = {"deal": "random", "code": "CR1-N-AAAAAAB", "ghosts": ghosts}
    assert client.post("/alone/", wish).status_code == 302
    assert not Race.objects.latest("pk").ghosts.exists()


def test_games_of_a_race_on_another_deal_or_still_open_are_no_ghosts(client: Client) -> None:
    other_deal = scenes.finished(scenes.guest("Halyna"), "CR1-N-AAAAAAC").race
    running = scenes.started(scenes.race(scenes.guest("Nam"), "CR1-N-AAAAAAB"))
    for race in (other_deal, running):
        wish = {"deal": "random", "code": "CR1-N-AAAAAAB", "ghosts": race.code}
        assert client.post("/alone/", wish).status_code == 302
        assert not Race.objects.latest("pk").ghosts.exists()


def test_one_click_races_one_finished_game_on_its_deal(client: Client) -> None:
    game = scenes.finished(scenes.guest("Halyna"))
    page = text_of(client.get(f"/deals/{game.race.deal.code}/"))
    assert f'name="ghost" value="{game.pk}"' in page
    answer = client.post("/alone/", {"ghost": game.pk})
    alone = Race.objects.latest("pk")
    assert answer.headers["Location"] == f"/races/{alone.code}/"
    assert (alone.seats, alone.deal, list(alone.ghosts.all())) == (1, game.race.deal, [game])


def test_ghosts_are_chosen_before_the_start(client: Client) -> None:
    wish = {"deal": "random", "code": "CR1-N-AAAAAAB", "choose": "1"}
    where = client.post("/alone/", wish).headers["Location"]
    assert where == f"/races/{Race.objects.latest('pk').code}/#ghosts"


@pytest.mark.parametrize("ghost", ["", "0", "-1", "x", "1" * 30, "١"])
def test_what_is_no_game_is_raced_by_nobody(client: Client, ghost: str) -> None:
    answer = client.post("/alone/", {"ghost": ghost})
    assert answer.status_code == 404
    assert not Race.objects.exists()
    assert not Player.objects.exists()
    assert "sessionid" not in client.cookies


def test_a_game_of_a_race_that_runs_is_raced_by_nobody(client: Client) -> None:
    host = scenes.guest("Halyna")
    race = scenes.started(scenes.race(host, "CR1-N-AAAAAAB"), scenes.guest("Nam"))
    game = scenes.end(race, host)
    Race.objects.filter(pk=race.pk).update(closed_at=None)
    answer = client.post("/alone/", {"ghost": game.pk})
    assert answer.status_code == 403
    assert "still being played" in text_of(answer)
    assert (Race.objects.count(), Player.objects.count()) == (1, 2)
    assert "sessionid" not in client.cookies
