"""Deals: found without being stored, sealed by chance, shown to nobody who is at them."""

import secrets
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from games.engine import deals as engine
from games.models import Deal, Game, Race
from games.services import deals, players, races, seats, settling
from games.services.denied import Denial, Denied
from tests.services.scenes import (
    DEAL,
    Clock,
    denied,
    fresh,
    game_of,
    guest,
    open_race,
    resign,
    run,
    winning_line,
)

pytestmark = pytest.mark.django_db
LETTERS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=7, max_size=7)


def _fail(*_: object) -> str:
    raise AssertionError("nothing may be drawn")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from("NF"), LETTERS)
def test_looking_at_an_open_deal_gives_its_cards_and_stores_nothing(
    kind: str, letters: str
) -> None:
    code = deals.read_code(f"CR1-{kind}-{letters}")
    found = deals.find(code=code)
    assert (found.code, found.kind) == (str(code), kind)
    assert found.layout == engine.layout_of(code)
    assert found.revealed
    assert deals.holds(deal=found)
    assert deals.may_see_layout(deal=found, player=None)
    assert not Deal.objects.exists()


@pytest.mark.parametrize(
    "typed", ["cr1-n-aaaaaab", "CR1NAAAAAAB", " cr1 n aaa aaab ", "CR1–N—AAAAAAB", "c-r-1-naaaaaab"]
)
def test_a_code_may_be_typed_without_care(typed: str) -> None:
    assert deals.choose(wish=typed).code == DEAL
    assert deals.choose(wish=DEAL).pk == Deal.objects.get().pk


@pytest.mark.parametrize(
    "typed",
    ["", "CR1", "CR2-N-AAAAAAB", "CR1-X-AAAAAAB", "CR1-N-AAAAAA", "CR1-N-AAAAAAAB", "CR1-N-AAAAAА1",
     "CR1-N-ААААААВ", "SEALED", "Random", "CR1-N-AAAAAAB\x00", "CR1-S-AAAAAAB", "x" * 100_000],
)  # fmt: skip
def test_what_is_no_code_makes_no_deal(typed: str) -> None:
    denied(Denial.BAD_DEAL, lambda: deals.choose(wish=typed))
    assert not Deal.objects.exists()


@given(st.text(max_size=80))
def test_reading_a_code_gives_one_or_says_bad_deal(text: str) -> None:
    try:
        code = deals.read_code(text)
    except Denied as refusal:
        reason = refusal.reason
    else:
        reason = Denial.BAD_DEAL
        assert deals.read_code(str(code)) == code
    assert reason == Denial.BAD_DEAL


def test_the_four_kind_deals_the_same_cards() -> None:
    normal, four = deals.choose(wish=DEAL), deals.choose(wish="CR1-F-AAAAAAB")
    assert normal.layout == four.layout
    assert (normal.kind, four.kind) == ("N", "F")


@pytest.mark.parametrize(("wish", "kind"), [("random", "N"), ("four", "F")])
def test_a_random_deal_is_stored_open_and_another_one_each_time(wish: str, kind: str) -> None:
    drawn = [deals.choose(wish=wish) for _ in range(5)]
    assert len({deal.code for deal in drawn}) == Deal.objects.count() == 5
    assert all(deal.kind == kind and deal.revealed and deals.holds(deal=deal) for deal in drawn)


def test_a_sealed_deal_is_closed_and_commits_to_its_cards() -> None:
    deal = deals.choose(wish="sealed")
    seed = bytes(deal.seed or b"")
    assert deal.kind == "S"
    assert not deal.revealed
    assert len(seed) == 16
    assert deal.layout == engine.deal(seed)
    assert deal.commitment == engine.commitment(seed, deal.layout)
    assert not deals.may_see_layout(deal=deal, player=None)
    assert not deals.may_see_layout(deal=deal, player=guest())
    assert deals.holds(deal=deal)


def test_sealed_codes_and_seeds_are_drawn_and_never_counted() -> None:
    sealed = [deals.seal() for _ in range(40)]
    numbers = [deals.read_code(deal.code).number for deal in sealed]
    assert len(set(numbers)) == len({bytes(deal.seed or b"") for deal in sealed}) == 40
    assert numbers != sorted(numbers)
    assert max(numbers) - min(numbers) > engine.CODE_COUNT / 10
    letters = [deals.read_code(deal.code).letters for deal in sealed]
    assert not any(
        deal.layout == engine.layout_of(engine.DealCode("N", name))
        for deal, name in zip(sealed, letters, strict=True)
    )


def test_a_sealed_code_that_is_taken_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("AAAAAAA" * 2 + "AAAAAAB")
    monkeypatch.setattr(secrets, "choice", lambda _: next(drawn))
    assert [deals.seal().code, deals.seal().code] == ["CR1-S-AAAAAAA", "CR1-S-AAAAAAB"]


def test_a_sealed_deal_cannot_be_raced_on_again_until_it_is_revealed(clock: Clock) -> None:
    deal = deals.seal()
    denied(Denial.DEAL_CLOSED, lambda: deals.choose(wish=deal.code))
    Deal.objects.update(revealed_at=clock())
    assert deals.choose(wish=deal.code.lower()) == deal
    assert deals.find(code=deals.read_code(deal.code)) == deal


def _swap(deal: Deal) -> None:
    deal.layout = deal.layout[2:4] + deal.layout[:2] + deal.layout[4:]


def _reseed(deal: Deal) -> None:
    deal.seed = bytes(16)


