"""Plays thousands of random games in both engines: the browser must draw what the server knows."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine.actions import ACTIONS, UNDO
from games.engine.position import Position, play
from games.engine.rules import is_blocked, is_won, legal_actions, refusal
from games.engine.table import Table
from tests.support import needs
from tests.vectors.write import wire_table

from .games import MIDDLES, dealt, random_choice

GAME_COUNT = 2000
CODES = [*ACTIONS, "??", "", "abc", "A+"]
BROWSER = Path(__file__).resolve().parent / "browser.mjs"


def table_text(table: Table) -> str:
    tops = " ".join(
        f"{top or '--'}{height}" for top, height in zip(table.tops, table.heights, strict=True)
    )
    foundations = " ".join(up + down for up, down in zip(table.up, table.down, strict=True))
    counts = f"{table.redeals_left} {table.moves} {table.home} {table.undo}"
    return f"{tops}|{foundations}|{counts}"


def step_text(code: str, position: Position, dealt_here: bool) -> str:
    table = position.table
    legal = "".join(action.code for action in legal_actions(table))
    end = ("won" if is_won(table) else "") + ("blocked" if is_blocked(table) else "")
    slots = " ".join(str(pile[-1]) if pile else "-" for pile in position.piles)
    return "|".join([code, table_text(table), legal, end, slots if dealt_here else ""])


def random_steps(
    position: Position, chance: random.Random, dealt_here: bool
) -> Iterator[tuple[list[Any], str]]:
    """Play at random: yields what to send for each step, and the text that must come back."""
    undos = chance.choice([0.0, 0.05, 0.3])
    for _ in range(chance.randrange(20, 160)):
        for code in chance.sample(CODES, 2):
            action = ACTIONS.get(code)
            reason = "not_an_action" if action is None else refusal(position.table, action)
            if reason is not None:
                yield [code, {}, None], f"{code} {reason}"
        chosen = random_choice(position, chance, undos)
        if chosen is None:
            return
        position, shown = play(position, chosen)
        answer = wire_table(position.table) if chosen is UNDO else None
        yield [chosen.code, shown, answer], step_text(chosen.code, position, dealt_here)


def random_games(chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    for number in range(GAME_COUNT):
        dealt_here = chance.random() < 0.7
        redeals = chance.choice([3, 4])
        position = dealt(number, redeals) if dealt_here else chance.choice(MIDDLES)
        steps, texts = [], []
        for step, text in random_steps(position, chance, dealt_here):
            steps.append(step)
            texts.append(text)
        game = {"start": wire_table(position.table), "redeals": redeals, "steps": steps}
        if dealt_here:
            game["layout"] = position.layout
        yield json.dumps(game), texts


@pytest.mark.node
def test_browser_engine_plays_thousands_of_games_like_this_one() -> None:
    node = needs.node()
    assert node is not None
    # pytest-randomly seeds `random`: its seed plays the same games again.
    games = list(random_games(random.Random(random.getrandbits(64))))
    browser = subprocess.run(
        [node, "--no-warnings", str(BROWSER)],
        input="\n".join(game for game, _ in games) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=200,
    )
    assert browser.returncode == 0, browser.stderr
    answers = browser.stdout.splitlines()
    assert len(answers) == len(games)
    steps = 0
    for (game, texts), answer in zip(games, answers, strict=True):
        assert json.loads(answer) == texts, game
        steps += len(texts)
    assert steps > 20 * GAME_COUNT
