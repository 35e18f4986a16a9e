"""What a browser may say."""

import msgspec

from games.protocol.rows import EmoteId, Openness, StartRule


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
    openness: Openness | msgspec.UnsetType = msgspec.UNSET
    undo: bool | msgspec.UnsetType = msgspec.UNSET
    start: StartRule | msgspec.UnsetType = msgspec.UNSET
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


class Rematch(ClientMessage, frozen=True):
    """The sender, whose game is over, wants the next race with the same people, or not."""

    agree: bool


class Emote(ClientMessage, frozen=True):
    """A racer waves; the set is fixed, there is no free chat."""

    id: EmoteId


class Ghost(ClientMessage, frozen=True):
    """The host adds a finished game on the same deal, to run along."""

    game: int


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
    | Rematch
    | Emote
    | Ghost
    | Sync
    | Ping
)
