"""Exported games: both forms say the same, hold when nothing was changed, and nothing breaks on
whatever else is given."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from games.engine.actions import ACTIONS
from games.models import Game
from games.services import exported, exporting, marks, replays, settling
from games.services.denied import Denial
from games.services.exporting import Document, Unreadable
from tests.services.scenes import (
    DEAL,
    Clock,
    denied,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    win,
)
from tests.support.lines import legal_line

DOCS = Path(__file__).resolve().parents[2] / "docs" / "game-export.md"
SCHEMA = DOCS.with_name("game-export.schema.json")

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


@pytest.mark.parametrize("kind", ["N", "F", "sealed"])
def test_exports_are_as_the_schema_says(clock: Clock, kind: str) -> None:
    player = guest()
    race = run(open_race(player, deal={"N": DEAL, "F": "CR1-F-AAAAAAC"}.get(kind, kind)), clock)
    game = game_of(race, player)
    if kind == "sealed":
        play(game, [*legal_line(replays.log_of(game), 30), "**"], resign_ms=90_000)
    else:
        win(game)
    clock.pass_ms(3_600_000)
    settling.settle_overdue()
    text = exporting.to_json(exporting.of_game(game_id=game.pk, reader=None))
    schema = json.loads(SCHEMA.read_text())
    jsonschema_rs.Draft202012Validator(schema).validate(json.loads(text))


def test_the_schema_in_the_docs_is_that_of_the_exports(tmp_path: Path) -> None:
    call_command("export_schema", str(tmp_path / "schema.json"))
    assert (tmp_path / "schema.json").read_text() == SCHEMA.read_text(), "run make types"
    jsonschema_rs.meta.validate(json.loads(SCHEMA.read_text()))


def test_the_example_in_the_docs_is_as_the_schema_says_but_for_its_cards() -> None:
    example = json.loads(re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)[0])
    example["layout"] = "AS" * 96
    jsonschema_rs.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(example)


@pytest.mark.parametrize("code", sorted(ACTIONS))
def test_every_action_can_be_exported(code: str) -> None:
    assert msgspec.convert(code, exporting.Code) == code


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
MALFORMED = {"no deal", "seed", "short layout", "no action"}
"""Changes after which it isn't an exported game any more."""


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_whatever_is_changed_no_longer_holds(clock: Clock, change: str) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    changed = msgspec.to_builtins(document)
    for name, value in CHANGES[change].items():
        if isinstance(value, dict):
            changed[name].update(value)
        else:
            changed[name] = value
    if change in MALFORMED:  # and it is said where
        with pytest.raises(msgspec.ValidationError, match=r"`\$\."):
            msgspec.convert(changed, Document)
    else:
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
    path.write_text("\ufeff" + exporting.to_text(document).replace("\n", "\r\n"), newline="")
    call_command("verify_game", str(path))  # as an editor of Windows leaves it
    assert " holds: " in capsys.readouterr().out


WRONG_FILES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "no exported game"),
    "spaces": (b" \n\n", "no exported game"),
    "prose": (b"hello", "no exported game: line 1"),
    "not UTF-8": (b"\xff\xfe\x00", "can't be read"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "can't be read"),
    "NUL": (b"\x00" * 100, "no exported game"),
    "JSON of something else": (b'{"name": "Anh"}', "no exported game"),
    "a list": (b"[]", "no exported game"),
    "half of it": (b'{"format": "crescent-game-1", "deal": {', "no exported game"),
    "another version": (b'{"format": "crescent-game-2"}', "no exported game"),
    "very deep": (b'{"format":' * 100_000, "no exported game"),
    "a number beyond all": (b'{"game": ' + b"9" * 5000 + b"}", "no exported game"),
    "a head alone": (b'[Format "crescent-game-1"]\n', "a tag is missing"),
    "a tag twice": (b'[Game "1"]\n[Game "2"]\n', "line 2 gives Game a second time"),
    "actions out of order": (b"   2 ab 0:01.000\n", "line 1 is neither"),
}


@pytest.mark.parametrize("wrong", WRONG_FILES)
def test_a_wrong_file_is_answered_with_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    content, told = WRONG_FILES[wrong]
    path = tmp_path / "game"
    path.write_bytes(content)
    with pytest.raises(CommandError) as caught:
        call_command("verify_game", str(path))
    assert str(caught.value).startswith(f"{path} ")
    assert told in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("path", ["/nowhere/game.json", "/"])
def test_a_file_that_is_not_there_is_named(path: str) -> None:
    with pytest.raises(CommandError, match=f"{path} can't be read"):
        call_command("verify_game", path)


def test_the_status_says_it_too_and_no_database_is_asked(clock: Clock, tmp_path: Path) -> None:
    document = exporting.of_game(game_id=_won(clock).pk, reader=None)
    texts = {
        0: exporting.to_json(document),
        1: exporting.to_text(document).replace('[Moves "', '[Moves "9'),
    }
    for status, text in texts.items():
        path = tmp_path / f"{status}.txt"
        path.write_text(text)
        ran = subprocess.run(
            [sys.executable, "manage.py", "verify_game", str(path)],
            cwd=DOCS.parents[1],
            env={**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == status, ran.stderr
        assert "Traceback" not in ran.stderr
        assert len(ran.stderr.splitlines()) == status
