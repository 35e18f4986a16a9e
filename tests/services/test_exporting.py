"""Exported games: both forms say the same, hold when nothing was changed, and nothing breaks on
whatever else is given."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from games.models import Game, Race
from games.services import exported, exporting, marks, settling
from games.services.denied import Denial
from games.services.exporting import Document, Unreadable
from tests.services.scenes import (
    Clock,
    denied,
    fresh,
    game_of,
    guest,
    open_race,
    resign,
    run,
    win,
)

pytestmark = pytest.mark.django_db


def _won(clock: Clock, name: str = 'Anh "A" \\ B') -> Game:
    player = guest(name)
    race = run(open_race(player), clock)
    game = win(game_of(race, player))
    clock.pass_ms(game.finished_ms or 0)
    assert settling.close_if_over(race_id=race.pk)
    return game


def test_both_forms_are_read_back_and_hold(clock: Clock) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    for text in (exporting.to_json(document), exporting.to_text(document)):
        assert exporting.read(text) == document
        assert exported.faults_of(exporting.read(text)) == []


def test_a_sealed_game_that_was_given_up_holds_too(clock: Clock) -> None:
    player = guest()
    race = run(open_race(player, deal="sealed"), clock)
    game = resign(game_of(race, player), 5_000)
    denied(Denial.DEAL_CLOSED, lambda: exporting.of_game(game_id=game.pk, reader=player))
    clock.pass_ms(60_000)
    settling.settle_overdue()
    document = exporting.of_game(game_id=game.pk, reader=None)
    assert document.deal.seed
    assert exported.faults_of(exporting.read(exporting.to_text(document))) == []


def test_who_exports_a_game_has_studied_its_deal(clock: Clock) -> None:
    game, reader = _won(clock), guest("Nam")
    exporting.of_game(game_id=game.pk, reader=reader)
    race = run(open_race(reader), clock)
    later = win(game_of(race, reader))
    assert marks.is_studied(later)


CHANGES: dict[str, dict[str, Any]] = {
    "moves": {"result": {"moves": 1}},
    "undos": {"result": {"undos": 7}},
    "home": {"result": {"home": 103}},
    "redeals used": {"result": {"redeals": 2}},
    "time": {"result": {"at": 1}},
    "outcome": {"result": {"outcome": "resigned"}},
    "deal": {"deal": {"code": "CR1-N-AAAAAAC"}},
    "kind": {"deal": {"code": "CR1-F-AAAAAAB"}},
    "sealed": {"deal": {"code": "CR1-S-AAAAAAB"}},
    "no deal": {"deal": {"code": "CR1-X-AAAAAAB"}},
    "seed": {"deal": {"code": "CR1-S-AAAAAAB", "seed": "xx"}},
    "layout": {"layout": "AS" * 96},
    "short layout": {"layout": ""},
    "actions": {"actions": [["ab", 1]]},
    "no action": {"actions": [["??", 1]]},
}


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_whatever_is_changed_no_longer_holds(clock: Clock, change: str) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    changed = msgspec.to_builtins(document)
    for name, value in CHANGES[change].items():
        if isinstance(value, dict):
            changed[name].update(value)
        else:
            changed[name] = value
    assert exported.faults_of(msgspec.convert(changed, Document))


def test_two_actions_changed_about_do_not_hold(clock: Clock) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    document.actions[3], document.actions[4] = document.actions[4], document.actions[3]
    assert exported.faults_of(document)


@given(text=st.text() | st.sampled_from(["{}", "[]", "[Format]", '{"format": 1}', "1 ab 0:61.000"]))
def test_any_other_text_is_refused_and_never_fails(text: str) -> None:
    with pytest.raises(Unreadable):
        exporting.read(text)


def test_the_command_says_whether_a_file_holds(
    clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    path = tmp_path / "game.txt"
    path.write_text(exporting.to_text(document))
    call_command("verify_game", str(path))
    assert " holds: " in capsys.readouterr().out
    path.write_text(exporting.to_text(document).replace('[Home "104"]', '[Home "100"]'))
    with pytest.raises(CommandError, match="does NOT hold"):
        call_command("verify_game", str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="can't be read"):
        call_command("verify_game", str(path))
    path.write_text("hello")
    with pytest.raises(CommandError, match="is no exported game"):
        call_command("verify_game", str(path))
    assert Race.objects.count() == 1
    assert fresh(Race.objects.get()).closed_at is not None
