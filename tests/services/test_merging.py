"""A guest's games go over to an account as if both had been one player from the start."""

import random
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.db.models import F

from games.models import Attempt, Best, Game, Player, Race, Stretch, Study
from games.services import (
    accounts,
    bests,
    daily,
    leaderboards,
    merging,
    periods,
    players,
    profiles,
    races,
    seats,
    settling,
    stretches,
)
from games.services.boards import ALL_DEALS, COLUMNS, DAYS_DEALS, Board
from games.services.denied import Denial, Denied
from tests.services import boards
from tests.services.scenes import (
    Clock,
    at_once,
    denied,
    game_of,
    guest,
    open_race,
    resign,
    run,
    wait_until_one_waits,
    win,
)
from tests.services.test_boards import TEXTS

pytestmark = pytest.mark.usefixtures("database")

DAY_MS = 24 * 3600 * 1000
ON_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.postgres)
"""SQLite has one writer: there is no meanwhile."""


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def account(player: Player | None = None, name: str = "Account") -> Player:
    return accounts.keep(player=player, name=name, password="x" * 12, language="")


def stored() -> list[Any]:
    models = (Player, Race, Game, Attempt, Study, Best, Stretch)
    return [row for model in models for row in model.objects.order_by("pk").values()]


def refused(reason: Denial, guest: Player, account: Player) -> None:
    before = stored()
    with pytest.raises(Denied) as caught:
        merging.take_along(guest=guest, account=account)
    assert caught.value.reason == reason
    assert stored() == before


def strangers(world: boards.World) -> list[tuple[Player, Player]]:
    """Pair players who were never in one race, each in one pair at most."""
    met = {
        frozenset(pair)
        for pair in Game.objects.exclude(race__games__player=F("player")).values_list(
            "player", "race__games__player"
        )
    }
    for race in Race.objects.filter(seats=2).prefetch_related("games"):
        met.add(frozenset(game.player_id for game in race.games.all()))
    left, pairs = list(world.players), []
    while len(left) > 1:
        one = left.pop()
        other = next((two for two in left if frozenset((one.pk, two.pk)) not in met), None)
        if other is not None:
            left.remove(other)
            pairs.append((one, other))
    return pairs


def agrees(scopes: list[int]) -> None:
    """Compare the boards with those that a plain script makes of all games."""
    played = boards.all_played()
    for scope in scopes:
        for text in TEXTS:
            there = [one for one in played if (scope, text) in one.pairs]
            for by, games in COLUMNS:
                board = Board(scope, periods.read(text), games, by)
                rows = leaderboards.read(board=board, reader=None, size=1000).rows
                read = [(row.rank, row.game.player_id, row.game.pk) for row in rows]
                assert read == boards.plain_board(there, games=games, by=by)


