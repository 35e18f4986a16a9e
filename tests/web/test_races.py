"""The room and the replays of a race: found by any spelling, denied while they are secret."""

import json
from typing import Any, cast

import pytest
from django.test import Client

from games import clock
from games.models import Game, Race
from tests.web import scenes
from tests.web.scenes import LANGUAGES, tells_of, text_of

pytestmark = pytest.mark.django_db

CLOSED = {
    "en": "This deal is closed for now",
    "uk": "Ця партія поки закрита",
    "vi": "Ván bài này tạm thời chưa mở",
}


def test_a_race_code_is_read_without_regard_to_case(client: Client) -> None:
    code = scenes.race(scenes.guest()).code
    for path in ("/races/{}/", "/races/{}/replay/"):
        response = client.get(path.format(code.lower()))
        assert response.headers["Location"] == path.format(code)


@pytest.mark.parametrize("path", ["/races/NOPE/", "/races/NOPE/replay/"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_race_says_what_to_do(client: Client, path: str, language: str) -> None:
    response = client.get(path, headers={"accept-language": language})
    assert response.status_code == 404
    told = {"en": "No such race", "uk": "Таких перегонів немає", "vi": "Không có cuộc đua này"}
    assert f"<h1>{told[language]}</h1>" in text_of(response)
    assert "NOPE" in text_of(response)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_running_race_tells_no_card(client: Client, language: str) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    game = scenes.end(race, winner)
    running = Game.objects.get(race=race, player=other)
    for reader in (None, other, scenes.guest("Zoe")):
        if reader:
            client.force_login(reader)
        answers = {
            path: client.get(path, headers={"accept-language": language})
            for path in (
                "/",
                f"/races/{race.code}/",
                f"/races/{race.code}/replay/",
                f"/games/{game.pk}/",
                f"/games/{running.pk}/",
            )
        }
        for path, response in answers.items():
            assert tells_of(response, race) == [], path
        for path in list(answers)[2:]:
            assert answers[path].status_code == 403, path
            assert CLOSED[language] in text_of(answers[path]), path


def test_ones_own_finished_game_may_be_watched_before_the_race_is_over(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    game = scenes.end(race, winner)
    client.force_login(winner)
    response = client.get(f"/games/{game.pk}/")
    assert response.status_code == 200
    assert tells_of(response, race) == []


def test_a_finished_race_is_replayed_in_order_of_place(client: Client) -> None:
    slow, fast = scenes.guest("Nam"), scenes.guest("Halyna")
    race = scenes.started(scenes.race(slow), fast)
    scenes.end(race, slow, ms=200_000)
    scenes.end(race, fast, ms=100_000)
    client.force_login(slow)
    body = text_of(client.get(f"/races/{race.code}/replay/"))
    assert [(row["name"], row["you"]) for row in _boot(body)["games"]] == [
        ("Halyna", False),
        ("Nam", True),
    ]
    assert f"Race {race.code}: the results" in text_of(client.get(f"/races/{race.code}/"))


def test_a_race_that_ended_in_its_lobby_has_no_replay(client: Client) -> None:
    race = scenes.race(scenes.guest(), "CR1-N-AAAAAAB")
    assert client.get(f"/races/{race.code}/replay/").status_code == 403
    Race.objects.update(closed_at=clock.now_ms())
    assert client.get(f"/races/{race.code}/replay/").status_code == 404


def test_a_game_can_be_compared_with_others_of_its_deal_once_it_is_open(client: Client) -> None:
    deal = "CR1-N-AAAAAAB"
    alone = scenes.finished(scenes.guest("Zoe"), deal, ms=90_000)
    halyna, nam = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(halyna, deal), nam)
    game = scenes.end(race, halyna)
    client.force_login(halyna)
    early = _boot(text_of(client.get(f"/games/{game.pk}/")))
    assert (early["open"], early["others"]) == (False, [])
    lost = scenes.end(race, nam, won=False)
    Game.objects.filter(pk=lost.pk).update(seq=1)
    told = _boot(text_of(client.get(f"/games/{game.pk}/")))
    assert told["open"]
    assert told["race"] == race.code
    assert told["others"] == [
        {"game": lost.pk, "name": "Nam", "won": None, "home": 40},
        {"game": alone.pk, "name": "Zoe", "won": 90_000, "home": 104},
    ]
    assert _boot(text_of(client.get(f"/games/{alone.pk}/")))["race"] is None


def _boot(body: str) -> dict[str, Any]:
    told = body.split('<script id="boot" type="application/json">')[1].split("<", maxsplit=1)[0]
    return cast("dict[str, Any]", json.loads(told))


def test_a_replay_waits_for_ones_own_game_on_the_same_deal(client: Client) -> None:
    done = scenes.finished(scenes.guest("Halyna"), "CR1-N-AAAAAAB")
    player = scenes.guest("Nam")
    scenes.started(scenes.race(player, "CR1-N-AAAAAAB", seats=1))
    assert client.get(f"/games/{done.pk}/").status_code == 200
    client.force_login(player)
    assert client.get(f"/games/{done.pk}/").status_code == 403
    assert client.get(f"/races/{done.race.code}/replay/").status_code == 403


def test_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/games/99/").status_code == 404
    assert client.get(f"/games/{10**30}/").status_code == 404
