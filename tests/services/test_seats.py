"""Seats: who gets one, who loses it, who is host, in every order things can be asked in."""

from collections.abc import Callable
from functools import partial

import pytest

from games.models import Game, Player, Race
from games.services import players, races, seats
from games.services.denied import Denial, Denied
from tests.services.scenes import (
    Clock,
    at_once,
    denied,
    fresh,
    game_of,
    guest,
    open_race,
    resign,
    run,
)

pytestmark = pytest.mark.usefixtures("database")


def roster(race: Race) -> list[Player]:
    return [game.player for game in seats.roster(race).select_related("player")]


def test_a_seat_is_given_once_and_kept() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, seats_=2)
    game = seats.take(code=race.code, player=oksana)
    raised = fresh(race).version
    assert seats.take(code=race.code, player=oksana) == game
    assert roster(race) == [anh, oksana]
    assert (raised, fresh(race).version) == (race.version + 1, raised)
    assert (game.ready, game.seq, game.home, game.outcome) == (False, 0, 8, None)


def test_no_seat_where_there_is_none(clock: Clock) -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana)
    denied(Denial.NOT_FOUND, partial(seats.take, code="NOSUCH7", player=third))
    denied(Denial.NOT_FOUND, partial(seats.take, code="A\x00B", player=third))
    denied(Denial.RACE_FULL, partial(seats.take, code=race.code, player=third))
    races.start(code=race.code, player=anh)
    denied(Denial.RACE_STARTED, partial(seats.take, code=race.code, player=third))
    denied(Denial.RACE_STARTED, partial(seats.take, code=race.code, player=oksana))
    Race.objects.update(closed_at=fresh(race).starts_at)
    denied(Denial.RACE_CLOSED, partial(seats.take, code=race.code, player=third))


@pytest.mark.parametrize("name", ["anh", "Αnh", "A n h", "АNH"])
def test_nobody_comes_in_under_a_name_like_a_rivals(name: str) -> None:
    race = open_race(guest("Anh"), seats_=3)
    denied(Denial.NAME_TAKEN, partial(seats.take, code=race.code, player=guest(name)))
    elsewhere = open_race(guest("Oksana"), seats_=3)
    assert seats.take(code=elsewhere.code, player=guest(name)).pk


def test_the_name_of_one_who_left_or_was_removed_is_free_again() -> None:
    host, first, second = guest("Host"), guest("Anh"), guest("Oksana")
    race = open_race(host, first, second)
    seats.leave(code=race.code, player=first)
    seats.kick(code=race.code, host=host, racer=game_of(race, second).pk)
    assert seats.take(code=race.code, player=guest("anh")).pk
    assert seats.take(code=race.code, player=guest("OKSANA")).pk


def test_who_is_at_a_game_on_the_deal_gets_no_seat_on_it(clock: Clock) -> None:
    anh = guest()
    running = run(open_race(anh), clock)
    race = open_race(guest("Oksana"), seats_=2)
    denied(Denial.DEAL_CLOSED, partial(seats.take, code=race.code, player=anh))
    resign(game_of(running, anh), 0)
    assert seats.take(code=race.code, player=anh).pk


def test_of_two_lobbies_on_a_deal_who_starts_in_one_loses_the_seat_in_the_other(
    clock: Clock,
) -> None:
    anh, oksana, minh = guest(), guest("Oksana"), guest("Minh")
    first, second = open_race(anh, oksana), open_race(minh, oksana, anh)
    races.start(code=first.code, player=anh)
    version = fresh(second).version
    races.start(code=second.code, player=minh)
    assert list(seats.roster(second)) == [game_of(second, minh)]
    assert fresh(second).version > version
    denied(Denial.RACE_STARTED, partial(seats.take, code=second.code, player=anh))


