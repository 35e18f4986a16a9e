"""The databases themselves refuse rows that can't be true, whoever writes them."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import ProtectedError

from games.engine import deals as engine
from games.models import Attempt, Best, Day, Deal, Game, LoggedAction, Player, Race, Stretch, Study
from tests.services.scenes import game_of, guest, open_race, play

pytestmark = pytest.mark.usefixtures("database")
MODELS = (Player, Deal, Race, Game, LoggedAction, Day, Attempt, Study, Best, Stretch)
DATE = datetime.date(2026, 1, 1)
REFUSED = (IntegrityError, DataError)


def _deal(**fields: Any) -> Deal:
    usual = {"code": "CR1-N-AAAAAAC", "kind": "N", "layout": "2S" * 96, "created_at": 1}
    return Deal.objects.create(**{**usual, **fields})


def _race(**fields: Any) -> Race:
    usual = {"code": "ACDEFGH", "seats": 2, "created_at": 1}
    there = Race.objects.earliest("pk")
    return Race.objects.create(**{**usual, "deal": there.deal, "host": there.host, **fields})


def _account(**fields: Any) -> Player:
    return Player.objects.create(name="Boss", **{"is_guest": False, "name_key": "boss", **fields})


def _game(**fields: Any) -> int:
    return Game.objects.update(**fields)


def _action(**fields: Any) -> LoggedAction:
    usual = {"game": Game.objects.get(), "seq": 1, "at_ms": 0, "code": "in"}
    return LoggedAction.objects.create(**{**usual, **fields})


def _day(number: int = 1, **fields: Any) -> Day:
    date = datetime.date(2026, 1, number)
    return Day.objects.create(**{"date": date, "deal": Deal.objects.earliest("pk"), **fields})


def _attempt(day: Day, **fields: Any) -> Attempt:
    race = Race.objects.earliest("pk")
    return Attempt.objects.create(**{"day": day, "player": race.host, "race": race, **fields})


def _study() -> Study:
    return Study.objects.create(player=Player.objects.get(), deal=Deal.objects.get())


def _twice(make: Callable[[], object]) -> Callable[[], object]:
    return lambda: (make(), make())


VIOLATIONS: dict[str, Callable[[], object]] = {
    "two deals of one code": _twice(_deal),
    "deal_layout_has_96_cards": lambda: _deal(layout="2S" * 95),
    "deal_sealed_has_seed: no seed": lambda: _deal(kind="S", commitment="0" * 64),
    "deal_sealed_has_seed: no commitment": lambda: _deal(kind="S", seed=bytes(16)),
    "deal_sealed_has_seed: an open one with a seed": lambda: _deal(
        seed=bytes(16), commitment="0" * 64
    ),
    "deal_sealed_has_seed: an open one with a commitment": lambda: _deal(commitment="0" * 64),
    "two races of one code": _twice(_race),
    "race_seats_1_to_50: none": lambda: _race(seats=0),
    "race_seats_1_to_50: too many": lambda: _race(seats=51),
    "race_closed_after_start": lambda: _race(starts_at=10, closed_at=9),
    "a time limit below nothing": lambda: _race(time_limit_min=-1),
    "a version below nothing": lambda: _race(version=-1),
    "two races before one": lambda: [
        _race(code=code, next=Race.objects.earliest("pk")) for code in ("ACDEFGH", "ACDEFGJ")
    ],
    "two accounts of one name": _twice(_account),
    "player_guest_has_no_key: a guest with one": lambda: _account(is_guest=True),
    "player_guest_has_no_key: an account without": lambda: _account(name_key=None),
    "player_look_is_their_own": lambda: [
        _account(look="boss"),
        _account(name_key="b0ss", look="boss"),
    ],
    "player_look_in_capitals_is_their_own": lambda: [
        _account(look_capital="BOSS"),
        _account(name_key="b0ss", look_capital="BOSS"),
    ],
    "game_one_seat_a_player": lambda: Game.objects.create(
        race=Race.objects.get(), player=Player.objects.get()
    ),
    "game_outcome_has_time: no time": lambda: _game(outcome="resigned"),
    "game_outcome_has_time: no outcome": lambda: _game(finished_ms=5),
    "game_won_is_104_home": lambda: _game(outcome="won", finished_ms=5, home=103),
    "a seq below nothing": lambda: _game(seq=-1),
    "moves below nothing": lambda: _game(moves=-1),
    "undos below nothing": lambda: _game(undos=-1),
    "redeals below nothing": lambda: _game(redeals=-1),
    "home below nothing": lambda: _game(home=-1),
    "two actions of one seq": _twice(
        lambda: LoggedAction.objects.bulk_create(
            [LoggedAction(game=Game.objects.get(), seq=1, at_ms=0, code="in")]
        )
    ),
    "action_seq_from_1": lambda: _action(seq=0),
    "two days of one date": lambda: [
        _day(),
        Day.objects.bulk_create([Day(date=DATE, deal=_deal())]),
    ],
    "two days on one deal": lambda: [_day(1), _day(2)],
    "attempt_one_a_day": lambda: [
        _attempt(day, race=race) for day in [_day()] for race in (Race.objects.get(), _race())
    ],
    "two attempts in one race": lambda: [
        _attempt(_day(1)),
        _attempt(_day(2, deal=_deal()), player=guest("Other")),
    ],
    "study_once_a_deal": _twice(_study),
    "an action of no game": lambda: LoggedAction.objects.bulk_create(
        [LoggedAction(game_id=10**9, seq=1, at_ms=0, code="in")]
    ),
    "a game of no race": lambda: Game.objects.create(race_id=10**9, player=Player.objects.get()),
    "a race on no deal": lambda: _race(deal=None),
}


def _try(violate: Callable[[], object]) -> None:
    with transaction.atomic():
        violate()
        connection.check_constraints()


@pytest.mark.parametrize("violate", VIOLATIONS.values(), ids=VIOLATIONS)
def test_the_database_refuses(violate: Callable[[], object]) -> None:
    open_race(guest())
    before = [list(model.objects.order_by("pk").values()) for model in MODELS]
    with pytest.raises(REFUSED):
        _try(violate)
    assert [list(model.objects.order_by("pk").values()) for model in MODELS] == before


def test_every_constraint_has_a_test_that_tries_to_violate_it() -> None:
    tried = {name.split(":")[0] for name in VIOLATIONS}
    named = {constraint.name for model in MODELS for constraint in model._meta.constraints}
    assert named <= tried


def test_every_unique_column_is_known_to_these_tests() -> None:
    unique = {
        f"{model.__name__}.{field.name}"
        for model in MODELS
        for field in model._meta.concrete_fields
        if field.unique and not field.primary_key
    }
    assert unique == {"Player.name_key", "Deal.code", "Race.code", "Race.next", "Day.deal",
                      "Attempt.race"}  # fmt: skip


def test_what_is_true_is_taken() -> None:
    open_race(guest())
    _deal()
    _deal(code="CR1-S-AAAAAAC", kind="S", seed=bytes(16), commitment="0" * 64)
    _race(starts_at=10, closed_at=10, seats=50)
    _race(code="ACDEFGJ", seats=1, closed_at=1)
    _game(outcome="won", finished_ms=0, home=104)
    _account()
    guest()


def test_a_player_with_games_and_a_deal_with_races_cannot_be_deleted() -> None:
    race = open_race(guest())
    with pytest.raises(ProtectedError):
        race.host.delete()
    with pytest.raises(ProtectedError):
        race.deal.delete()


def test_a_race_takes_its_games_and_their_logs_along_but_not_the_race_before_it() -> None:
    race = open_race(guest())
    later = _race()
    Race.objects.filter(pk=race.pk).update(next=later, starts_at=1)
    play(game_of(race, race.host), ["in"])
    later.delete()
    race.refresh_from_db()
    assert race.next is None
    race.delete()
    assert not Game.objects.exists()
    assert not LoggedAction.objects.exists()


def test_a_layout_comes_back_as_it_was_stored() -> None:
    seed = bytes(range(16))
    layout = engine.deal(seed)
    _deal(code="CR1-S-AAAAAAD", kind="S", seed=seed, layout=layout, commitment="0" * 64)
    there = Deal.objects.get(code="CR1-S-AAAAAAD")
    assert (bytes(there.seed or b""), there.layout) == (seed, layout)
