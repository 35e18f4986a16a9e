"""The vectors are those this engine writes, and hold every case that they promise."""

import json
from typing import Any

import pytest

from games.engine.actions import ACTIONS, UNDO
from games.engine.cards import PILES, SUITS, Card
from games.engine.reasons import Reason
from games.engine.rules import apply, legal_actions, refusal
from games.engine.table import Table
from tests.vectors.write import HERE, files, stale

GAMES: dict[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("*.json"))
}


def read_table(wire: dict[str, Any]) -> Table:
    """Give the table that a vector's table means."""
    return Table(
        tops=tuple(Card(wire["tops"][pile]) if pile in wire["tops"] else None for pile in PILES),
        heights=tuple(wire["heights"][pile] for pile in PILES),
        up=tuple(Card(wire["up"][suit]) for suit in SUITS),
        down=tuple(Card(wire["down"][suit]) for suit in SUITS),
        redeals_left=wire["redeals_left"],
        moves=wire["moves"],
        home=wire["home"],
        undo=wire["undo"],
    )


def test_vectors_are_as_the_engine_writes_them() -> None:
    assert stale(files()) == [], "run make vectors, and look at what changed"


@pytest.mark.parametrize("name", GAMES)
def test_tables_of_the_vectors_follow_by_the_table_rules_alone(name: str) -> None:
    game = GAMES[name]
    table = read_table(game["start"])
    for step in game["steps"]:
        action = ACTIONS.get(step["code"])
        if "refusal" in step:
            found = Reason.NOT_AN_ACTION if action is None else refusal(table, action)
            assert found == step["refusal"], step
            continue
        assert action is not None
        assert refusal(table, action) is None
        after = read_table(step["table"])
        if action is not UNDO:
            assert apply(table, action, step["shown"]) == after
        table = after
        assert "".join(action.code for action in legal_actions(table)) == step["legal"]


def test_vectors_hold_every_case_that_an_engine_can_get_wrong() -> None:
    steps = [step for game in GAMES.values() for step in game["steps"]]
    refused = {step["refusal"] for step in steps if "refusal" in step}
    assert set(Reason) - refused == {Reason.NO_UNDO}  # a rule of the race, not of the table
    kinds = {ACTIONS[step["code"]].kind for step in steps if "table" in step}
    assert kinds == {action.kind for action in ACTIONS.values()}
    tables = [step["table"] for step in steps if "table" in step]
    assert any(13 in table["heights"].values() for table in tables)
    assert max(table["undo"] for table in tables) == 100
    assert any(game["won"] for game in GAMES.values())
    assert any(game["blocked"] for game in GAMES.values())
    assert {game["redeals"] for game in GAMES.values()} >= {3, 4}
    emptied = [step for step in steps if step.get("shown") == {} and step["code"] != "<<"]
    assert emptied
    around = {"A", "K"}
    assert any(
        {
            before["table"]["tops"].get(after["code"][0], "  ")[0],
            before["table"]["tops"].get(after["code"][1], "  ")[0],
        }
        == around
        for game in GAMES.values()
        for before, after in zip(game["steps"], game["steps"][1:], strict=False)
        if "table" in before and "table" in after
    )


def test_vectors_stay_small() -> None:
    assert sum(path.stat().st_size for path in HERE.glob("*.json")) < 1_500_000
