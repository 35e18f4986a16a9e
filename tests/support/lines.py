"""Lines of play for tests: legal ones of any length, and a deal with a line that wins it."""

import json
import random
from functools import cache
from pathlib import Path

from games.engine.actions import UNDO
from games.engine.log import Accepted, GameLog
from games.engine.rules import legal_actions

FACTS = Path(__file__).resolve().parents[1] / "facts"


@cache
def solved_deal(number: int = 0) -> tuple[str, tuple[str, ...]]:
    """Return a layout and the codes of a line that wins it."""
    deal = json.loads((FACTS / "solved-deals.json").read_text())["deals"][number]
    return deal["layout"], tuple(deal["actions"].split())


def winning_line(code: str) -> list[str]:
    """Return the actions that win the deal of a code."""
    lines = json.loads((FACTS / "winning-lines.json").read_text())["lines"]
    return str(lines[code]).split()


def next_code(log: GameLog, chance: random.Random) -> str:
    """Choose something legal: mostly moves, now and then an undo, a redeal where nothing else is
    left. A game played so never gets stuck, for what is played can be taken back."""
    moves = [action.code for action in legal_actions(log.table) if action.is_move]
    if log.table.undo and (not moves or chance.random() < 0.45):
        return UNDO.code
    return chance.choice(moves) if moves else "**"


def legal_line(log: GameLog, length: int, seed: int = 1) -> list[str]:
    """Return so many legal actions, one after the other."""
    chance, codes = random.Random(seed), list[str]()
    for _ in range(length):
        offered = log.offer(log.seq + 1, next_code(log, chance), 0)
        assert isinstance(offered, Accepted)
        log = offered.log
        codes.append(offered.entry.code)
    return codes
