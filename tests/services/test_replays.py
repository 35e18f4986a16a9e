"""Replays: who may watch a game and when, and which cards are withheld until then."""

from functools import partial

import pytest

from games.engine import log as engine
from games.models import Deal, Game, Player, Race
from games.services import races, replays, seats, settling
from games.services.denied import Denial
from tests.services.scenes import (
    Clock,
    denied,
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

pytestmark = pytest.mark.django_db


def watch(game: Game, reader: Player | None) -> replays.Replay:
    return replays.of_game(game_id=game.pk, reader=reader)


def too_early(game: Game, reader: Player | None) -> None:
    denied(Denial.DEAL_CLOSED, partial(replays.of_game, game_id=game.pk, reader=reader))


def missing(game_id: int, reader: Player | None = None) -> None:
    denied(Denial.NOT_FOUND, partial(replays.of_game, game_id=game_id, reader=reader))


@pytest.mark.parametrize("deal", ["sealed", "CR1-N-AAAAAAB", "CR1-F-AAAAAAB"])
def test_before_a_race_is_over_a_game_is_for_its_own_finished_player_alone(
    clock: Clock, deal: str
) -> None:
    anh, oksana, visitor = guest(), guest("Oksana"), guest("Visitor")
    race = open_race(anh, oksana, deal=deal)
    missing(game_of(race, anh).pk, anh)  # nothing is played in a lobby
    run(race, clock)
    for reader in (anh, oksana, visitor, None):
        too_early(game_of(race, anh), reader)
    resign(game_of(race, anh), 3_000)
    assert watch(game_of(race, anh), anh).game.outcome == "resigned"
    for reader in (oksana, visitor, None):
        too_early(game_of(race, anh), reader)
    too_early(game_of(race, oksana), anh)
    resign(game_of(race, oksana), 4_000)
    too_early(game_of(race, oksana), anh)  # it can still be taken back
    clock.pass_ms(14_000)
    assert settling.close_if_over(race_id=race.pk)
    for reader in (anh, oksana, visitor, None):
        for player in (anh, oksana):
            assert watch(game_of(race, player), reader).layout == race.deal.layout


def test_ones_own_early_replay_has_the_faces_one_has_seen_and_no_others(clock: Clock) -> None:
    anh = guest()
    race = run(open_race(anh, guest("Oksana"), deal="sealed"), clock)
    Deal.objects.update(layout=_layout_of_the_line())
    codes = winning_line()[:9]
    game = resign(play(game_of(race, anh), codes, from_ms=10), 9_000)
    replay = watch(game, anh)
    assert replay.actions == [(code, 10 + 1_000 * at) for at, code in enumerate(codes)]
    faces = engine.replay(_layout_of_the_line(), 3, True, replay.actions).faces
    cards = [replay.layout[at : at + 2] for at in range(0, 192, 2)]
    assert len(cards) == 96
    for slot, card in enumerate(cards):
        assert card == faces.get(slot, "??")
    assert 16 < len(faces) < 96


def _layout_of_the_line() -> str:
    return fresh(open_race(guest("Elsewhere"), deal="CR1-N-AAAAAAB")).deal.layout


def test_an_untouched_game_shows_its_player_the_sixteen_tops(clock: Clock) -> None:
    anh = guest()
    race = run(open_race(anh, guest("Oksana"), deal="sealed"), clock)
    replay = watch(resign(game_of(race, anh), 1), anh)
    layout = race.deal.layout
    assert replay.layout == "".join(
        "??" * 5 + layout[at + 10 : at + 12] for at in range(0, 192, 12)
    )
    assert replay.actions == []


def test_a_winner_sees_the_whole_own_game_and_the_rivals_once_it_is_over(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = run(open_race(anh, oksana), clock)
    game = win(game_of(race, anh))
    replay = watch(game, anh)
    assert "".join(code for code, _ in replay.actions) == "".join(winning_line())
    assert replay.layout.count("??") == 0  # all of them have been on top
    too_early(game_of(race, oksana), anh)


def test_who_is_at_a_game_on_the_deal_watches_no_other_on_it(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    over = run(open_race(anh), clock)
    resign(game_of(over, anh), 0)
    clock.pass_ms(10_000)
    assert settling.close_if_over(race_id=over.pk)
    again = open_race(anh, oksana)
    assert watch(game_of(over, anh), oksana).layout == over.deal.layout
    races.start(code=again.code, player=anh)
    for reader in (anh, oksana):
        too_early(game_of(over, anh), reader)
    assert watch(game_of(over, anh), guest("Third")).layout == over.deal.layout
    clock.ms = fresh(again).starts_at or 0
    resign(game_of(again, oksana), 0)
    assert watch(game_of(over, anh), oksana).layout == over.deal.layout
    too_early(game_of(over, anh), anh)


def test_the_game_of_one_who_was_removed_is_not_there(clock: Clock) -> None:
    anh, oksana = guest(), guest("Oksana")
    race = open_race(anh, oksana)
    racer = game_of(race, oksana).pk
    seats.kick(code=race.code, host=anh, racer=racer)
    run(race, clock)
    missing(racer, oksana)


@pytest.mark.parametrize("game_id", [0, -1, 10**9, 2**63, 10**40])
def test_a_game_that_does_not_exist_is_not_there(game_id: int) -> None:
    missing(game_id, guest())


def test_a_closed_race_on_a_deal_that_is_not_revealed_stays_closed(clock: Clock) -> None:
    race = run(open_race(guest(), deal="sealed"), clock)
    game = resign(game_of(race, race.host), 0)
    Race.objects.update(closed_at=clock())
    too_early(game, guest("Visitor"))
    assert "??" in watch(game, race.host).layout


def test_crescent_four_is_replayed_with_its_fourth_redeal(clock: Clock) -> None:
    race = run(open_race(guest(), deal="CR1-F-AAAAAAB"), clock)
    game = play(game_of(race, race.host), ["**"] * 4)
    assert (game.redeals, replays.log_of(game).table.redeals_left) == (4, 0)
