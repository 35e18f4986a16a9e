"""What is asked for too early is refused with the reason, and no answer gives a face away: every
address that shows a game, for every kind of reader, in every stage of a race and of a day."""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from games.models import Deal, Game, Player, Race
from games.services import daily, replays, settling
from tests.services.scenes import Clock, game_of, guest, open_race, play, resign, run
from tests.support.lines import legal_line, solved_deal, winning_line
from tests.web.scenes import LANGUAGES

pytestmark = pytest.mark.django_db

READERS = ("visitor", "stranger", "host", "running", "finished", "won")
"""The host races too and is still at it; a stranger watches; who has won has uncovered every card."""

CLOSED = {
    "en": "This deal is closed for now",
    "uk": "Ця партія поки закрита",
    "vi": "Ván bài này tạm thời chưa mở",
}

GAMES = {
    "page": "/games/{}/",
    "page at a moment": "/games/{}/?at=3000",
    "replay": "/api/games/{}/replay",
    "export": "/api/games/{}/export",
    "export as text": "/api/games/{}/export?format=text",
}
OWN_EARLY = {"page", "page at a moment", "replay"}
"""What a player may have of their own game as soon as it has ended."""


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    monkeypatch.setattr("games.clock.now_ms", standing)
    return standing


@dataclass
class Scene:
    """A race on a closed or an open deal, with games by who plays them."""

    race: Race
    people: dict[str, Player]
    games: dict[str, Game]

    def get(self, reader: str, path: str, language: str = "en") -> Any:
        """Read an address as somebody."""
        client = Client()
        if reader in self.people:
            client.force_login(self.people[reader])
        return client.get(path, headers={"accept-language": language})

    def secrets(self, reader: str) -> list[str]:
        """What `reader` must not be told: the seed, the layout and any three cards running of it,
        unless they have seen them all in their own game."""
        deal = Deal.objects.get(pk=self.race.deal_id)
        known = set[int]()
        if reader in self.games:
            known = set(replays.log_of(fresh(self.games[reader])).faces)
        runs = [
            deal.layout[2 * slot : 2 * slot + 6]
            for slot in range(94)
            if not known >= {slot, slot + 1, slot + 2}
        ]
        layout = [deal.layout] if len(known) < 96 else []
        return [*layout, *runs, *([bytes(deal.seed).hex()] if deal.seed else [])]


def fresh(game: Game) -> Game:
    return Game.objects.select_related("race__deal", "player").get(pk=game.pk)


def solve(deal: Deal) -> tuple[str, ...]:
    """Return a line that wins a deal; a sealed one gets cards of which one is known."""
    if deal.kind != "S":
        return tuple(winning_line(deal.code))
    layout, line = solved_deal()
    Deal.objects.filter(pk=deal.pk).update(layout=layout)
    return line


def scene(clock: Clock, deal: str) -> Scene:
    """A race under way in which one has resigned after twenty actions, one has won and two go
    on."""
    racers = ("host", "running", "finished", "won")
    people = {name: guest(name.title()) for name in (*racers, "stranger")}
    race = open_race(*(people[name] for name in racers), deal=deal)
    line = solve(race.deal)
    race = run(race, clock)
    games = {}
    for seed, name in enumerate(racers[:3]):
        game = game_of(race, people[name])
        games[name] = play(game, legal_line(replays.log_of(game), 20, seed=seed))
    games["won"] = play(game_of(race, people["won"]), line)
    assert games["won"].outcome == "won"
    games["finished"] = resign(games["finished"], 30_000)
    return Scene(race, people, games)


def tells_nothing(scene: Scene, reader: str, answer: Any) -> None:
    """Check a body and its headers for whatever the reader may not know."""
    said = answer.content.decode() + repr(answer.headers)
    packed = re.sub(r"[\s\",\[\]{}]|&quot;", "", said)
    assert [one for one in scene.secrets(reader) if one in said or one in packed] == []


