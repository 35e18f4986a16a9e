"""Whoever is shown the cards of a deal has studied it, at whatever address that was."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.engine.log import GameLog
from games.models import Game, LoggedAction, Study
from games.services import daily
from tests.support.lines import legal_line
from tests.web import scenes
from tests.web.scenes import text_of

pytestmark = pytest.mark.django_db

SHOWING = {
    "/games/<int:game>/",
    "/games/<int:game>/compare/<int:other>/",
    "/api/games/<int:game>/replay",
    "/api/games/<int:game>/export",
    "/api/games/<int:game>/export?format=text",
    "/api/games/<int:game>/compare/<int:other>",
    "/api/deals/<str:code>",
}
"""What gives out cards, or what follows from them."""

QUERIES = ("/api/games/<int:game>/export?format=text", "/api/deals/<str:code>?cards=no")
CARD = re.compile(r"(?<![%\w])(?:[A2-9TJQK][SHDC])+(?!\w)")


def _addresses(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield here
        elif pattern.namespace != "admin":
            yield from _addresses(pattern, here)


ADDRESSES = {*_addresses(get_resolver()), *QUERIES}


@pytest.fixture
def games() -> list[Game]:
    """Two games of a race that is over, on a sealed deal that is open now."""
    race = scenes.started(scenes.race(scenes.guest("Halyna")), other := scenes.guest("Nam"))
    for game in race.games.all():
        line = legal_line(GameLog.start(race.deal.layout, 3, True), 12)
        LoggedAction.objects.bulk_create(
            LoggedAction(game=game, seq=seq, at_ms=1000 * seq, code=code)
            for seq, code in enumerate(line[: 10 + (game.player_id == other.pk)], start=1)
        )
    for player in (race.host, other):
        scenes.end(race, player, won=False)
    race.deal.refresh_from_db()
    assert race.deal.revealed
    return list(race.games.select_related("race__deal").order_by("pk"))


def _filled(address: str, games: list[Game]) -> str:
    race = games[0].race
    code = race.deal.code if "deals" in address else race.code
    parts = {
        "int:game": games[0].pk, "int:other": games[1].pk, "int:player": games[0].player_id,
        "str:code": code, "str:date": daily.today().date,
    }  # fmt: skip
    return re.sub(r"<(\w+:\w+)>", lambda found: str(parts[found[1]]), address)


def test_every_address_that_shows_cards_notes_who_saw_them(games: list[Game]) -> None:
    deal, noted, showing = games[0].race.deal, set(), set()
    for address in ADDRESSES:
        reader, client = scenes.guest("Thảo"), Client()
        client.force_login(reader)
        body = text_of(client.get(_filled(address, games), follow=True))
        if deal.layout in body or len(CARD.findall(body)) >= 10:
            showing.add(address)
        if Study.objects.filter(player=reader, deal=deal).exists():
            noted.add(address)
    assert showing - {"/rules/"} <= noted
    assert noted == SHOWING


def test_what_only_a_visitor_or_a_racer_of_the_deal_sees_is_no_study(games: list[Game]) -> None:
    for address in SHOWING:
        assert Client().get(_filled(address, games)).status_code == 200
    unplayed = Client()
    unplayed.force_login(scenes.guest("Thảo"))
    assert unplayed.get("/api/deals/CR1-N-QQQQQQQ").json()["layout"]
    assert not Study.objects.exists()


def test_the_first_look_stands(games: list[Game]) -> None:
    client = Client()
    client.force_login(scenes.guest("Thảo"))
    path = _filled("/api/games/<int:game>/replay", games)
    client.get(path)
    Study.objects.update(at=5)
    client.get(path)
    assert Study.objects.get().at == 5
