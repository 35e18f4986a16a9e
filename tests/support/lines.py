"""Lines of play for tests: legal ones of any length, and a deal with a line that wins it."""

import json
import random
from functools import cache
from pathlib import Path

from games.engine.actions import REDEAL, UNDO
from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import Accepted, GameLog
from games.engine.position import Position, play
from games.engine.rules import legal_actions

PILES = "abcdefghijklmnop"

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


@cache
def blocked_line(code: str, seed: int = 0) -> tuple[str, ...]:
    """Return actions that block the deal of a code: whatever can goes home, else a card moves about
    at random, until no move and no redeal is left."""
    deal, chance, codes = parse_deal_code(code), random.Random(seed), list[str]()
    position = Position.of(layout_of(deal), deal.redeals)
    while True:
        moves = [action for action in legal_actions(position.table) if action.is_move]
        home = [action for action in moves if action.code[1] in "+-" and action.code[0] in PILES]
        if moves:
            action = chance.choice(home or moves)
        elif position.table.redeals_left:
            action = REDEAL
        else:
            return tuple(codes)
        codes.append(action.code)
        position = play(position, action).position
