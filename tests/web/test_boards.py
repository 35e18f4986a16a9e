"""Leaderboards, the deal of the day and players' pages, full and empty."""

import html
import re

import pytest
from django.test import Client

from games.engine.log import GameLog
from games.models import Game, LoggedAction, Race
from games.services import daily, races, settling
from games.web import comparing
from tests.support.lines import legal_line
from tests.web import scenes
from tests.web.scenes import LANGUAGES, tells_of, text_of

pytestmark = pytest.mark.django_db


def test_a_board_over_all_deals_lists_each_player_once_with_a_link(client: Client) -> None:
    fast, slow = scenes.guest("Halyna"), scenes.guest("Nam")
    scenes.finished(fast, ms=90_000)
    scenes.finished(fast, ms=80_000)
    scenes.finished(slow, ms=85_000)
    body = text_of(client.get("/leaderboards/"))
    assert re.findall(r"0\d:\d\d\.\d", body) == ["01:20.0", "01:25.0"]
    assert f'href="/players/{slow.pk}/"' in body


def test_filters_are_links_that_keep_each_other(client: Client) -> None:
    scenes.finished(scenes.guest("Halyna"))
    body = text_of(client.get("/leaderboards/?games=first&period=week"))
    assert 'href="/leaderboards/?by=moves&amp;period=week&amp;games=first#board"' in body
    assert 'href="/leaderboards/?games=first#board"' in body
    for query in ("period=never", "by=luck", "games=some", "scope=moon"):
        assert client.get(f"/leaderboards/?{query}").status_code == 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_choice_means_is_said_where_its_name_does_not(language: str) -> None:
    client = Client(headers={"accept-language": language})
    said = {
        games: text_of(client.get(f"/leaderboards/?games={games}")).count("explained")
        for games in ("all", "first", "no-undo")
    }
    assert said == {"all": 0, "first": 1, "no-undo": 1}


def test_a_day_or_week_gone_by_is_named_by_its_days(client: Client) -> None:
    named = re.compile(r'<span aria-current="true">(.*?)</span>')
    assert named.findall(text_of(client.get("/leaderboards/?period=2026-W01"))) == [
        "Dec. 29, 2025 – Jan. 4, 2026"
    ]
    assert named.findall(text_of(client.get("/leaderboards/?period=2026-01-02"))) == [
        "Jan. 2, 2026"
    ]
    assert named.findall(text_of(client.get("/leaderboards/?period=week"))) == []


def test_pages_go_on_and_ones_own_row_is_on_each(client: Client) -> None:
    for number in range(120):
        last = scenes.finished(scenes.guest(f"Player {number}"), "CR1-N-EEEEEEE", ms=1000 + number)
    client.force_login(last.player)
    for address in ("/leaderboards/", "/deals/CR1-N-EEEEEEE/"):
        pages = [text_of(client.get(f"{address}?page={page}")) for page in (1, 2, 3, 99)]
        ranks = [re.findall(r'class="rk">=?(\d+)<', body) for body in pages]
        assert ranks[0] == [*map(str, range(1, 51)), "120"]
        assert ranks[1] == [*map(str, range(51, 101)), "120"]
        assert ranks[2] == ranks[3] == [*map(str, range(101, 121))]
        assert 'rel="next"' in pages[0]
        assert "Go to your place" not in pages[2]
        assert 'page=3#board">Go to your place' in pages[0]
        assert 'rel="prev"' in pages[1]
        assert 'rel="next"' not in pages[2]
        assert all(
            body.count('class="me"') - body.count('<button class="me"') == 1 for body in pages
        )


def test_a_board_is_given_alone_for_the_page_to_stay_up_to_date(client: Client) -> None:
    game = scenes.finished(scenes.guest("Halyna"), "CR1-N-EEEEEEE")
    Game.objects.filter(pk=game.pk).update(first_try=True)
    for path in ("/leaderboards/?by=moves", "/deals/CR1-N-EEEEEEE/", "/daily/"):
        page = text_of(client.get(path))
        part = html.unescape(re.findall(r'data-live="([^"]+)"', page)[0])
        alone = text_of(client.get(part))
        assert "<html" not in alone
        assert alone.strip() in page
        assert ("Halyna" in alone) == (path != "/daily/")


