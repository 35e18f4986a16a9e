"""Every message on the wire, as a frozen struct; docs/protocol.md tells the same in prose.

A message is one JSON object whose `type` is the struct's tag; frames are flat. Times are integers
in milliseconds (`now`, `starts_at`, `closed_at`: Unix time; `at`: since the start of the race),
piles are "a" to "p", a card is rank then suit. The TypeScript types are made from this file.
"""

from typing import Any, TypeVar

import msgspec

from games.engine.cards import PILES, SUITS
from games.engine.table import Table

SUBPROTOCOL = "crescent.1"


class BadMessage(Exception):
    """A frame that isn't one of the client's messages."""


# --- Rows: what the messages are made of -------------------------------------------------------


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
    openness: str
    undo: bool
    start: str
    time_limit_min: int
    listed: bool
    starts_at: int | None
    closed_at: int | None
    next: str | None
    version: int


class DealRow(Row, frozen=True):
    """A deal, without its cards; `commitment` is null unless the kind is S."""

    code: str
    kind: str
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
    outcome: str | None
    at: int | None
    place: int | None


# --- From the client ---------------------------------------------------------------------------


class ClientMessage(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """A message from a browser."""


class Act(ClientMessage, frozen=True):
    """An action of the sender's game; `seq` counts them from 1."""

    seq: int
    code: str


class Ready(ClientMessage, frozen=True):
    """The sender is ready, or not after all."""

    ready: bool


class Start(ClientMessage, frozen=True):
    """The host starts the race."""


class CallOff(ClientMessage, frozen=True, tag="call_off"):
    """The host takes the start back, before zero."""


class Options(ClientMessage, frozen=True):
    """The host changes options in the lobby: those that are given."""

    seats: int | msgspec.UnsetType = msgspec.UNSET
    openness: str | msgspec.UnsetType = msgspec.UNSET
    undo: bool | msgspec.UnsetType = msgspec.UNSET
    start: str | msgspec.UnsetType = msgspec.UNSET
    time_limit_min: int | msgspec.UnsetType = msgspec.UNSET
    listed: bool | msgspec.UnsetType = msgspec.UNSET

    def changes(self) -> dict[str, object]:
        """Return the options that were given."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in given.items() if value is not msgspec.UNSET}


class Host(ClientMessage, frozen=True):
    """The host hands the room on to a racer."""

    racer: int


class Kick(ClientMessage, frozen=True):
    """The host removes a racer from the lobby."""

    racer: int


class Leave(ClientMessage, frozen=True):
    """The sender gives up the seat, in the lobby."""


class Resign(ClientMessage, frozen=True):
    """The sender gives up the game."""


class Unresign(ClientMessage, frozen=True):
    """The sender takes the resignation back, within ten seconds."""


class Sync(ClientMessage, frozen=True):
    """Asks for another `welcome`."""


class Ping(ClientMessage, frozen=True):
    """Asks for a `pong`; `sent` comes back, `heard` is how many frames have been received."""

    sent: int
    heard: int


FromClient = (
    Act
    | Ready
    | Start
    | CallOff
    | Options
    | Host
    | Kick
    | Leave
    | Resign
    | Unresign
    | Sync
    | Ping
)


# --- From the server ---------------------------------------------------------------------------


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
    outcome: str | None
    at: int | None
    place: int | None
    left: bool = False


class Race(ServerMessage, frozen=True, tag="race"):
    """What changed of the race: fields that are absent stay."""

    code: str | msgspec.UnsetType = msgspec.UNSET
    host: int | None | msgspec.UnsetType = msgspec.UNSET
    seats: int | msgspec.UnsetType = msgspec.UNSET
    openness: str | msgspec.UnsetType = msgspec.UNSET
    undo: bool | msgspec.UnsetType = msgspec.UNSET
    start: str | msgspec.UnsetType = msgspec.UNSET
    time_limit_min: int | msgspec.UnsetType = msgspec.UNSET
    listed: bool | msgspec.UnsetType = msgspec.UNSET
    starts_at: int | None | msgspec.UnsetType = msgspec.UNSET
    closed_at: int | None | msgspec.UnsetType = msgspec.UNSET
    next: str | None | msgspec.UnsetType = msgspec.UNSET
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
    shown: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    table: WireTable | msgspec.UnsetType = msgspec.UNSET


class Refused(ServerMessage, frozen=True):
    """An action is refused, and why; `expected` is the next seq the server takes."""

    seq: int
    reason: str
    expected: int


class Moved(ServerMessage, frozen=True):
    """What was played: [racer, seq, code, at, home, moves, redeals], an eighth element `shown`
    with openness cards; `code` is null with openness progress."""

    moves: list[Any]


class Finished(ServerMessage, frozen=True):
    """A racer's game has ended; the place is provisional until `closed`."""

    racer: int
    outcome: str
    at: int
    moves: int
    place: int


class Closed(ServerMessage, frozen=True):
    """The race is over: rows in order of place; layout and seed unless the deal is closed."""

    standings: list[RacerRow]
    layout: str | None
    seed: str | None
    replays: dict[str, str]


class Pong(ServerMessage, frozen=True):
    """The answer to `ping`; `version` is the race's version plus the sum of its games' seq."""

    sent: int
    now: int
    version: int


class Fault(ServerMessage, frozen=True):
    """Something was refused that isn't one action."""

    reason: str


FromServer = (
    Welcome | Racer | Race | Go | Acted | Refused | Moved | Finished | Closed | Pong | Fault
)


# --- Parsing and encoding ----------------------------------------------------------------------

_decode = msgspec.json.Decoder(FromClient).decode
_encode = msgspec.json.Encoder().encode
_Message = TypeVar("_Message", bound=FromClient)


def parse(text: str) -> FromClient:
    """Read a frame from a client.

    :raises BadMessage: for anything else than one of the client's messages.
    """
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadMessage(str(error)) from None


def encode(message: ServerMessage) -> str:
    """Write a message as the text of one frame."""
    return _encode(message).decode()


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
