"""Reads the facts: what is known about the game from elsewhere than this code."""

import json
from pathlib import Path
from typing import Any

from games.engine.cards import SUITS, Card, read_cards
from games.engine.position import Position
from games.engine.table import Table

FACTS = Path(__file__).resolve().parent.parent / "facts"


def read_facts(name: str) -> Any:
    """Give what a file of facts holds."""
    return json.loads((FACTS / f"{name}.json").read_text(encoding="utf-8"))


def foundations(ranks_or_cards: dict[str, str]) -> tuple[Card, ...]:
    """Give the tops of four foundations from {"S": "6"} or {"S": "6S"}."""
    return tuple(Card(ranks_or_cards[suit][0] + suit) for suit in SUITS)


def perft_position(item: dict[str, Any]) -> Position:
    """Give the position of one item of perft.json."""
    if "layout" in item:
        return Position.of(item["layout"], item["redeals_left"])
    return Position.from_piles(
        [read_cards(pile.replace(" ", "")) for pile in item["piles"]],
        foundations(item["up"]),
        foundations(item["down"]),
        item["redeals_left"],
    )


def published_table(item: dict[str, Any], redeals_left: int) -> Table:
    """Give one table of published-game.json."""
    return Table(
        tops=read_cards(item["tops"].replace(" ", "")),
        heights=tuple(item["heights"]),
        up=foundations(item["up"]),
        down=foundations(item["down"]),
        redeals_left=redeals_left,
        moves=item.get("moves", 9),
        home=item["cards_on_foundations"],
        undo=9,
    )


PERFT: list[dict[str, Any]] = read_facts("perft")["items"]
SOLVED: list[dict[str, Any]] = read_facts("solved-deals")["deals"]
