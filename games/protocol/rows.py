"""Rows: what the messages are made of."""

from typing import Literal, cast

import msgspec

from games.engine.cards import PILES, SUITS
from games.engine.table import Table
from games.models import Deal, Race

Openness = Literal["progress", "moves", "cards"]
StartRule = Literal["host", "all_ready"]
Outcome = Literal["won", "resigned", "expired"]
EmoteId = Literal["wave", "clap", "wow", "think", "oops", "hurry", "luck", "thanks"]
DealKind = Literal["N", "F", "S"]
Shown = dict[str, str]
"""Tops that an action uncovers, by pile."""
MovedRow = (
    tuple[int, int, str | None, int, int, int, int]
    | tuple[int, int, str | None, int, int, int, int, Shown]
)
"""racer, seq, code (null with openness progress), at, home, moves, redeals; with cards, shown."""


class Row(msgspec.Struct, frozen=True):
    """A part of a message."""


class WireTable(Row, frozen=True):
    """What a player sees: an empty pile has height 0 and no top."""

    tops: dict[str, str]
    heights: dict[str, int]
    up: dict[str, str]
    down: dict[str, str]
    redeals_left: int
    moves: int
    home: int
    undo: int


class RaceRow(Row, frozen=True):
    """A race, as everybody in its room may know it."""

    code: str
    host: int | None
    seats: int
    openness: Openness
    undo: bool
    start: StartRule
    time_limit_min: int
    listed: bool
    starts_at: int | None
    closed_at: int | None
    next: str | None
    version: int


class DealRow(Row, frozen=True):
    """A deal, without its cards; `commitment` is null unless the kind is S."""

    code: str
    kind: DealKind
    commitment: str | None


class RacerRow(Row, frozen=True):
    """A game as the others see it; `racer` is the game's id."""

    racer: int
    name: str
    host: bool
    ready: bool
    online: bool
    home: int
    moves: int
    redeals: int
    blocked: bool
    ghost: bool
    outcome: Outcome | None
    at: int | None
    place: int | None


def wire_table(table: Table) -> WireTable:
    """Write a table as the wire has it."""
    tops, heights = table.tops, table.heights
    return WireTable(
        tops={pile: top for pile, top in zip(PILES, tops, strict=True) if top is not None},
        heights=dict(zip(PILES, heights, strict=True)),
        up=dict(zip(SUITS, table.up, strict=True)),
        down=dict(zip(SUITS, table.down, strict=True)),
        redeals_left=table.redeals_left,
        moves=table.moves,
        home=table.home,
        undo=table.undo,
    )


def race_row(race: Race, host: int | None) -> RaceRow:
    """Write a race; `host` is the racer (game id) of its host."""
    return RaceRow(
        code=race.code,
        host=host,
        seats=race.seats,
        openness=cast("Openness", race.openness),
        undo=race.undo,
        start=cast("StartRule", race.start),
        time_limit_min=race.time_limit_min,
        listed=race.listed,
        starts_at=race.starts_at,
        closed_at=race.closed_at,
        next=race.next.code if race.next else None,
        version=race.version,
    )


def deal_row(deal: Deal) -> DealRow:
    """Write a deal, which here never has cards."""
    return DealRow(code=deal.code, kind=cast("DealKind", deal.kind), commitment=deal.commitment)
