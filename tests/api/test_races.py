"""/api/races: opened, read, a seat taken and left."""

from typing import Any

import pytest

from games.models import Deal, Game, Player, Race
from games.services import deals, players, races, seats, settling
from games.services.races import RaceOptions
from tests.api.readers import Reader, refusal
from tests.services.scenes import (
    DEAL,
    Clock,
    fresh,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    win,
    winning_line,
)

RACE = {"code", "host", "seats", "openness", "undo", "start", "time_limit_min", "listed",
        "starts_at", "closed_at", "next", "version"}  # fmt: skip
RACER = {"racer", "name", "host", "ready", "online", "home", "moves", "redeals", "blocked", "ghost",
         "outcome", "at", "place"}  # fmt: skip


def of(reader: Reader) -> Player:
    assert reader.player is not None
    return reader.player


# --- Opening ---------------------------------------------------------------------------------


def test_only_the_deal_has_to_be_said(anh: Reader) -> None:
    answer = anh.post("/api/races", {"deal": DEAL})
    race = Race.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "code": race.code,
        "url": f"http://testserver/races/{race.code}/",
        "deal": DEAL,
    }
    assert races.options_of(race) == RaceOptions()
    assert race.host == of(anh)
    assert Game.objects.get().player == of(anh)


def test_all_that_is_said_is_done(anh: Reader) -> None:
    options = {"seats": 50, "openness": "cards", "undo": False, "start": "all_ready",
               "time_limit_min": 180, "listed": True}  # fmt: skip
    assert anh.post("/api/races", {"deal": "sealed", **options}).status_code == 201
    assert races.options_of(Race.objects.get()) == RaceOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("wish", "kind"), [("sealed", "S"), ("random", "N"), ("four", "F")])
def test_a_new_deal_is_made_for_every_race(anh: Reader, wish: str, kind: str) -> None:
    codes = [anh.post("/api/races", {"deal": wish}).json()["deal"] for _ in range(3)]
    assert len(set(codes)) == 3
    assert {code[:6] for code in codes} == {f"CR1-{kind}-"}


@pytest.mark.parametrize("typed", ["cr1-n-aaaaaab", "CR1NAAAAAAB", "cr1 – n — aaa aaab"])
def test_a_deal_code_may_be_typed_without_care(anh: Reader, typed: str) -> None:
    assert anh.post("/api/races", {"deal": typed}).json()["deal"] == DEAL


@pytest.mark.parametrize(
    "deal", ["", "SEALED", "CR1-S-AAAAAAB", "CR1-N-AAAAAAA1", "CR1-N-AAAAAAB\x00", "x" * 60_000]
)
def test_a_deal_that_is_none_is_refused(anh: Reader, deal: str) -> None:
    refusal(anh.post("/api/races", {"deal": deal}), 400, "bad_deal")
    assert not Deal.objects.exists()


def test_a_deal_that_a_race_is_on_is_closed_to_others_and_at_hand_to_those_at_it(
    anh: Reader, oksana: Reader, clock: Clock
) -> None:
    sealed = open_race(of(anh), deal="sealed")
    refusal(oksana.post("/api/races", {"deal": sealed.deal.code}), 403, "deal_closed")
    run(open_race(of(anh)), clock)
    refusal(anh.post("/api/races", {"deal": DEAL}), 403, "deal_closed")
    assert oksana.post("/api/races", {"deal": DEAL}).status_code == 201


WRONG: dict[str, list[Any]] = {
    "seats": [0, 51, -1, True, 1.0, 2.5, "2", None, [], 10**30, 1e300],
    "time_limit_min": [9, 181, True, 60.0, "60", None, 10**30],
    "openness": ["", "all", "Moves", 1, None, True, ["moves"]],
    "start": ["", "now", 0, None, False],
    "undo": [0, 1, "true", None, []],
    "listed": [0, 1, "false", None, {}],
    "host": [1],
    "starts_at": [5],
    "": [1],
}
OPTIONS = [(name, value) for name, values in WRONG.items() for value in values]


@pytest.mark.parametrize(("name", "value"), OPTIONS, ids=str)
def test_an_option_of_another_type_or_out_of_range_is_refused(
    anh: Reader, name: str, value: Any
) -> None:
    refusal(anh.post("/api/races", {"deal": "sealed", name: value}), 400, "bad_option")
    assert not Race.objects.exists()
    assert not Deal.objects.exists()


# --- Reading ---------------------------------------------------------------------------------


def test_anybody_reads_what_a_watcher_may_know(
    anh: Reader, oksana: Reader, visitor: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), of(oksana), deal="sealed", seats_=4)
    seats.set_ready(code=race.code, player=of(oksana), ready=True)
    answers = [reader.get(f"/api/races/{race.code}") for reader in (anh, oksana, visitor)]
    assert {answer.status_code for answer in answers} == {200}
    bodies = [answer.json() for answer in answers]
    assert bodies[0] == bodies[1] == bodies[2]
    body = bodies[0]
    assert set(body) >= {"race", "deal", "racers", "now"}
    assert set(body["race"]) >= RACE
    assert body["race"]["code"] == race.code
    assert body["race"]["host"] == game_of(race, of(anh)).pk
    assert body["race"]["version"] == fresh(race).version
    assert body["deal"] == {
        "code": race.deal.code, "kind": "S", "commitment": race.deal.commitment,
    }  # fmt: skip
    assert body["now"] == clock()
    assert [set(racer) >= RACER for racer in body["racers"]] == [True, True]
    shown = [(row["name"], row["host"], row["ready"], row["place"]) for row in body["racers"]]
    assert shown == [("Anh", True, False, None), ("Oksana", False, True, None)]