def test_a_host_who_is_at_another_game_on_the_deal_starts_nothing(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    first, second = open_race(anh, oksana), open_race(anh, oksana)
    run(first, clock)
    denied(Denial.DEAL_CLOSED, partial(races.start, code=second.code, player=anh))
    assert fresh(second).starts_at is None
    assert seats.roster(second).count() == 2
    resign(game_of(first, anh), 0)
    races.start(code=second.code, player=anh)
    assert list(seats.roster(second)) == [game_of(second, anh)]


def test_a_race_that_starts_by_itself_waits_for_two_who_are_free(clock: Clock) -> None:
    busy, oksana, minh = guest(), guest("Oksana"), guest("Minh")
    race = open_race(busy, oksana, start="all_ready", seats_=3)
    run(open_race(busy), clock)
    for player in (busy, oksana):
        seats.set_ready(code=race.code, player=player, ready=True)
    assert fresh(race).starts_at is None
    assert (fresh(race).host, list(seats.roster(race))) == (oksana, [game_of(race, oksana)])
    seats.take(code=race.code, player=minh)
    seats.set_ready(code=race.code, player=minh, ready=True)
    assert fresh(race).starts_at is not None


def test_who_was_removed_stays_out_and_their_seat_is_free() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    racer = game_of(race, oksana).pk
    seats.kick(code=race.code, host=anh, racer=racer)
    denied(Denial.REMOVED, partial(seats.take, code=race.code, player=oksana))
    version = fresh(race).version
    seats.kick(code=race.code, host=anh, racer=racer)
    seats.leave(code=race.code, player=oksana)
    assert fresh(race).version == version
    denied(Denial.NOT_A_RACER, partial(seats.set_ready, code=race.code, player=oksana, ready=True))
    assert seats.take(code=race.code, player=guest("Third")).pk


def test_only_the_host_removes_and_only_others_and_only_in_the_lobby(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race, elsewhere = open_race(anh, oksana), open_race(guest("Third"))
    own, rival = game_of(race, anh).pk, game_of(race, oksana).pk
    foreign = game_of(elsewhere, elsewhere.host).pk

    def kick(host: Player, racer: int, code: str = race.code) -> Callable[[], None]:
        return partial(seats.kick, code=code, host=host, racer=racer)

    denied(Denial.NOT_FOUND, kick(anh, rival, "NOSUCH7"))
    denied(Denial.NOT_HOST, kick(oksana, own))
    for racer in (own, foreign, 0, -1, 2**63, 10**40):
        denied(Denial.NOT_A_RACER, kick(anh, racer))
    races.start(code=race.code, player=anh)
    denied(Denial.RACE_STARTED, kick(anh, rival))
    Race.objects.filter(pk=race.pk).update(closed_at=fresh(race).starts_at)
    denied(Denial.RACE_CLOSED, kick(anh, rival))


def test_leaving_gives_the_room_to_who_has_been_there_longest() -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana, third)
    seats.leave(code=race.code, player=anh)
    assert (roster(race), fresh(race).host) == ([oksana, third], oksana)
    seats.take(code=race.code, player=anh)
    assert (roster(race), fresh(race).host) == ([oksana, third, anh], oksana)
    seats.leave(code=race.code, player=third)
    assert (roster(race), fresh(race).host) == ([oksana, anh], oksana)


def test_leaving_twice_or_without_a_seat_is_harmless(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    seats.leave(code=race.code, player=oksana)
    version = fresh(race).version
    seats.leave(code=race.code, player=oksana)
    seats.leave(code=race.code, player=guest("Visitor"))
    assert fresh(race).version == version
    denied(Denial.NOT_FOUND, partial(seats.leave, code="NOSUCH7", player=anh))
    races.start(code=race.code, player=anh)
    denied(Denial.RACE_STARTED, partial(seats.leave, code=race.code, player=anh))
    Race.objects.update(closed_at=fresh(race).starts_at)
    denied(Denial.RACE_CLOSED, partial(seats.leave, code=race.code, player=anh))


def test_whoever_comes_first_into_an_empty_room_is_its_host() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, seats_=2)
    seats.leave(code=race.code, player=anh)
    assert roster(race) == []
    denied(Denial.NOT_A_RACER, partial(races.start, code=race.code, player=anh))
    seats.take(code=race.code, player=oksana)
    seats.take(code=race.code, player=anh)
    assert fresh(race).host == oksana


def test_ready_is_a_value_that_is_set(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)

    def ready(player: Player, is_it: bool, code: str = race.code) -> Callable[[], None]:
        return partial(seats.set_ready, code=code, player=player, ready=is_it)

    for value, raised in ((True, 1), (True, 1), (False, 2), (False, 2), (True, 3)):
        ready(oksana, value)()
        assert game_of(race, oksana).ready is value
        assert fresh(race).version == race.version + raised
    ready(anh, True)()
    assert fresh(race).starts_at is None  # all are, but the host is to start it
    denied(Denial.NOT_FOUND, ready(anh, True, "NOSUCH7"))
    denied(Denial.NOT_A_RACER, ready(guest("Visitor"), True))
    races.start(code=race.code, player=anh)
    denied(Denial.RACE_STARTED, ready(anh, False))
    Race.objects.update(closed_at=fresh(race).starts_at)
    denied(Denial.RACE_CLOSED, ready(anh, False))


def test_a_race_that_starts_when_all_are_ready_does_so_with_two_and_never_with_one(
    clock: Clock,
) -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, seats_=3, start="all_ready")
    seats.set_ready(code=race.code, player=anh, ready=True)
    assert fresh(race).starts_at is None
    seats.take(code=race.code, player=oksana)
    seats.take(code=race.code, player=third)
    seats.set_ready(code=race.code, player=oksana, ready=True)
    assert fresh(race).starts_at is None
    seats.set_ready(code=race.code, player=third, ready=True)
    assert fresh(race).starts_at == clock() + 5_000
    assert Game.objects.filter(first_try=True).count() == 3


