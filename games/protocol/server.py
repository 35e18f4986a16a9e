"""What the server says."""

import msgspec

from games.protocol.rows import (
    DealRow,
    EmoteId,
    MovedRow,
    Openness,
    Outcome,
    RaceRow,
    RacerRow,
    Shown,
    StartRule,
    WireTable,
)


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """A message to a browser."""


class Welcome(ServerMessage, frozen=True, omit_defaults=True):
    """All that joining or resuming needs. `logs` has each game's codes in one string, the reader's
    own always; `seen` the faces the reader has uncovered by slot (0-95, place in the layout);
    `faces`, with openness cards, what anybody has."""

    you: int | None
    race: RaceRow
    deal: DealRow
    racers: list[RacerRow]
    seq: int
    table: WireTable | None
    seen: dict[str, str]
    logs: dict[str, str]
    now: int
    faces: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class Racer(ServerMessage, frozen=True, omit_defaults=True):
    """One row of the roster, to insert or replace; with `left` true it is to be removed."""

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
    left: bool = False


class Race(ServerMessage, frozen=True, tag="race"):
    """What changed of the race: fields that are absent stay."""

    code: str | msgspec.UnsetType = msgspec.UNSET
    host: int | msgspec.UnsetType | None = msgspec.UNSET
    seats: int | msgspec.UnsetType = msgspec.UNSET
    openness: Openness | msgspec.UnsetType = msgspec.UNSET
    undo: bool | msgspec.UnsetType = msgspec.UNSET
    start: StartRule | msgspec.UnsetType = msgspec.UNSET
    time_limit_min: int | msgspec.UnsetType = msgspec.UNSET
    listed: bool | msgspec.UnsetType = msgspec.UNSET
    starts_at: int | msgspec.UnsetType | None = msgspec.UNSET
    closed_at: int | msgspec.UnsetType | None = msgspec.UNSET
    next: str | msgspec.UnsetType | None = msgspec.UNSET
    version: int | msgspec.UnsetType = msgspec.UNSET


class Go(ServerMessage, frozen=True):
    """The race runs: the reader's table, null for a watcher. Never before `starts_at`."""

    table: WireTable | None
    now: int


class Acted(ServerMessage, frozen=True, omit_defaults=True):
    """An action is durable. `shown` are the tops it uncovered by pile; an undo has the table."""

    seq: int
    code: str
    at: int
    moves: int
    shown: Shown | msgspec.UnsetType = msgspec.UNSET
    table: WireTable | msgspec.UnsetType = msgspec.UNSET


class Refused(ServerMessage, frozen=True):
    """An action is refused, and why; `expected` is the next seq the server takes."""

    seq: int
    reason: str
    expected: int


class Moved(ServerMessage, frozen=True):
    """What was played: [racer, seq, code, at, home, moves, redeals], an eighth element `shown`
    with openness cards; `code` is null with openness progress."""

    moves: list[MovedRow]


class Finished(ServerMessage, frozen=True):
    """A racer's game has ended; the place is provisional until `closed`, and a
    ghost has none."""

    racer: int
    outcome: Outcome
    at: int
    moves: int
    place: int | None


class Closed(ServerMessage, frozen=True):
    """The race is over: rows in order of place; layout and seed unless the deal is closed."""

    standings: list[RacerRow]
    layout: str | None
    seed: str | None
    replays: dict[str, str]


class Emoted(ServerMessage, frozen=True, tag="emote"):
    """A racer waves."""

    racer: int
    id: EmoteId


class Pong(ServerMessage, frozen=True):
    """The answer to `ping`; `version` is the race's version plus the sum of its games' seq."""

    sent: int
    now: int
    version: int


class Fault(ServerMessage, frozen=True):
    """Something was refused that isn't one action."""

    reason: str


FromServer = (
    Welcome
    | Racer
    | Race
    | Go
    | Acted
    | Refused
    | Moved
    | Finished
    | Closed
    | Emoted
    | Pong
    | Fault
)
