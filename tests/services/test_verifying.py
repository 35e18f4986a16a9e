"""Verifying finds every way in which what is stored of a game can differ from its log."""

import io
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, QuerySet

from games.models import Deal, Game, LoggedAction, Race
from games.services import deals, verifying
from tests.services.scenes import (
    Clock,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    win,
    winning_line,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: Clock) -> Game:
    """A game in the middle, with moves, a redeal and an undo in it."""
    race = run(open_race(guest()), clock)
    return play(game_of(race, race.host), [*winning_line()[:9], "<<"])


def faults(game: Game) -> str:
    return "; ".join(verifying.faults_of(game_of(game.race, game.player)))


def test_games_as_they_are_played_have_no_faults(game: Game, clock: Clock) -> None:
    assert (game.seq, game.undos, game.redeals) == (10, 1, 1)
    assert faults(game) == ""
    assert faults(resign(game, 99_000)) == ""
    won = run(open_race(guest("Oksana")), clock)
    assert faults(win(game_of(won, won.host))) == ""
    untouched = run(open_race(guest("Minh")), clock)
    assert faults(game_of(untouched, untouched.host)) == ""


LOG: dict[str, tuple[Callable[[], object], str]] = {
    "an action is missing": (lambda: _at(4).delete(), "gaps"),
    "the first action is missing": (lambda: _at(1).delete(), "gaps"),
    "the last action is missing": (lambda: _at(10).delete(), "seq is stored as 10"),
    "all actions are missing": (lambda: LoggedAction.objects.all().delete(), "seq is stored as"),
    "there is one too many": (
        lambda: LoggedAction.objects.bulk_create(
            [LoggedAction(game=Game.objects.get(), seq=11, at_ms=10**6, code="**")]
        ),
        "seq is stored as 10, the log makes it 11",
    ),
    "times go back": (lambda: _at(5).update(at_ms=0), "times go back"),
    "a move against the rules": (lambda: _at(3).update(code="aa"), "action 3"),
    "a code that is none": (lambda: _at(3).update(code="zz"), "action 3"),
    "an undo where there is none": (lambda: _at(1).update(code="<<"), "action 1"),
    "other cards": (lambda: Deal.objects.update(layout=_reversed()), "is refused"),
    "no cards at all": (lambda: Deal.objects.update(layout="??" * 96), "card"),
    "undo was never allowed": (lambda: Race.objects.update(undo=False), "action 10"),
}
COUNTERS = ("seq", "moves", "undos", "redeals", "home")


def _at(seq: int) -> QuerySet[LoggedAction]:
    return LoggedAction.objects.filter(seq=seq)


def _reversed() -> str:
    cards = Deal.objects.get().layout
    return "".join(cards[at : at + 2] for at in range(190, -1, -2))


@pytest.mark.parametrize(("corrupt", "told"), LOG.values(), ids=LOG)
def test_a_corrupted_log_is_found_out(game: Game, corrupt: Callable[[], object], told: str) -> None:
    corrupt()
    assert told in faults(game)


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("by", [1, -1])
def test_a_counter_that_is_off_is_found_out(game: Game, counter: str, by: int) -> None:
    if getattr(game, counter) + by < 0:
        return
    Game.objects.update(**{counter: F(counter) + by})
    right = getattr(game, counter)
    assert faults(game) == f"{counter} is stored as {right + by}, the log makes it {right}"


def test_a_win_that_is_none_is_found_out(game: Game) -> None:
    Game.objects.update(outcome="won", finished_ms=10_000, home=104)
    told = faults(game)
    assert "the outcome is stored as won" in told
    assert "home is stored as 104" in told


@pytest.mark.parametrize("outcome", ["resigned", "expired", None])
def test_a_win_that_is_stored_as_something_else_is_found_out(
    clock: Clock, outcome: str | None
) -> None:
    race = run(open_race(guest()), clock)
    game = win(game_of(race, race.host))
    Game.objects.update(outcome=outcome, finished_ms=outcome and game.finished_ms)
    assert faults(game) == f"the outcome is stored as {outcome}, with 104 cards home"


@pytest.mark.parametrize("by", [1, -1])
def test_a_winning_time_that_is_not_the_last_moves_is_found_out(clock: Clock, by: int) -> None:
    race = run(open_race(guest()), clock)
    game = win(game_of(race, race.host))
    Game.objects.update(finished_ms=F("finished_ms") + by)
    assert f"finished_ms is {(game.finished_ms or 0) + by}" in faults(game)


def test_every_started_game_is_verified_and_no_lobby(game: Game) -> None:
    open_race(guest("Lobby"))
    assert [(found.pk, told) for found, told in verifying.all_games()] == [(game.pk, [])]


def run_command(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_verify_games_counts_what_is_right(game: Game) -> None:
    assert run_command("verify_games") == "1 games equal their logs\n"


def test_verify_games_names_what_is_wrong_and_fails(game: Game, clock: Clock) -> None:
    run(open_race(guest("Oksana")), clock)
    Game.objects.filter(pk=game.pk).update(moves=99, home=9)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 of 2 games differ from their logs"):
        call_command("verify_games", stdout=out)
    lines = out.getvalue().splitlines()
    assert all(line.startswith(f"game {game.pk} of race {game.race.code}: ") for line in lines)
    assert "moves is stored as 99" in lines[0]


def test_verify_games_has_nothing_against_an_empty_database() -> None:
    assert run_command("verify_games") == "0 games equal their logs\n"


def test_verify_deal_shows_the_cards_of_an_open_deal_stored_or_not() -> None:
    expected = run_command("verify_deal", "CR1-N-AAAAAAB")
    deal = deals.choose(wish="CR1-N-AAAAAAB")
    assert run_command("verify_deal", "cr1 n aaaaaab") == expected
    assert expected == f"CR1-N-AAAAAAB holds\nlayout      {deal.layout}\n"


def test_verify_deal_tells_of_a_sealed_deal_its_commitment_alone() -> None:
    deal = deals.seal()
    with pytest.raises(CommandError) as caught:
        run_command("verify_deal", deal.code)
    assert str(caught.value) == f"{deal.code} is sealed; its commitment is {deal.commitment}"
    assert deal.layout not in str(caught.value)


def test_verify_deal_gives_all_that_is_needed_to_check_an_opened_one() -> None:
    deal = deals.seal()
    Deal.objects.update(revealed_at=1)
    assert run_command("verify_deal", deal.code).splitlines() == [
        f"{deal.code} holds",
        f"seed        {bytes(deal.seed or b'').hex()}",
        f"commitment  {deal.commitment}",
        f"layout      {deal.layout}",
    ]


def test_verify_deal_fails_on_cards_that_were_changed() -> None:
    deal = deals.seal()
    Deal.objects.update(revealed_at=1, layout=deals.seal().layout)
    with pytest.raises(CommandError, match="does NOT hold"):
        run_command("verify_deal", deal.code)


@pytest.mark.parametrize("code", ["CR1-S-AAAAAAB", "nonsense"])
def test_verify_deal_says_so_where_there_is_no_such_deal(code: str) -> None:
    with pytest.raises(CommandError):
        run_command("verify_deal", code)