def test_an_empty_board_says_what_to_do_and_leads_there(client: Client) -> None:
    for path, play in (("/leaderboards/", "/"), ("/leaderboards/?scope=daily", "/daily/")):
        body = text_of(client.get(path))
        assert "Win a game, and the first line is yours." in body
        assert f'<a class="btn" href="{play}">Play</a>' in body
    assert "Play it, and the first line is yours." in text_of(client.get("/daily/"))
    assert "the first line is yours." in text_of(client.get("/deals/CR1-N-EEEEEEE/"))


def test_a_board_is_given_as_csv_and_json(client: Client) -> None:
    game = scenes.finished(scenes.guest("=Nam"), "CR1-N-EEEEEEE", ms=90_500)
    rows = client.get("/api/leaderboards?format=csv").content.decode().splitlines()
    assert rows[0].startswith("rank,player,player_id,time_ms,moves,undos,redeals,game,deal,")
    assert rows[1].startswith(f"1,'=Nam,{game.player_id},90500,100,2,1,{game.pk},CR1-N-EEEEEEE,")
    for scope in ("all", "CR1-N-EEEEEEE"):
        board = client.get(f"/api/leaderboards?scope={scope}&period=all&by=moves").json()
        assert [(row["rank"], row["game"]) for row in board["rows"]] == [(1, game.pk)]
        assert (board["by"], board["total"], board["pages"]) == ("moves", 1, 1)
    assert client.get("/api/leaderboards?scope=daily").json()["rows"] == []
    assert client.get("/api/leaderboards?scope=CR1-N-QQQQQQQ").json()["rows"] == []
    assert client.get("/api/leaderboards?page=x").status_code == 400


def test_the_day_is_played_from_its_page_and_tells_no_card(client: Client) -> None:
    player = scenes.guest("Halyna")
    client.force_login(player)
    first = client.get("/daily/")
    assert 'action="/daily/"' in text_of(first)
    race = Race.objects.get(code=client.post("/daily/").headers["Location"].split("/")[2])
    assert client.post("/daily/").headers["Location"] == f"/races/{race.code}/"
    races.start(code=race.code, player=player)
    assert f'href="/races/{race.code}/"' in text_of(client.get("/daily/"))
    assert f'"day": "/daily/{daily.today().date}/"' in text_of(client.get(f"/races/{race.code}/"))
    game = scenes.end(Race.objects.get(pk=race.pk), player)
    settling.settle_overdue()
    paths = ["/daily/", f"/daily/{daily.today().date}/", f"/deals/{race.deal.code}/",
             f"/players/{player.pk}/", f"/games/{game.pk}/", f"/races/{race.code}/",
             "/leaderboards/", "/leaderboards/?scope=daily", "/api/leaderboards",
             f"/api/deals/{race.deal.code}", f"/api/races/{race.code}"]  # fmt: skip
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert tells_of(answer, race) == [], path
    other = Client()
    other.force_login(scenes.guest("Nam"))
    for path in (f"/games/{game.pk}/", f"/api/games/{game.pk}/replay",
                 f"/races/{race.code}/replay/"):  # fmt: skip
        answer = other.get(path)
        assert answer.status_code == 403, path
        assert tells_of(answer, race) == [], path
    assert "You won in 01:40.0" in text_of(client.get("/daily/"))


