"""Writes the vectors that tie the engines together: games with every step and what it leads to.

`python -m tests.vectors.write` writes them, `--check` says whether they are as they would be
written. The same engine always writes the same bytes.

A file holds one game: where it starts (`layout` and `redeals`, or `start` for a table in mid-game),
and `steps`. A step has the `code` that is tried and either its `refusal`, or `shown`, the `table`
after it and the codes that are `legal` then, in order and in one string. `seen` are the slots whose
cards have been uncovered at the end.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from games.engine.actions import ACTIONS
from games.engine.cards import PILES, SUITS
from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import Accepted, GameLog, Refused
from games.engine.reasons import Reason
from games.engine.rules import is_blocked, is_won, legal_actions, refusal
from games.engine.table import Table
from tests.engine.facts import PERFT, SOLVED, perft_position
from tests.engine.games import random_choice

HERE = Path(__file__).resolve().parent


def wire_table(table: Table) -> dict[str, Any]:
    """Give a table as it goes over the wire (docs/protocol.md)."""
    return {
        "tops": {pile: top for pile, top in zip(PILES, table.tops, strict=True) if top is not None},
        "heights": dict(zip(PILES, table.heights, strict=True)),
        "up": dict(zip(SUITS, table.up, strict=True)),
        "down": dict(zip(SUITS, table.down, strict=True)),
        "redeals_left": table.redeals_left,
        "moves": table.moves,
        "home": table.home,
        "undo": table.undo,
    }


def legal_codes(table: Table) -> str:
    """Give the codes of all legal actions in one string."""
    return "".join(action.code for action in legal_actions(table))


def refused_codes(table: Table, chance: random.Random, count: int) -> list[str]:
    """Choose so many codes that are refused, for different reasons where there are some."""
    by_reason: dict[Reason, list[str]] = {}
    for action in ACTIONS.values():
        reason = refusal(table, action)
        if reason is not None:
            by_reason.setdefault(reason, []).append(action.code)
    reasons = chance.sample(sorted(by_reason), min(count, len(by_reason)))
    return [chance.choice(by_reason[reason]) for reason in reasons]


class Recorder:
    """Plays a game and notes every step."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.steps: list[dict[str, Any]] = []

    def offer(self, *codes: str) -> None:
        """Try codes, legal or not."""
        for code in codes:
            offered = self.log.offer(self.log.seq + 1, code, 0)
            if isinstance(offered, Refused):
                self.steps.append({"code": code, "refusal": offered.reason})
            elif isinstance(offered, Accepted):
                self.log = offered.log
                self.steps.append(
                    {
                        "code": code,
                        "shown": dict(offered.entry.shown),
                        "legal": legal_codes(self.log.table),
                        "table": wire_table(self.log.table),
                    }
                )

    def offer_refused(self, chance: random.Random, count: int) -> None:
        """Try codes that are refused now."""
        self.offer(*refused_codes(self.log.table, chance, count))

    def wander(
        self, chance: random.Random, length: int, undos: float = 0.06, refused: float = 0.3
    ) -> None:
        """Play at random until nothing is possible, or so many actions long."""
        while self.log.seq < length:
            if chance.random() < refused:
                self.offer_refused(chance, 2)
            action = random_choice(self.log.position, chance, undos)
            if action is None:
                return
            self.offer(action.code)

    def game(self, about: str) -> dict[str, Any]:
        """Give the whole game as it is written."""
        table, origin = self.log.table, self.log.origin
        start: dict[str, Any] = {"layout": origin.layout} if len(origin.cards) == 96 else {}
        return {
            "about": about,
            **start,
            "redeals": origin.table.redeals_left,
            "start": wire_table(origin.table),
            "legal": legal_codes(origin.table),
            "won": is_won(table),
            "blocked": is_blocked(table),
            "seen": sorted(self.log.faces),
            "steps": self.steps,
        }