def _recommit(deal: Deal) -> None:
    deal.commitment = "0" * 64


def _drop(deal: Deal) -> None:
    deal.seed = None


@pytest.mark.parametrize("spoil", [_swap, _reseed, _recommit, _drop])
def test_a_sealed_deal_that_was_tampered_with_does_not_hold(spoil: Callable[[Deal], None]) -> None:
    deal = deals.seal()
    spoil(deal)
    assert not deals.holds(deal=deal)


def test_an_open_deal_with_other_cards_than_its_code_does_not_hold() -> None:
    deal = deals.choose(wish=DEAL)
    _swap(deal)
    assert not deals.holds(deal=deal)


def test_who_is_at_a_deal_gets_no_layout_of_it_and_everybody_else_does(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    deal = race.deal

    def at_it() -> tuple[bool, bool]:
        both = tuple(deals.is_playing(deal=deal, player=one) for one in (anh, oksana))
        may = tuple(not deals.may_see_layout(deal=deal, player=one) for one in (anh, oksana))
        assert both == may
        assert deals.may_see_layout(deal=deal, player=None)
        return both[0], both[1]

    assert at_it() == (False, False)  # the lobby
    races.start(code=race.code, player=anh)
    assert at_it() == (True, True)  # the countdown
    clock.ms = fresh(race).starts_at or 0
    assert at_it() == (True, True)
    assert not deals.is_playing(deal=deal, player=anh, besides_race_id=race.pk)
    resign(game_of(race, anh), 1_000)
    assert at_it() == (False, True)
    clock.pass_ms(60 * 60_000 + 4_999)
    assert at_it() == (False, True)
    clock.pass_ms(1)
    assert at_it() == (False, False)  # out of time, although nobody has settled it yet


def test_a_race_that_was_called_off_or_left_keeps_nobody_from_a_deal(clock: Clock) -> None:
    anh, oksana, third = guest(), guest("Oksana"), guest("Third")
    race = open_race(anh, oksana, third)
    seats.kick(code=race.code, host=anh, racer=game_of(race, third).pk)
    races.start(code=race.code, player=anh)
    assert not deals.is_playing(deal=race.deal, player=third)
    races.call_off(code=race.code, host=anh)
    assert not deals.is_playing(deal=race.deal, player=oksana)


def test_a_closed_race_keeps_nobody_from_its_deal(clock: Clock) -> None:
    race = run(open_race(guest()), clock)
    Race.objects.update(closed_at=clock())
    assert not deals.is_playing(deal=race.deal, player=race.host)


def test_a_game_on_another_deal_keeps_nobody_from_this_one(clock: Clock) -> None:
    race = run(open_race(guest(), deal="CR1-N-AAAAAAC"), clock)
    assert not deals.is_playing(deal=deals.choose(wish=DEAL), player=race.host)


def test_the_other_kind_of_the_same_letters_is_the_same_deal_to_who_plays_it(clock: Clock) -> None:
    race = run(open_race(guest("Anh"), deal="CR1-N-AAAAAAC"), clock)
    other = deals.find(code=deals.read_code("CR1-F-AAAAAAC"))
    assert other.pk is None
    assert not deals.may_see_layout(deal=other, player=race.host)
    denied(Denial.DEAL_CLOSED, lambda: open_race(race.host, deal=other.code))
    waiting = open_race(guest("Oksana"), deal=other.code, seats_=2)
    denied(Denial.DEAL_CLOSED, lambda: seats.take(code=waiting.code, player=race.host))
    assert deals.may_see_layout(deal=other, player=waiting.host)


def test_who_of_many_readers_is_at_play_elsewhere_is_one_question(
    clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    anh, oksana, minh = guest("Anh"), guest("Oksana"), guest("Minh")
    on_n = run(open_race(anh, deal="CR1-N-AAAAAAC"), clock)
    on_f = run(open_race(oksana, deal="CR1-F-AAAAAAC"), clock)
    apart = run(open_race(minh, deal="CR1-N-AAAAAAD"), clock)
    everybody = {anh.pk, oksana.pk, minh.pk}
    races_ = (on_n, on_f, apart)
    with django_assert_num_queries(1):
        found = deals.at_play_elsewhere(readers=dict.fromkeys(races_, everybody))
    assert found == {on_n.pk: {oksana.pk}, on_f.pk: {anh.pk}, apart.pk: set()}
    assert deals.at_play_elsewhere(readers={on_n: {minh.pk}}) == {on_n.pk: set()}
    resign(game_of(on_f, oksana), 1_000)
    clock.pass_ms(60 * 60_000 + 5_000)  # the others are out of time
    assert not any(deals.at_play_elsewhere(readers=dict.fromkeys(races_, everybody)).values())


def test_a_finished_sealed_race_reveals_its_deal_to_all(clock: Clock) -> None:
    race = run(open_race(guest(), deal="sealed"), clock)
    resign(game_of(race, race.host), 0)
    clock.pass_ms(10_000)
    assert settling.close_if_over(race_id=race.pk)
    deal = Deal.objects.get()
    assert deals.may_see_layout(deal=deal, player=race.host)
    assert deals.may_see_layout(deal=deal, player=None)


def test_the_known_winning_line_is_of_the_deal_these_tests_play() -> None:
    log = engine.layout_of(deals.read_code(DEAL))
    assert len(log) == 192
    assert len(winning_line()) > 96
    assert players.create_guest(name="Anh").pk
    assert not Game.objects.exists()