@pytest.mark.parametrize("date", ["2020-01-01", "2999-01-01", "soon", "2026-02-30", "20261130"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_without_a_deal_is_explained(client: Client, date: str, language: str) -> None:
    answer = client.get(f"/daily/{date}/", headers={"accept-language": language})
    assert answer.status_code == 404
    assert not Race.objects.exists()


@pytest.mark.parametrize(
    ("before_midnight_ms", "shown"),
    [(86_400_000, ("24", "0")), (86_399_999, ("24", "0")), (5_399_000, ("1", "30")),
     (60_001, ("0", "2")), (1, ("0", "1"))],
)  # fmt: skip
def test_the_next_deal_is_counted_down_to(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    before_midnight_ms: int,
    shown: tuple[str, str],
) -> None:
    until = 1_800_057_600_000  # 2027-01-16 00:00 UTC
    monkeypatch.setattr("games.clock.now_ms", lambda: until - before_midnight_ms)
    body = text_of(client.get("/daily/"))
    assert re.findall(r'data-until="(\d+)"', body) == [str(until)]
    assert re.findall(r"data-(?:hours|minutes)>(\d+)<", body) == [*shown]


def test_days_before_are_listed_with_ones_own_results(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000_000
    player = scenes.guest("Halyna")
    client.force_login(player)
    for number in range(4):  # won, not home, not played, today
        monkeypatch.setattr("games.clock.now_ms", lambda number=number: now + number * 86_400_000)
        day = daily.today()
        if number < 2:
            race = daily.play(player=player)
            races.start(code=race.code, player=player)
            scenes.end(race, player, won=number == 0)
    body = text_of(client.get("/daily/"))
    archive = re.findall(r'href="/daily/([\d-]+)/">[^<]+</a><span[^>]*>([^<]+)<', body)
    assert archive == [
        ("2027-01-17", "not played"),
        ("2027-01-16", "40 / 104"),
        ("2027-01-15", "01:40.0"),
    ]
    assert day.date.isoformat() == "2027-01-18"
    older = text_of(client.get("/daily/2027-01-16/"))
    assert re.findall(r'href="/daily/([\d-]+)/">[^<]+</a><span', older) == ["2027-01-15"]
    assert "data-until" not in older
    assert "You brought 40 cards of 104 home." in older


def test_a_private_page_is_its_owners_alone(client: Client) -> None:
    game = scenes.finished(scenes.guest("Halyna"), "CR1-N-EEEEEEE")
    path = f"/players/{game.player_id}/"
    assert "CR1-N-EEEEEEE" in text_of(client.get(path))
    client.post(path, {"private": "yes"})  # a visitor changes nothing
    assert "CR1-N-EEEEEEE" in text_of(client.get(path))
    owner = Client()
    owner.force_login(game.player)
    owner.post(path, {"private": "yes"})
    assert "CR1-N-EEEEEEE" not in text_of(client.get(path))
    assert "CR1-N-EEEEEEE" in text_of(owner.get(path))
    assert f'href="{path}"' not in text_of(client.get("/leaderboards/"))
    owner.post(path, {"private": "no"})
    assert "CR1-N-EEEEEEE" in text_of(client.get(path))


def test_a_players_page_counts_races_won_against_rivals(client: Client) -> None:
    winner, other = scenes.guest("Halyna"), scenes.guest("Nam")
    race = scenes.started(scenes.race(winner), other)
    scenes.end(race, winner, ms=90_000)
    scenes.end(race, other, ms=95_000)
    scenes.finished(winner)
    facts = re.findall(r"<dd>(\d+)", text_of(client.get(f"/players/{winner.pk}/")))
    assert facts[:3] == ["2", "2", "1"]
    facts = re.findall(r"<dd>(\d+)", text_of(client.get(f"/players/{other.pk}/")))
    assert facts[:3] == ["1", "1", "0"]
    assert client.get("/players/999999/").status_code == 404
    assert Game.objects.count() == 3


def test_a_player_who_has_not_played_is_told_what_to_do(client: Client) -> None:
    player = scenes.guest("Halyna")
    assert "hasn’t played yet" in text_of(client.get(f"/players/{player.pk}/"))
    client.force_login(player)
    assert "You haven’t played yet." in text_of(client.get(f"/players/{player.pk}/"))


def test_a_players_wins_are_charted_over_time_in_words_too(client: Client) -> None:
    player = scenes.guest("Halyna")
    path = f"/players/{player.pk}/"
    scenes.finished(player, ms=100_000)
    assert "<figure" not in text_of(client.get(path))  # one win is no line
    scenes.finished(player, ms=60_000)
    scenes.finished(player, ms=80_000)
    for language in LANGUAGES:
        body = text_of(client.get(path, headers={"accept-language": language}))
        chart = body.split("<figure")[1].split("</figure>")[0]
        dots = re.findall(r'<circle cx="([\d.]+)%" cy="([\d.]+)%"', chart)
        assert dots == [("0.0", "0.0"), ("50.0", "100.0"), ("100.0", "50.0")]
        label = re.findall(r'role="img" aria-label="([^"]+)"', chart)[0]
        assert "3 " in label
        assert "01:00.0" in label
        assert "01:40.0" in label


def test_where_two_lines_part_is_told_with_the_cards(client: Client) -> None:
    code = "CR1-N-AAAAAAB"
    games = [scenes.finished(scenes.guest("Nam"), code, ms=ms) for ms in (9_000, 8_000)]
    line = legal_line(GameLog.start(games[0].race.deal.layout, 3, True), 3)
    for game, last in zip(games, ("**", "<<"), strict=True):
        LoggedAction.objects.bulk_create(
            LoggedAction(game=game, seq=seq, at_ms=1_000 * seq, code=each)
            for seq, each in enumerate([*line, last], start=1)
        )
    body = text_of(client.get(f"/games/{games[0].pk}/compare/{games[1].pk}/"))
    assert "After 3 actions the cards lay the same way for both." in body
    sides = re.findall(r'class="did">(.*?)</p>', body)
    assert [re.sub(r"<[^>]+>", "", side) for side in sides] == ["Redeal", "Undo"]
    assert "Nam (00:09.0)" in body  # two games of one player are told apart
    assert "Nam (00:08.0)" in body


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("ab", "pile 1 → pile 2"),
        ("p+", "pile 16 → up foundation"),
        ("a-", "pile 1 → down foundation"),
        ("S-", "up foundation → down foundation"),
        ("C+", "down foundation → up foundation"),
        ("**", "Redeal"),
        ("<<", "Undo"),
    ],
)
def test_every_kind_of_action_is_said(code: str, told: str) -> None:
    assert comparing.said(code) == told


def test_two_games_of_a_deal_are_compared_on_a_page(client: Client) -> None:
    code = "CR1-N-AAAAAAB"
    first, second = scenes.guest("Halyna"), scenes.guest("Nam")
    games = [scenes.finished(player, code, ms=ms) for player, ms in ((first, 9000), (second, 8000))]
    line = legal_line(GameLog.start(games[0].race.deal.layout, 3, True), 12)
    for game, pause in zip(games, (1000, 2000), strict=True):
        LoggedAction.objects.bulk_create(
            LoggedAction(game=game, seq=seq, at_ms=pause * seq, code=code)
            for seq, code in enumerate(line[: 12 - pause // 1000], start=1)
        )
    client.force_login(first)
    path = f"/games/{games[0].pk}/compare/{games[1].pk}/"
    assert f'href="{path}"' in text_of(client.get(f"/deals/{code}/"))
    for language in LANGUAGES:
        body = text_of(client.get(path, headers={"accept-language": language}))
        assert "Halyna" in body
        assert f"/games/{games[1].pk}/?at=2000" in body
    told = client.get(f"/api{path}"[:-1]).json()
    assert (told["games"], told["parted"]) == ([game.pk for game in games], None)
    assert [one["lost"] for one in told["common"]][:2] == [0, -1000]
    assert client.get(f"/games/{games[0].pk}/compare/999999/").status_code == 404
    elsewhere = scenes.finished(second, "CR1-N-BBBBBBB")
    apart = client.get(f"/games/{games[0].pk}/compare/{elsewhere.pk}/")
    assert apart.status_code == 400
    assert "Two different deals" in text_of(apart)


def test_a_replays_page_names_its_export_once_the_game_may_be_taken_away(client: Client) -> None:
    player = scenes.guest("Halyna")
    race = scenes.started(scenes.race(player), scenes.guest("Nam"))
    game = scenes.end(race, player)
    client.force_login(player)
    assert "/export" not in text_of(client.get(f"/games/{game.pk}/"))
    assert client.get(f"/api/games/{game.pk}/export").status_code == 403
    done = scenes.finished(player, "CR1-N-EEEEEEE")
    assert f'href="/api/games/{done.pk}/export"' in text_of(client.get(f"/games/{done.pk}/"))
    assert client.get(f"/api/games/{done.pk}/export?format=text").status_code == 200