@pytest.mark.parametrize("way", ["left", "removed"])
def test_a_race_starts_when_the_last_who_was_not_ready_goes(clock: Clock, way: str) -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana, third, start="all_ready")
    for player in (anh, oksana):
        seats.set_ready(code=race.code, player=player, ready=True)
    if way == "left":
        seats.leave(code=race.code, player=third)
    else:
        seats.kick(code=race.code, host=anh, racer=game_of(race, third).pk)
    assert fresh(race).starts_at == clock() + 5_000


def test_a_race_of_which_only_one_ready_racer_is_left_waits(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana, start="all_ready")
    seats.set_ready(code=race.code, player=anh, ready=True)
    seats.leave(code=race.code, player=oksana)
    assert fresh(race).starts_at is None


def test_the_room_is_handed_on_by_its_host_to_a_racer_of_it() -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race, elsewhere = open_race(anh, oksana, third), open_race(guest("Fourth"))
    own, rival = game_of(race, anh).pk, game_of(race, oksana).pk
    gone = game_of(race, third).pk
    seats.kick(code=race.code, host=anh, racer=gone)
    version = fresh(race).version

    def hand_on(host: Player, racer: int, code: str = race.code) -> Callable[[], None]:
        return partial(seats.hand_on, code=code, host=host, racer=racer)

    foreign = game_of(elsewhere, elsewhere.host).pk
    for racer in (foreign, gone, 0, 2**63, 10**40):
        denied(Denial.NOT_A_RACER, hand_on(anh, racer))
        denied(Denial.NOT_HOST, hand_on(oksana, racer))
    denied(Denial.NOT_HOST, hand_on(oksana, rival))
    denied(Denial.NOT_FOUND, hand_on(anh, rival, "NOSUCH7"))
    hand_on(anh, own)()
    assert (fresh(race).host, fresh(race).version) == (anh, version)
    hand_on(anh, rival)()
    hand_on(anh, rival)()  # sent twice: it is done already
    assert (fresh(race).host, fresh(race).version) == (oksana, version + 1)
    denied(Denial.NOT_HOST, hand_on(anh, own))
    denied(Denial.NOT_HOST, partial(races.start, code=race.code, player=anh))