@pytest.mark.parametrize("deal", ["sealed", "CR1-N-AAAAAAB"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("form", GAMES)
def test_a_game_of_a_running_race_is_for_its_own_finished_player_alone(
    clock: Clock, deal: str, reader: str, form: str
) -> None:
    racing = scene(clock, deal)
    for owner, game in racing.games.items():
        answer = racing.get(reader, GAMES[form].format(game.pk))
        own = owner == reader in {"finished", "won"} and form in OWN_EARLY
        assert answer.status_code == (200 if own else 403), owner
        tells_nothing(racing, reader, answer)
        if not own and form.startswith("page"):
            assert CLOSED["en"] in answer.content.decode()
        elif not own:
            assert answer.json()["reason"] == "deal_closed"
            assert answer.json()["detail"]


@pytest.mark.parametrize("deal", ["sealed", "CR1-N-AAAAAAB"])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_made_of_several_games_waits_for_all_of_them(
    clock: Clock, deal: str, reader: str
) -> None:
    racing = scene(clock, deal)
    games = [game.pk for game in racing.games.values()]
    paths = [f"/races/{racing.race.code}/replay/"]
    pairs = [(games[0], games[2]), (games[2], games[0]), (games[2], games[3])]
    for first, second in [*pairs, *((game, game) for game in games)]:
        paths += [f"/games/{first}/compare/{second}/", f"/api/games/{first}/compare/{second}"]
    for path in paths:
        answer = racing.get(reader, path)
        assert answer.status_code == 403, path
        tells_nothing(racing, reader, answer)


def _open_pages(racing: Scene) -> list[str]:
    """Addresses that show something to everybody at any time."""
    code, deal = racing.race.code, racing.race.deal.code
    return [
        "/",
        "/leaderboards/",
        f"/deals/{deal}/",
        f"/deals/{deal}/?by=moves&replays=1",
        f"/races/{code}/",
        f"/api/races/{code}",
        f"/api/deals/{deal}/leaderboard",
        "/api/leaderboards",
        "/api/leaderboards?format=csv",
        *(f"/players/{player.pk}/" for player in racing.people.values()),
    ]


@pytest.mark.parametrize("reader", READERS)
def test_no_page_of_a_sealed_race_has_a_card_in_its_text_its_metadata_or_its_data(
    clock: Clock, reader: str
) -> None:
    racing = scene(clock, "sealed")
    for path in [*_open_pages(racing), f"/api/deals/{racing.race.deal.code}"]:
        answer = racing.get(reader, path)
        assert answer.status_code == 200, path
        tells_nothing(racing, reader, answer)
        for game in racing.games.values():  # nor a link to what would be refused
            allowed = reader in {"finished", "won"} and game.pk == racing.games[reader].pk
            assert allowed or f'href="/games/{game.pk}/' not in answer.content.decode(), path


@pytest.mark.parametrize("reader", ["host", "running"])
def test_who_plays_an_open_deal_is_given_no_card_of_it_meanwhile(clock: Clock, reader: str) -> None:
    racing = scene(clock, "CR1-N-AAAAAAB")
    for path in [*_open_pages(racing), f"/api/deals/{racing.race.deal.code}"]:
        tells_nothing(racing, reader, racing.get(reader, path))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusal_is_given_in_the_readers_language(clock: Clock, language: str) -> None:
    racing = scene(clock, "sealed")
    for path in (
        f"/games/{racing.games['host'].pk}/",
        f"/games/{racing.games['host'].pk}/compare/{racing.games['running'].pk}/",
        f"/races/{racing.race.code}/replay/",
    ):
        answer = racing.get("stranger", path, language)
        assert answer.status_code == 403
        assert CLOSED[language] in answer.content.decode()
        assert "og:" not in answer.content.decode()  # an error is nothing to share


@pytest.mark.parametrize("reader", READERS)
def test_all_of_it_is_there_once_the_race_is_over(clock: Clock, reader: str) -> None:
    racing = scene(clock, "sealed")
    for name in ("host", "running"):
        resign(racing.games[name], 40_000)
    clock.pass_ms(60_000)
    settling.settle_overdue()
    paths = [form.format(game.pk) for form in GAMES.values() for game in racing.games.values()]
    first, second = racing.games["host"].pk, racing.games["running"].pk
    paths += [f"/races/{racing.race.code}/replay/", f"/games/{first}/compare/{second}/",
              f"/api/games/{first}/compare/{second}"]  # fmt: skip
    for path in paths:
        assert racing.get(reader, path).status_code == 200, path
    answer = racing.get(reader, f"/api/games/{second}/export")
    assert answer.json()["layout"] == racing.race.deal.layout
    with pytest.raises(AssertionError):  # the search does find what is there
        tells_nothing(racing, reader, answer)


@pytest.mark.parametrize("reader", ["finished", "won"])
def test_ones_own_early_replay_has_what_one_has_seen_and_no_more(clock: Clock, reader: str) -> None:
    racing = scene(clock, "sealed")
    game = fresh(racing.games[reader])
    answer = racing.get(reader, f"/api/games/{game.pk}/replay").json()
    faces = replays.log_of(game).faces
    told = [answer["layout"][at : at + 2] for at in range(0, 192, 2)]
    assert told == [faces.get(slot, "??") for slot in range(96)]
    body = racing.get(reader, f"/games/{game.pk}/").content.decode()
    boot = json.loads(body.split('<script id="boot" type="application/json">')[1].split("<")[0])
    assert (boot["open"], boot["others"]) == (False, [])
    assert "/export" not in body


@pytest.mark.parametrize("player", ["finished", "won"])
def test_the_deal_of_a_day_stays_closed_for_who_has_played_it_until_the_day_is_over(
    clock: Clock, player: str
) -> None:
    people = {player: guest("Anh"), "stranger": guest("Minh")}
    race = daily.play(player=people[player])
    line = solve(race.deal)
    race = Race.objects.select_related("deal", "host").get(pk=race.pk)
    if race.starts_at is None:
        race = run(race, clock)
    clock.ms = max(clock.ms, race.starts_at or 0)
    game = game_of(race, people[player])
    if player == "won":
        game = play(game, line)
    else:
        game = resign(play(game, legal_line(replays.log_of(game), 12)), 20_000)
    clock.pass_ms(60_000)
    settling.settle_overdue()
    day = Scene(race, people, {player: game})
    assert Race.objects.get(pk=race.pk).closed_at is not None
    for reader in ("visitor", "stranger", player):
        for form, path in GAMES.items():
            answer = day.get(reader, path.format(game.pk))
            own = reader == player and form in OWN_EARLY
            assert answer.status_code == (200 if own else 403), (reader, form)
            tells_nothing(day, reader, answer)
        for path in (f"/games/{game.pk}/compare/{game.pk}/", f"/races/{race.code}/replay/"):
            answer = day.get(reader, path)
            assert answer.status_code == 403, (reader, path)
            tells_nothing(day, reader, answer)
        for path in [*_open_pages(day), f"/api/deals/{race.deal.code}", "/daily/"]:
            answer = day.get(reader, path)
            assert answer.status_code == 200
            tells_nothing(day, reader, answer)
    clock.pass_ms(3 * 86_400_000)
    daily.reveal_due()
    for path in GAMES.values():
        assert day.get("visitor", path.format(game.pk)).status_code == 200
