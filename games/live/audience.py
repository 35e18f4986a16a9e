"""The audience of a race: its sockets in this process, and the frames they all get."""

from collections.abc import Iterable
from typing import cast

import msgspec

from games import clock
from games.live import rows
from games.live.connection import Connection
from games.live.live_game import LiveGame
from games.live.rows import View
from games.models import Openness
from games.protocol import (
    Finished,
    Go,
    Moved,
    MovedRow,
    Outcome,
    Race,
    ServerMessage,
    encode,
    wire_table,
)

Move = tuple[int, int, str, int, int, int, int, dict[str, str]]
"""A move between processes: racer, seq, code, at, home, moves, redeals, shown."""


class Audience:
    """Announces what is new in `view` against what it has announced before. A frame is encoded
    once and serves everybody."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.connections: set[Connection] = set()
        self.elsewhere: set[int] = set()
        """Players (by id) who are at a game on the same cards in another race: they are shown this
        one as progress, and none of its cards."""
        self.went = view.running
        """Whether the tables have been sent."""
        self._race = rows.race_row(view)
        for game in view.games:
            game.announced = _marks(view, game)

    def push(self, message: ServerMessage) -> None:
        """Send one message to every socket, encoded once."""
        frame = encode(message)
        for connection in self.connections:
            connection.push(frame)

    def push_either(self, message: ServerMessage, elsewhere: ServerMessage) -> None:
        """Send one message to every socket but those whose readers are at play elsewhere, who get
        the other; each encoded once."""
        frame, other = encode(message), encode(elsewhere)
        for connection in self.connections:
            connection.push(other if connection.player_id in self.elsewhere else frame)

    def announce_racers(self, games: Iterable[LiveGame], *, always: bool = False) -> None:
        """Send the rows of those games whose seat, marks or connection look other than before."""
        for game in games:
            if game.removed:
                continue
            marks = _marks(self.view, game)
            if marks != game.announced or always:
                game.announced = marks
                self.push(rows.racer(self.view, game))

    def announce_moves(self, moves: list[Move]) -> None:
        """Send what was played, as the race's openness allows."""
        openness = self.view.race.openness
        if openness == Openness.PROGRESS:
            self.push(_progress(moves))
            return
        shown: list[MovedRow] = [*moves] if openness == Openness.CARDS else [m[:7] for m in moves]
        if self.elsewhere:
            self.push_either(Moved(moves=shown), _progress(moves))
        else:
            self.push(Moved(moves=shown))

    def announce_end(self, game: LiveGame) -> None:
        """Send how a game ended, with its place for now."""
        assert game.outcome is not None
        assert game.finished_ms is not None
        self.push(
            Finished(
                racer=game.racer,
                outcome=cast("Outcome", game.outcome),
                at=game.finished_ms,
                moves=game.moves,
                place=rows.places(self.view).get(game.racer, 0),
            )
        )

    def go(self) -> None:
        """Send the tables, once zero has passed; before it nothing has a card."""
        if self.went or not self.view.running or self.view.race.closed_at is not None:
            return
        self.went = True
        now = clock.now_ms()
        seats = {game.connection: game for game in self.view.games if game.connection}
        watching = encode(Go(table=None, now=now))
        for connection in self.connections:
            game = seats.get(connection)
            connection.push(
                encode(Go(table=wire_table(game.log.table), now=now)) if game else watching
            )

    def announce_race(self) -> None:
        """Send what has changed of the race; when it has closed, how it ended."""
        row, old = rows.race_row(self.view), self._race
        if row == old:
            return
        self._race = row
        fields = msgspec.structs.asdict(row)
        was = msgspec.structs.asdict(old)
        self.push(Race(**{name: value for name, value in fields.items() if value != was[name]}))
        if row.starts_at is None:
            self.went = False
        if row.closed_at is not None and old.closed_at is None:
            self.push_either(rows.closed(self.view), rows.closed(self.view, elsewhere=True))


def _progress(moves: list[Move]) -> Moved:
    return Moved(moves=[(move[0], move[1], None, *move[3:7]) for move in moves])


def _marks(view: View, game: LiveGame) -> object:
    """What of a row is announced by `racer` alone; the rest comes with moves and ends."""
    is_host, is_blocked = game.player_id == view.race.host_id, view.running and game.blocked
    return (game.name, is_host, game.ready, game.online(clock.now_ms()), is_blocked)
