"""The page of a deal: its code, its boards, and nothing that is sealed."""

import re

import pytest
from django.test import Client

from games.models import Deal, Game, Openness, Race
from tests.web import scenes
from tests.web.scenes import LANGUAGES, tells_of, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "typed", ["cr1-n-aaaaaab", "CR1NAAAAAAB", "CR1 N AAAAAAB", "CR1–N–AAAAAAB"]
)
def test_a_code_typed_loosely_leads_to_its_form(client: Client, typed: str) -> None:
    response = client.get(f"/deals/{typed}/")
    assert response.headers["Location"] == "/deals/CR1-N-AAAAAAB/"


@pytest.mark.parametrize("code", ["CR1-N-AAAAAAB", "CR1-F-AAAAAAB"])
def test_looking_at_a_deal_nobody_has_played_stores_nothing(client: Client, code: str) -> None:
    body = text_of(client.get(f"/deals/{code}/"))
    assert "Nobody has won this deal yet." in body
    assert 'action="/alone/"' in body
    assert f"/races/?deal={code}" in body
    assert not Deal.objects.exists()


@pytest.mark.parametrize("code", ["nonsense", "CR1-S-AAAAAAB", "CR1-X-AAAAAAB", "CR2-N-AAAAAAB"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_code_of_no_deal_is_explained(client: Client, code: str, language: str) -> None:
    response = client.get(f"/deals/{code}/", headers={"accept-language": language})
    assert response.status_code == 404
    told = {"en": "No such deal", "uk": "Такої партії немає", "vi": "Không có ván bài này"}
    assert f"<h1>{told[language]}</h1>" in text_of(response)


def test_a_closed_deal_shows_its_fingerprint_and_nothing_else(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    game = scenes.end(race, winner)
    for reader in (None, winner, other, scenes.guest("Zoe")):
        if reader:
            client.force_login(reader)
        response = client.get(f"/deals/{race.deal.code}/")
        body = text_of(response)
        assert response.status_code == 200
        assert race.deal.commitment
        assert race.deal.commitment in body
        assert tells_of(response, race) == []
        assert 'action="/alone/"' not in body
        assert "/races/?deal=" not in body
        assert f"/games/{game.pk}/" not in body
        assert "01:40.0" in body  # that somebody has won isn't a secret


def test_a_deal_is_open_with_its_seed_once_the_race_is_over(client: Client) -> None:
    game = scenes.finished(scenes.guest())
    body = text_of(client.get(f"/deals/{game.race.deal.code}/"))
    game.race.deal.refresh_from_db()
    assert bytes(game.race.deal.seed or b"").hex() in body
    assert f'href="/games/{game.pk}/"' in body
    assert 'action="/alone/"' in body


def test_boards_rank_by_time_and_by_moves(client: Client) -> None:
    code = "CR1-N-DDDDDDD"
    scenes.finished(scenes.guest("Quick"), code, ms=100_000, moves=140)
    scenes.finished(scenes.guest("Short"), code, ms=200_000, moves=90)
    by_time = text_of(client.get(f"/deals/{code}/"))
    by_moves = text_of(client.get(f"/deals/{code}/?by=moves"))
    assert ranked(by_time) == ["Quick", "Short"]
    assert ranked(by_moves) == ["Short", "Quick"]


def ranked(body: str) -> list[str]:
    """The players of a board, in its order."""
    board = body.split('class="tabs"')[1].split("</table>", maxsplit=1)[0]
    return re.findall(r'href="/players/\d+/">([^<]+)</a>', board)


def test_the_best_lines_so_far_can_be_watched(client: Client) -> None:
    code = "CR1-N-DDDDDDD"
    quick = scenes.finished(scenes.guest("Quick"), code, ms=100_000, moves=140)
    short = scenes.finished(scenes.guest("Short"), code, ms=200_000, moves=90)
    facts = text_of(client.get(f"/deals/{code}/")).split('class="facts best"')[1].split("</dl>")[0]
    assert re.findall(r'<dd>(\S+) <a class="link small" href="/games/(\d+)/"', facts) == [
        ("01:40.0", str(quick.pk)),
        ("90", str(short.pk)),
    ]


def test_everyones_replays_are_listed_by_pages_and_two_are_chosen(client: Client) -> None:
    code = "CR1-N-DDDDDDD"
    games = [scenes.finished(scenes.guest(f"Player {n}"), code) for n in range(25)]
    Game.objects.update(seq=1)
    Game.objects.filter(pk=games[3].pk).update(seq=0)  # nothing was played in it
    listed = [
        re.findall(r'name="game" value="(\d+)"', text_of(client.get(f"/deals/{code}/?replays={n}")))
        for n in ("1", "2", "99", "-1", "x")
    ]
    latest = [str(game.pk) for game in reversed(games) if game != games[3]]
    assert listed == [latest[:20], latest[20:], latest[20:], latest[:20], latest[:20]]
    path = f"/deals/{code}/compare/"
    response = client.get(path, {"game": latest[:2]})
    assert response.headers["Location"] == f"/games/{latest[0]}/compare/{latest[1]}/"
    for chosen in ([], latest[:1], latest[:3], ["x", "y"], ["1", "9" * 40]):
        response = client.get(path, {"game": chosen})
        assert response.status_code == 400
        assert "Choose two games" in text_of(response)


def test_a_deal_that_is_closed_lists_no_replays(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    scenes.end(race, winner)
    Game.objects.update(seq=1)
    body = text_of(client.get(f"/deals/{race.deal.code}/"))
    assert 'name="game"' not in body
    assert 'class="facts best"' not in body


def test_equals_share_a_rank_and_the_next_is_skipped(client: Client) -> None:
    code = "CR1-N-KKKKKKK"
    for name, ms in (
        ("Halyna", 100_000),
        ("Nam", 200_000),
        ("Ingrid", 200_000),
        ("Yusuf", 300_000),
    ):
        scenes.finished(scenes.guest(name), code, ms=ms)
    body = text_of(client.get(f"/deals/{code}/"))
    assert re.findall(r'<td class="rk">(=?\d+)</td>', body) == ["1", "=2", "=2", "4"]


def test_ones_own_row_is_shown_below_the_first_fifty(client: Client) -> None:
    code = "CR1-N-EEEEEEE"
    for number in range(51):
        last = scenes.finished(scenes.guest(f"Player {number}"), code, ms=100_000 + number)
    client.force_login(last.player)
    body = text_of(client.get(f"/deals/{code}/"))
    assert '<tr class="gap">' in body
    assert body.count('<tr class="me">') == 1
    assert '<td class="rk">51</td>' in body


def test_a_replay_is_linked_only_when_its_race_is_over(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner, "CR1-N-FFFFFFF"), other)
    game = scenes.end(race, winner)
    assert f"/games/{game.pk}/" not in text_of(client.get("/deals/CR1-N-FFFFFFF/"))
    scenes.end(race, other, ms=200_000)
    assert f"/games/{game.pk}/" in text_of(client.get("/deals/CR1-N-FFFFFFF/"))


def test_who_is_at_a_game_on_the_deal_is_led_back_to_it(client: Client) -> None:
    player = scenes.guest()
    race = scenes.started(scenes.race(player, "CR1-N-GGGGGGG", seats=1))
    client.force_login(player)
    body = text_of(client.get("/deals/CR1-N-GGGGGGG/"))
    assert f'href="/races/{race.code}/"' in body
    assert 'action="/alone/"' not in body


def test_who_is_at_a_game_on_an_opened_deal_is_shown_its_seed_afterwards(client: Client) -> None:
    player = scenes.guest()
    deal = Deal.objects.get(pk=scenes.finished(scenes.guest("Nam")).race.deal_id)
    seed = bytes(deal.seed or b"").hex()
    paths = (f"/deals/{deal.code}/", f"/api/deals/{deal.code}")
    client.force_login(player)
    race = scenes.started(scenes.race(player, deal.code, seats=1))
    assert [seed in text_of(client.get(path)) for path in paths] == [False, False]
    assert [seed in text_of(Client().get(path)) for path in paths] == [True, True]
    scenes.end(race, player)
    assert [seed in text_of(client.get(path)) for path in paths] == [True, True]


def test_games_played_with_open_cards_enter_no_board(client: Client) -> None:
    player = scenes.guest("Cheerful")
    race = scenes.started(scenes.race(player, "CR1-N-HHHHHHH", seats=1))
    Race.objects.filter(pk=race.pk).update(openness=Openness.CARDS)
    scenes.end(race, player)
    assert "Cheerful" not in text_of(client.get("/deals/CR1-N-HHHHHHH/"))
    assert "Cheerful" not in text_of(client.get("/"))
    assert Game.objects.count() == 1