@pytest.mark.parametrize("entered", ["before", "half before", "after"])
def test_the_boards_are_those_of_one_player_whenever_the_games_are_entered(
    monkeypatch: pytest.MonkeyPatch, entered: str
) -> None:
    monkeypatch.setattr(stretches, "MOST", 5)
    world = boards.make(300, 7, players=24)
    Race.objects.update(closed_at=F("starts_at") + DAY_MS)
    ids = list(Game.objects.values_list("pk", flat=True))
    random.Random(7).shuffle(ids)
    early = {"before": len(ids), "half before": len(ids) // 2, "after": 0}[entered]
    for pk in ids[:early]:
        bests.enter(game_id=pk)
    pairs = strangers(world)
    assert len(pairs) > 5
    for one, other in pairs:
        account(other, f"Account {other.pk}")
        games = set(Game.objects.filter(player__in=[one, other]).values_list("pk", flat=True))
        merging.take_along(guest=one, account=Player.objects.get(pk=other.pk))
        assert set(Game.objects.filter(player=other).values_list("pk", flat=True)) == games
        assert not Best.objects.filter(player=one).exists()
        assert not Attempt.objects.filter(player=one).exists()
    for pk in ids[early:]:
        bests.enter(game_id=pk)
    agrees([ALL_DEALS, DAYS_DEALS, world.deals[0].pk, world.deals[5].pk])
    assert boards.check_stretches() > 20


def test_what_was_hosted_and_won_goes_along_and_the_guest_is_nobodys(clock: Clock) -> None:
    anh, rival, own = guest("Anh"), guest("Oksana"), account()
    race = run(open_race(anh, rival), clock)
    won = win(game_of(race, anh))
    clock.pass_ms(10 * 60_000)
    resign(game_of(race, rival), 9 * 60_000)
    clock.pass_ms(60_000)
    assert settling.close_if_over(race_id=race.pk)
    merging.take_along(guest=anh, account=own)
    race.refresh_from_db()
    assert (race.host_id, Game.objects.get(pk=won.pk).player_id) == (own.pk, own.pk)
    assert game_of(race, rival).player == rival
    row = leaderboards.own_row(board=Board(), reader=own)
    assert row is not None
    assert row.game.pk == won.pk
    assert leaderboards.own_row(board=Board(), reader=anh) is None
    anh.refresh_from_db()
    assert not anh.is_active
    refused(Denial.BAD_OPTION, anh, own)


@pytest.mark.parametrize("guests", [True, False])
@pytest.mark.parametrize("accounts_", [True, False])
def test_what_either_kept_private_stays_so(clock: Clock, guests: bool, accounts_: bool) -> None:
    anh, own = guest("Anh"), account()
    profiles.set_private(player=anh, private=guests)
    profiles.set_private(player=own, private=accounts_)
    merging.take_along(guest=players.create_guest(name="Minh"), account=own)
    merging.take_along(guest=Player.objects.get(pk=anh.pk), account=own)
    assert Player.objects.get(pk=own.pk).is_private == (guests or accounts_)


def test_nothing_is_taken_while_the_guest_sits_in_a_race(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    race = open_race(anh, seats_=2)
    refused(Denial.STILL_PLAYING, anh, own)
    assert list(merging.open_races(player=anh)) == [race]
    run(race, clock)
    refused(Denial.STILL_PLAYING, anh, own)
    resign(game_of(race, anh), 1_000)
    refused(Denial.STILL_PLAYING, anh, own)  # it can be taken back
    clock.pass_ms(60_000)
    assert settling.close_if_over(race_id=race.pk)
    merging.take_along(guest=anh, account=own)
    assert game_of(race, own).outcome == "resigned"


def test_a_lobby_that_was_left_holds_nobody_up() -> None:
    anh, own = guest("Anh"), account()
    race = open_race(anh, guest("Oksana"), seats_=3)
    seats.leave(code=race.code, player=anh)
    merging.take_along(guest=anh, account=own)


def test_a_race_in_which_both_sat_stays_as_it_is(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    both = run(open_race(anh, own, deal="CR1-N-AAAAAAC"), clock)
    for player in (anh, own):
        resign(game_of(both, player), 1_000)
    clock.pass_ms(60_000)
    assert settling.close_if_over(race_id=both.pk)
    alone = run(open_race(anh), clock)
    win(game_of(alone, anh))
    clock.pass_ms(600_000)
    assert settling.close_if_over(race_id=alone.pk)
    merging.take_along(guest=anh, account=own)
    assert {game.player_id for game in both.games.all()} == {anh.pk, own.pk}
    assert Race.objects.get(pk=both.pk).host_id == anh.pk
    assert game_of(alone, own).outcome == "won"


def test_a_later_try_is_no_first_one_also_where_it_is_being_played(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    earlier = run(open_race(anh), clock)
    win(game_of(earlier, anh))
    clock.pass_ms(600_000)
    settling.close_if_over(race_id=earlier.pk)
    running = run(open_race(own), clock)
    assert game_of(running, own).first_try
    merging.take_along(guest=anh, account=own)
    assert game_of(earlier, own).first_try
    win(game_of(running, own))
    clock.pass_ms(600_000)
    settling.close_if_over(race_id=running.pk)
    assert not game_of(running, own).first_try
    first = leaderboards.read(board=Board(games="first"), reader=own)
    assert [row.game.race_id for row in first.rows] == [earlier.pk]


def finish_day(player: Player, clock: Clock, *, won: bool) -> Race:
    race = daily.play(player=player)
    races.start(code=race.code, player=player)
    race.refresh_from_db()
    game = game_of(race, player)
    clock.pass_ms(120_000)
    Game.objects.filter(pk=game.pk).update(
        outcome="won" if won else "resigned", finished_ms=100_000, home=104 if won else 50
    )
    assert settling.close_if_over(race_id=race.pk)
    return race


@pytest.mark.parametrize("first", ["guest", "account"])
def test_of_two_games_of_a_day_the_first_counts(clock: Clock, first: str) -> None:
    anh, own = guest("Anh"), account()
    order = (anh, own) if first == "guest" else (own, anh)
    counted, later = (finish_day(player, clock, won=True) for player in order)
    merging.take_along(guest=anh, account=own)
    (attempt,) = Attempt.objects.all()
    assert (attempt.race_id, attempt.player_id) == (counted.pk, own.pk)
    assert {game.race_id for game in Game.objects.filter(player=own)} == {counted.pk, later.pk}
    board = leaderboards.read(board=Board(DAYS_DEALS), reader=own)
    assert [row.game.race_id for row in board.rows] == [counted.pk]
    assert daily.streak_of(player=own).current == 1


def test_streaks_grow_together(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    for player in (anh, own, anh):
        finish_day(player, clock, won=True)
        clock.pass_ms(DAY_MS)
    merging.take_along(guest=anh, account=own)
    assert daily.streak_of(player=own).longest == 3


def test_a_day_that_the_account_is_at_is_not_opened_again(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    finish_day(anh, clock, won=True)
    daily.play(player=own)
    refused(Denial.STILL_PLAYING, anh, own)


@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_a_day_that_the_account_comes_back_to_meanwhile_is_the_guests(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    anh, own = guest("Anh"), account()
    left = daily.play(player=own)
    Race.objects.filter(pk=left.pk).update(closed_at=clock.ms)
    played = finish_day(anh, clock, won=True)
    take_days, returned = merging._take_days, list[Race | Exception]()
    coming = threading.Thread(
        target=lambda: returned.extend(at_once(partial(daily.play, player=own)))
    )

    def take_days_while_they_come(*these: Any) -> None:
        coming.start()
        wait_until_one_waits()
        take_days(*these)

    monkeypatch.setattr(merging, "_take_days", take_days_while_they_come)
    merging.take_along(guest=anh, account=own)
    coming.join(timeout=60)
    assert returned == [played]
    assert Attempt.objects.get().player == own


@pytest.mark.parametrize("error", [IntegrityError, OperationalError])
def test_what_gets_in_the_way_keeps_all_as_it_was(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    anh, own = guest("Anh"), account()

    def fail(**_: Any) -> None:
        raise error

    monkeypatch.setattr("games.services.rebuilding.rebuild", fail)
    refused(Denial.UNAVAILABLE, anh, own)


def test_a_deal_counts_as_studied_from_when_either_saw_its_cards(clock: Clock) -> None:
    anh, own = guest("Anh"), account()
    race = run(open_race(own), clock)
    deal = race.deal
    Study.objects.create(player=anh, deal=deal, at=clock.ms - 5)
    Study.objects.create(player=own, deal=deal, at=clock.ms + 10**8)
    win(game_of(race, own))
    clock.pass_ms(600_000)
    settling.close_if_over(race_id=race.pk)
    merging.take_along(guest=anh, account=own)
    assert Study.objects.get().at == race.starts_at - 5 if race.starts_at else False
    assert game_of(race, own).studied
    assert not leaderboards.read(board=Board(games="first"), reader=None).rows
    assert leaderboards.read(board=Board(), reader=None).rows


def test_guests_take_nothing_along_and_accounts_are_not_taken() -> None:
    one, other = account(name="One"), account(name="Other")
    refused(Denial.BAD_OPTION, guest(), guest())
    refused(Denial.BAD_OPTION, one, other)


def test_of_two_accounts_that_take_one_guest_at_once_one_has_all(clock: Clock) -> None:
    anh = guest("Anh")
    for _ in range(3):
        race = run(open_race(anh), clock)
        win(game_of(race, anh))
        clock.pass_ms(600_000)
        settling.close_if_over(race_id=race.pk)
    own = [account(name="One"), account(name="Other")]
    results = at_once(*[partial(merging.take_along, guest=anh, account=one) for one in own])
    refusals = [one for one in results if one is not None]
    assert [one.reason for one in refusals if isinstance(one, Denied)] == [Denial.BAD_OPTION]
    assert len(refusals) == 1
    assert len({game.player_id for game in Game.objects.all()} - {anh.pk}) == 1


def test_games_that_are_entered_meanwhile_are_on_the_boards_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stretches, "MOST", 3)
    world = boards.make(60, 3, players=12, deals=3)
    Race.objects.update(closed_at=F("starts_at") + DAY_MS)
    one, own = strangers(world)[0]
    account(own)
    own.refresh_from_db()
    ids = list(Game.objects.order_by("pk").values_list("pk", flat=True))

    def enter(lot: list[int]) -> None:
        for pk in lot:
            bests.enter(game_id=pk)

    take = partial(merging.take_along, guest=one, account=own)
    results = at_once(partial(enter, ids[::2]), take, partial(enter, ids[1::2]))
    assert results == [None, None, None]
    agrees([ALL_DEALS, DAYS_DEALS])
    boards.check_stretches()


@pytest.mark.parametrize("entered", ["meanwhile", "after"])
@pytest.mark.parametrize("database", [ON_POSTGRESQL], indirect=True)
def test_a_game_won_meanwhile_is_no_first_try(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, entered: str
) -> None:
    anh, own = guest("Anh"), account()
    earlier = run(open_race(anh), clock)
    win(game_of(earlier, anh))
    clock.pass_ms(600_000)
    settling.close_if_over(race_id=earlier.pk)
    running = run(open_race(own), clock)
    game = game_of(running, own)
    take_studies = merging._take_studies

    def win_it() -> None:
        win(game)
        if entered == "meanwhile":
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '10s'")
            assert bests.enter(game_id=game.pk)

    def take_studies_while_it_is_won(guest: Player, account: Player) -> None:
        assert at_once(win_it) == [None]
        Study.objects.create(player=guest, deal=running.deal, at=clock.ms)
        take_studies(guest, account)

    monkeypatch.setattr(merging, "_take_studies", take_studies_while_it_is_won)
    merging.take_along(guest=anh, account=own)
    if entered == "after":
        assert bests.enter(game_id=game.pk)
    assert game_of(earlier, own).first_try
    won = game_of(running, own)
    assert (won.entered, won.first_try, won.studied) == (True, False, True)
    first = leaderboards.read(board=Board(games="first"), reader=own)
    assert [row.game.race_id for row in first.rows] == [earlier.pk]
    boards.check_stretches()


def test_a_seat_is_taken_before_or_not_at_all() -> None:
    anh, own = guest("Anh"), account()
    race = open_race(guest("Oksana"), seats_=3)
    taken, seat, language = at_once(
        partial(merging.take_along, guest=anh, account=own),
        partial(seats.take, code=race.code, player=anh),
        partial(players.set_language, player=own, language="uk"),
    )
    anh.refresh_from_db()
    if isinstance(seat, Game):
        assert isinstance(taken, Denied)
        assert taken.reason == Denial.STILL_PLAYING
        assert game_of(race, anh).player == anh
        assert anh.is_active
    else:
        assert isinstance(seat, Denied)
        assert (taken, seat.reason) == (None, Denial.SIGN_IN)
        assert not anh.is_active
    assert language is None
    assert Player.objects.get(pk=own.pk).language == "uk"


def test_what_a_guest_asked_for_before_they_were_nobody_is_refused() -> None:
    anh, own = guest("Anh"), account()
    race = open_race(guest("Oksana"), seats_=3)
    merging.take_along(guest=anh, account=own)
    asked: list[Callable[[], object]] = [
        partial(seats.take, code=race.code, player=anh),
        partial(open_race, anh),
        partial(daily.play, player=anh),
        partial(accounts.keep, player=anh, name="Anh", password="x" * 12, language=""),
    ]
    before = stored()
    for ask in asked:
        denied(Denial.SIGN_IN, ask)
    assert stored() == before