def test_the_removed_are_not_among_the_racers_and_a_host_who_left_is_nobody(
    anh: Reader, oksana: Reader
) -> None:
    race = open_race(of(anh), of(oksana))
    seats.kick(code=race.code, host=of(anh), racer=game_of(race, of(oksana)).pk)
    assert [row["name"] for row in anh.get(f"/api/races/{race.code}").json()["racers"]] == ["Anh"]
    seats.leave(code=race.code, player=of(anh))
    body = anh.get(f"/api/races/{race.code}").json()
    assert (body["racers"], body["race"]["host"]) == ([], None)


def test_places_come_with_the_start_and_counts_with_the_moves(
    anh: Reader, oksana: Reader, visitor: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), of(oksana), guest("Minh"))
    races.start(code=race.code, player=of(anh))

    def rows() -> list[tuple[Any, ...]]:
        racers = visitor.get(f"/api/races/{race.code}").json()["racers"]
        return [
            (row["place"], row["home"], row["moves"], row["outcome"], row["at"]) for row in racers
        ]

    assert rows() == [(None, 8, 0, None, None)] * 3
    clock.pass_ms(5_000)
    assert rows() == [(1, 8, 0, None, None)] * 3
    play(game_of(race, of(oksana)), winning_line()[:3])
    win(game_of(race, of(anh)))
    resign(Game.objects.select_related("race__deal", "player").get(player__name="Minh"), 7)
    places = [row[0] for row in rows()]
    outcomes = [row[3] for row in rows()]
    assert (places, outcomes) == ([1, 2, 3], ["won", None, "resigned"])
    assert rows()[0][4] == Game.objects.get(player=of(anh)).finished_ms


@pytest.mark.parametrize(("ago", "online"), [(0, True), (24_999, True), (25_000, False)])
def test_a_racer_seen_within_25_seconds_is_online(
    anh: Reader, clock: Clock, ago: int, online: bool
) -> None:
    race = open_race(of(anh))
    Game.objects.update(seen_at=clock() - ago)
    assert anh.get(f"/api/races/{race.code}").json()["racers"][0]["online"] is online


def test_a_race_code_is_read_whatever_its_case(anh: Reader, oksana: Reader) -> None:
    race = open_race(of(anh), seats_=2)
    low = race.code.lower()
    assert anh.get(f"/api/races/{low}").json()["race"]["code"] == race.code
    assert oksana.post(f"/api/races/{low}/seat").status_code == 201
    assert oksana.send("DELETE", f"/api/races/{low}/seat").status_code == 204


CODES = ["NOSUCH7", "%00", "A%00B", "%20", "%ED%A0%80", "%FF", "x" * 3000, "..", "%27", "ßßß"]


@pytest.mark.parametrize("code", CODES)
def test_a_code_of_no_race_is_not_found(anh: Reader, code: str) -> None:
    refusal(anh.get(f"/api/races/{code}"), 404, "not_found")
    refusal(anh.post(f"/api/races/{code}/seat"), 404, "not_found")
    refusal(anh.send("DELETE", f"/api/races/{code}/seat"), 404, "not_found")


# --- Seats -----------------------------------------------------------------------------------


def test_a_seat_is_taken_once_and_left(anh: Reader, oksana: Reader) -> None:
    path = f"/api/races/{open_race(of(anh), seats_=2).code}/seat"
    first, again = oksana.post(path), oksana.post(path)
    racer = Game.objects.get(player=of(oksana)).pk
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json() == {"racer": racer}
    for _ in range(2):
        left = oksana.send("DELETE", path)
        assert (left.status_code, left.content) == (204, b"")
    assert not Game.objects.filter(player=of(oksana)).exists()


def test_a_seat_takes_no_body_and_ignores_one(anh: Reader, oksana: Reader) -> None:
    path = f"/api/races/{open_race(of(anh), seats_=2).code}/seat"
    assert oksana.post(path, b"\xff not JSON").status_code == 201


def test_a_full_race_has_no_seat(anh: Reader, oksana: Reader) -> None:
    race = open_race(of(anh))
    refusal(oksana.post(f"/api/races/{race.code}/seat"), 409, "race_full")


def test_after_the_start_seats_are_neither_taken_nor_left(
    anh: Reader, oksana: Reader, clock: Clock
) -> None:
    race = run(open_race(of(anh), seats_=3), clock)
    path = f"/api/races/{race.code}/seat"
    for reader in (anh, oksana):
        refusal(reader.post(path), 409, "race_started")
    refusal(anh.send("DELETE", path), 409, "race_started")
    resign(game_of(race, of(anh)), 0)
    clock.pass_ms(10_000)
    assert settling.close_if_over(race_id=race.pk)
    for reader in (anh, oksana):
        refusal(reader.post(path), 409, "race_closed")
    refusal(anh.send("DELETE", path), 409, "race_closed")


def test_who_was_removed_or_is_called_like_a_rival_or_is_at_the_deal_gets_no_seat(
    anh: Reader, oksana: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), of(oksana), seats_=5)
    path = f"/api/races/{race.code}/seat"
    seats.kick(code=race.code, host=of(anh), racer=game_of(race, of(oksana)).pk)
    refusal(oksana.post(path), 403, "removed")
    refusal(Reader(players.create_guest(name="АNH")).post(path), 409, "name_taken")
    busy = guest("Minh")
    run(open_race(busy), clock)
    refusal(Reader(busy).post(path), 403, "deal_closed")
    assert deals.is_playing(deal=race.deal, player=busy)
