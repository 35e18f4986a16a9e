"""Watchers who are shown the cards of a race have studied its deal."""

import time

from tests.support.client import Guest
from tests.support.rooms import running
from tests.support.server import Server
from tests.support.stores import orm


def _studies(server: Server, race: str) -> list[int]:
    found: list[int] = orm(
        server,
        "from games.models import Study\n"
        "answer = list(Study.objects.filter(deal__races__code=given['race'])"
        ".order_by('player').values_list('player', flat=True))",
        race=race,
    )
    return found


def _wait_for_studies(server: Server, race: str, players: list[int | None]) -> None:
    ends_at = time.monotonic() + 20
    while (found := _studies(server, race)) != players and time.monotonic() < ends_at:
        time.sleep(0.2)
    assert found == players


def test_who_watches_open_cards_has_studied_the_deal_and_who_sees_only_moves_has_not(
    server: Server,
) -> None:
    for openness, studied in (("moves", False), ("cards", True)):
        race = running(server, "sealed", openness=openness)
        watcher = Guest(server.origin, "Petro")
        watcher.socket(race.code).until("welcome")
        Guest(server.origin).socket(race.code).until("welcome")
        watcher.socket(race.code).settled()
        _wait_for_studies(server, race.code, [watcher.player] if studied else [])


def test_who_watches_a_race_end_is_shown_its_cards_and_has_studied_the_deal(
    server: Server,
) -> None:
    race = running(server, "sealed")
    watcher = Guest(server.origin, "Petro")
    socket = watcher.socket(race.code)
    socket.until("welcome")
    for racer in race.sockets:
        racer.send("resign")
    assert socket.until("closed", timeout=30)["layout"]
    late = Guest(server.origin, "Linh")
    assert late.socket(race.code).until("closed")["layout"]
    _wait_for_studies(server, race.code, [watcher.player, late.player])