def test_a_running_race_can_be_handed_on(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    seats.hand_on(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    assert fresh(race).host == oksana


def test_a_guest_is_renamed_unless_a_rival_in_an_open_race_is_called_so(
    clock: Clock, heard: list[str]
) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    with pytest.raises(Denied) as caught:
        players.rename(player=oksana, name="ANH")
    assert caught.value.reason == Denial.NAME_TAKEN
    assert Player.objects.get(pk=oksana.pk).name == oksana.name == "Oksana"
    with pytest.raises(Denied):
        players.rename(player=oksana, name="\u200b")
    assert oksana.name == "Oksana"
    heard.clear()
    players.rename(player=oksana, name=" Оксана ")
    assert Player.objects.get(pk=oksana.pk).name == "Оксана"
    assert heard == [race.code]
    Race.objects.update(starts_at=1, closed_at=clock())
    players.rename(player=oksana, name="Anh")
    assert heard == [race.code]


def test_a_new_name_that_only_a_removed_rival_has_is_taken_and_ones_own_again() -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    players.rename(player=anh, name="ANH")
    seats.kick(code=race.code, host=anh, racer=game_of(race, oksana).pk)
    players.rename(player=anh, name="Oksana")
    assert Player.objects.get(pk=anh.pk).name == "Oksana"


def test_an_account_keeps_a_name_of_its_own() -> None:
    boss = Player.objects.create_superuser("Boss", "secret word")
    other = Player.objects.create_superuser("Other", "secret word")
    players.rename(player=other, name="Ｏther one")
    assert Player.objects.get(pk=other.pk).name_key == "other one"
    with pytest.raises(Denied) as caught:
        players.rename(player=other, name="BOSS")
    assert caught.value.reason == Denial.NAME_TAKEN
    kept = Player.objects.get(pk=other.pk)
    assert (kept.name, kept.name_key) == ("Other one", "other one")
    assert boss.name_key == "boss"


def test_a_guest_has_no_password_and_a_language() -> None:
    anh = players.create_guest(name=" Anh ", language="vi")
    assert (anh.name, anh.name_key, anh.is_guest, anh.language) == ("Anh", None, True, "vi")
    assert not anh.has_usable_password()
    assert (anh.is_staff, anh.is_superuser) == (False, False)
    players.set_language(player=anh, language="uk")
    assert Player.objects.get(pk=anh.pk).language == "uk"


def test_the_last_seat_is_given_to_one_of_those_who_ask_at_once() -> None:
    race = open_race(guest("Host"), seats_=2)
    asking = [guest(name) for name in ("Anh", "Oksana", "Bohdan", "Minh")]
    results = at_once(*(partial(seats.take, code=race.code, player=one) for one in asking))
    given = [one for one in results if isinstance(one, Game)]
    refused = [one.reason for one in results if isinstance(one, Denied)]
    assert (len(given), refused) == (1, [Denial.RACE_FULL] * 3)
    assert len(roster(race)) == 2
    assert fresh(race).version == race.version + 1


def test_of_two_like_names_that_come_at_once_one_gets_in() -> None:
    race = open_race(guest("Host"), seats_=5)
    results = at_once(
        *(partial(seats.take, code=race.code, player=guest(name)) for name in ("Anh", "АNH"))
    )
    assert [one.reason for one in results if isinstance(one, Denied)] == [Denial.NAME_TAKEN]


def test_a_start_and_a_seat_at_once_never_leave_a_racer_out_of_the_first_tries() -> None:
    anh = guest("Host")
    race = open_race(anh, guest("Oksana"), seats_=5)
    late = guest("Late")
    _, took = at_once(
        partial(races.start, code=race.code, player=anh),
        partial(seats.take, code=race.code, player=late),
    )
    assert isinstance(took, Game) or (
        isinstance(took, Denied) and took.reason == Denial.RACE_STARTED
    )
    assert fresh(race).starts_at is not None
    assert all(game.first_try for game in seats.roster(race))


def test_of_two_lobbies_on_a_deal_that_start_at_once_a_player_is_in_one() -> None:
    for number in range(5):
        both = guest(f"Both {number}")
        hosts = [guest(f"Host {number} {one}") for one in "AB"]
        lobbies = [open_race(host, both) for host in hosts]
        at_once(
            *[
                partial(races.start, code=race.code, player=host)
                for race, host in zip(lobbies, hosts, strict=True)
            ]
        )
        assert all(fresh(race).starts_at for race in lobbies)
        assert sorted(seats.roster(race).count() for race in lobbies) == [1, 2]