def games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every game with the name of its file."""
    chance = random.Random("crescent-1")
    yield "won", won(chance, SOLVED[0], "A whole game that is won, with refusals on the way.")
    yield "won-quickly", won(chance, SOLVED[1], "Another whole game that is won.")
    yield "undo", undo(chance)
    yield "redeals", redeals()
    yield "four", wandered(chance, deal_log("CR1-F-CRESCEN"), "Crescent Four, at random.")
    yield "blocked", blocked(chance)
    yield "deal", wandered(chance, deal_log("CR1-N-AAAAAAB"), "A deal, at random.")
    yield (
        "undoing",
        wandered(chance, deal_log("CR1-N-QWERTYU"), "At random, with many undos.", undos=0.4),
    )
    for item in PERFT:
        log = GameLog.at(perft_position(item))
        yield item["name"], wandered(chance, log, f"The position {item['name']} of perft.json.", 70)


def deal_log(code: str) -> GameLog:
    """Give an empty log on a deal that its code names."""
    deal = parse_deal_code(code)
    return GameLog.start(layout_of(deal), deal.redeals, True)


def won(chance: random.Random, solved: dict[str, Any], about: str) -> dict[str, Any]:
    """Record a solution, and that all is refused after it."""
    recorder = Recorder(GameLog.start(solved["layout"], 3, True))
    for code in solved["actions"].split():
        recorder.offer_refused(chance, 1)
        recorder.offer(code)
    recorder.offer("<<", "**", "ab", "aa", "a+", "S+", "??")
    return recorder.game(about)


def undo(chance: random.Random) -> dict[str, Any]:
    """Record more moves than can be taken back, and all the undos there are."""
    item = next(item for item in PERFT if item["name"] == "mid-transfers")
    recorder = Recorder(GameLog.at(perft_position(item)))
    recorder.offer("<<")
    recorder.wander(chance, 20, undos=0.2)
    while recorder.log.table.moves < 125:
        # What can go to and fro without end, that the history overflows.
        moves = [
            action.code
            for action in legal_actions(recorder.log.table)
            if action.kind in ("pile_to_pile", "foundation_to_foundation")
        ]
        recorder.offer(chance.choice(moves))
    recorder.offer(*["<<"] * 101)
    recorder.wander(chance, recorder.log.seq + 5, undos=0.0)
    recorder.offer("<<", "**", "<<")
    return recorder.game("Moves beyond the hundred that can be taken back, then every undo.")


def redeals() -> dict[str, Any]:
    """Record that redeals run out, and that each ends the undo history."""
    recorder = Recorder(deal_log("CR1-F-AAAAAAA"))
    for _ in range(5):
        move = next(action for action in legal_actions(recorder.log.table) if action.is_move)
        recorder.offer(move.code, "<<", move.code, "**", "<<")
    return recorder.game("All four redeals of Crescent Four, and one more.")


def blocked(chance: random.Random) -> dict[str, Any]:
    """Record a game that ends blocked, and that its last move can be taken back."""
    recorder = Recorder(deal_log("CR1-N-ZZZZZZZ"))
    recorder.offer("**", "**", "**")
    recorder.wander(chance, 300, undos=0.0, refused=0.15)
    if not is_blocked(recorder.log.table):
        raise RuntimeError("this game was to end blocked")
    back = recorder.log.codes[-2:]
    recorder.offer_refused(chance, 8)
    recorder.offer("<<", back)
    return recorder.game("Redeals first, then at random until nothing is possible.")


def wandered(
    chance: random.Random, log: GameLog, about: str, length: int = 180, undos: float = 0.06
) -> dict[str, Any]:
    """Record a game at random."""
    recorder = Recorder(log)
    recorder.wander(chance, length, undos)
    return recorder.game(about)


def written(game: dict[str, Any]) -> str:
    """Give the text of a file: one line a field, one line a step."""
    steps = ",\n".join(compact(step) for step in game["steps"])
    fields = [f"{compact(key)}:{compact(value)}" for key, value in game.items() if key != "steps"]
    return "{\n" + ",\n".join(fields) + ',\n"steps":[\n' + steps + "\n]\n}\n"


def compact(value: object) -> str:
    """Give JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def stale(files: Iterable[tuple[str, str]]) -> list[str]:
    """Name the files that are missing, left over or not as they would be written."""
    expected = dict(files)
    found = {path.stem: path.read_text(encoding="utf-8") for path in HERE.glob("*.json")}
    return sorted(
        name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)
    )


def files() -> list[tuple[str, str]]:
    """Give every file's name and text."""
    return [(name, written(game)) for name, game in games()]


def main() -> int:
    """Write the vectors or check them; returns the exit status."""
    parser = argparse.ArgumentParser(description="Write the vectors of the engine.")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    if parser.parse_args().check:
        different = stale(files())
        for name in different:
            print(f"tests/vectors/{name}.json is not as the engine would write it")
        return 1 if different else 0
    texts = dict(files())
    for path in HERE.glob("*.json"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        (HERE / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
