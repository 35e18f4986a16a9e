"""Counts every sequence of actions: any wrong rule changes a count.

The one count that takes more than a few seconds (30 million sequences) is left to
CRESCENT_PERFT=full.
"""

import os
from collections import Counter
from typing import Any

import pytest

from games.engine.position import Position, play
from games.engine.rules import legal_actions

from .facts import PERFT, perft_position

FULL = os.environ.get("CRESCENT_PERFT") == "full"
MANY = 2_000_000

COUNTS = [
    pytest.param(item, depth, id=f"{item['name']}-{depth}")
    for item in PERFT
    for depth, count in enumerate(item["perft"], 1)
    if FULL or count < MANY
]


def count_last_actions(position: Position, depth: int) -> Counter[str]:
    """Count the sequences of exactly `depth` actions by the kind of the last one."""
    actions = legal_actions(position.table)
    if depth == 1:
        return Counter(action.kind for action in actions)
    counts: Counter[str] = Counter()
    for action in actions:
        counts.update(count_last_actions(play(position, action).position, depth - 1))
    return counts


@pytest.mark.parametrize(("item", "depth"), COUNTS)
def test_two_other_engines_count_the_same_sequences_by_kind(
    item: dict[str, Any], depth: int
) -> None:
    counts = count_last_actions(perft_position(item), depth)
    expected = item["last_action_by_kind"][depth - 1]
    assert {
        "depth": depth,
        "pile_pile": counts["pile_to_pile"],
        "pile_foundation": counts["pile_to_foundation"],
        "foundation_foundation": counts["foundation_to_foundation"],
        "redeal": counts["redeal"],
    } == expected
    assert counts.total() == item["perft"][depth - 1]
