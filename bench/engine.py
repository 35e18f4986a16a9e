"""Measures the engine: medians on one core, printed beside what is hoped for."""

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from games.engine.actions import ACTIONS, parse_action
from games.engine.log import Accepted, GameLog, replay
from games.engine.position import Position, play
from games.engine.rules import is_blocked, legal_actions, refusal

SOLVED = Path(__file__).resolve().parent.parent / "tests" / "facts" / "solved-deals.json"


def median_us(work: Callable[[], int], rounds: int = 25) -> float:
    """Give the median microseconds of one step; `work` returns how many steps it took."""
    times = []
    for _ in range(rounds):
        before = time.perf_counter_ns()
        steps = work()
        times.append((time.perf_counter_ns() - before) / steps / 1000)
    return statistics.median(times)


def main() -> None:
    """Print one line for each measurement."""
    games = [
        (deal["layout"], deal["actions"].split())
        for deal in json.loads(SOLVED.read_text(encoding="utf-8"))["deals"][:20]
    ]
    positions = []
    for layout, codes in games:
        position = Position.of(layout, 3)
        for code in codes:
            action = parse_action(code)
            positions.append((position, action))
            position = play(position, action).position
    tables = [position.table for position, _ in positions]
    every_action = list(ACTIONS.values())

    def judge_played() -> int:
        for position, action in positions:
            refusal(position.table, action)
        return len(positions)

    def judge_everything() -> int:
        for table in tables[::10]:
            for action in every_action:
                refusal(table, action)
        return len(tables[::10]) * len(every_action)

    def list_legal() -> int:
        for table in tables:
            legal_actions(table)
        return len(tables)

    def ask_blocked() -> int:
        for table in tables:
            is_blocked(table)
        return len(tables)

    def play_all() -> int:
        for position, action in positions:
            play(position, action)
        return len(positions)

    def offer_all() -> int:
        for layout, codes in games:
            log = GameLog.start(layout, 3, True)
            for seq, code in enumerate(codes, 1):
                offered = log.offer(seq, code, seq * 1000)
                if isinstance(offered, Accepted):
                    log = offered.log
        return sum(len(codes) for _, codes in games)

    # 200 actions: forty of a game, then a move and its undo again and again.
    layout, codes = games[0]
    long_game = [(code, 1000) for code in codes[:40] + [codes[40], "<<"] * 80]
    ten_thousand = [(code, 1000) for code in codes[:40] + [codes[40], "<<"] * 4980]

    def replay_long() -> int:
        replay(layout, 3, True, long_game)
        return 1

    def replay_ten_thousand() -> int:
        replay(layout, 3, True, ten_thousand)
        return 1

    def start() -> int:
        GameLog.start(layout, 3, True)
        return 1

    for name, work, hoped in (
        ("refusal, of an action that is played", judge_played, 1),
        ("refusal, of any action", judge_everything, 1),
        ("legal_actions", list_legal, 10),
        ("is_blocked", ask_blocked, 10),
        ("play", play_all, 6),
        ("GameLog.offer", offer_all, 15),
        ("GameLog.start", start, 100),
        ("replay of 200 actions", replay_long, 3000),
    ):
        print(f"{name:40} {median_us(work):10.2f} µs   hoped for: {hoped} µs")
    longest = median_us(replay_ten_thousand, 3) / 1000
    print(f"{'replay of 10,000 actions':40} {longest:10.2f} ms   hoped for: 200 ms")


if __name__ == "__main__":
    main()
