"""The hub: what one process holds of one race, and the frames it sends to the race's sockets."""

from collections.abc import Iterable
from typing import cast

import msgspec

from games import clock, models
from games.engine.deals import parse_deal_code
from games.engine.log import Entry
from games.live import rows
from games.live.connection import CloseCode, Connection
from games.live.ghost import Ghost
from games.live.live_game import GameRules, LiveGame
from games.live.rows import View
from games.models import Game, Openness
from games.protocol import (
    Finished,
    Go,
    Moved,
    MovedRow,
    Outcome,
    Race,
    Racer,
    ServerMessage,
    encode,
    wire_table,
)
from games.services.rosters import Actions, Room

Move = tuple[int, int, str, int, int, int, int, dict[str, str]]
"""A move between processes: racer, seq, code, at, home, moves, redeals, shown."""


class Hub:
    """Local sockets and the last known state of a race. All of it runs on the event loop, and no
    method waits: what comes from the database is handed to `absorb`."""

    def __init__(self, room: Room, actions: dict[int, Actions]) -> None:
        self.code = room.race.code
        self.race_id = room.race.pk
        self.connections: set[Connection] = set()
        self.idle_since_ms = clock.now_ms()
        self.tick = 0
        self._race = room.race
        self._deal = room.race.deal
        self.ghosts: tuple[Ghost, ...] = ()
        self._games = {row.pk: LiveGame(row, self._rules(room.race)) for row in room.games}
        for racer, logged in actions.items():
            self._games[racer].actions = [(code, at_ms) for _, at_ms, code in logged]
        self.view = self._look()
        self.went = self.view.running
        self._announced_race = rows.race_row(self.view)
        for game in self.view.games:
            game.announced = self._marks(rows.racer(self.view, game))

    # --- Sockets -------------------------------------------------------------------------------

    def game_of(self, player_id: int | None) -> LiveGame | None:
        """Find the game of a player, a removed one included."""
        if player_id is None:
            return None
        return next((g for g in self._games.values() if g.player_id == player_id), None)

    def game(self, racer: int) -> LiveGame | None:
        """Find a game by its id."""
        return self._games.get(racer)

    def join(self, connection: Connection, game: LiveGame | None) -> None:
        """Let a socket in; a seat's newer socket takes it over from the older."""
        if game is not None:
            if game.connection is not None:
                game.connection.close(CloseCode.OPENED_ELSEWHERE)
                self.connections.discard(game.connection)
            game.connection = connection
            game.claim = clock.now_ms()
        self.welcome(connection, game)
        self.connections.add(connection)
        if game is not None:
            self.announce_racers([game])

    def welcome(self, connection: Connection, game: LiveGame | None) -> None:
        """Send all that joining or resuming needs."""
        connection.push(encode(rows.welcome(self.view, game)))
        if self._race.closed_at is not None:
            connection.push(encode(rows.closed(self.view)))

    def leave(self, connection: Connection, game: LiveGame | None) -> bool:
        """Let a socket go; returns whether a seat is now without one."""
        self.connections.discard(connection)
        self.idle_since_ms = clock.now_ms()
        if game is None or game.connection is not connection:
            return False
        game.connection = None
        game.seen_at, game.left_ms = None, clock.now_ms()
        self.announce_racers([game])
        return True

    def seated_elsewhere(self, racer: int, claim: int) -> bool:
        """Hear that another process has a racer's socket since `claim`; False if ours is newer."""
        game = self._games.get(racer)
        if game is None:
            return True
        if game.connection is not None:
            if game.claim > claim:
                return False
            game.connection.close(CloseCode.OPENED_ELSEWHERE)
            self.connections.discard(game.connection)
            game.connection = None
        game.seen_at = clock.now_ms()
        self.announce_racers([game])
        return True

    def gone_elsewhere(self, racer: int) -> None:
        """Hear that a racer's socket in another process is gone."""
        game = self._games.get(racer)
        if game is not None and game.connection is None:
            game.seen_at = None
            self.announce_racers([game])

    # --- Frames --------------------------------------------------------------------------------

    def push(self, message: ServerMessage) -> None:
        """Send one message to every socket, encoded once."""
        frame = encode(message)
        for connection in self.connections:
            connection.push(frame)

    def announce_racers(self, games: Iterable[LiveGame], *, always: bool = False) -> None:
        """Send the rows of those games whose seat, marks or connection look other than before."""
        for game in games:
            if game.removed:
                continue
            message = rows.racer(self.view, game)
            marks = self._marks(message)
            if marks != game.announced or always:
                game.announced = marks
                self.push(message)

    def announce_moves(self, moves: list[Move]) -> None:
        """Send what was played, as the race's openness allows."""
        openness = self._race.openness
        shown: list[MovedRow]
        if openness == Openness.CARDS:
            shown = list(moves)
        elif openness == Openness.PROGRESS:
            shown = [(move[0], move[1], None, *move[3:7]) for move in moves]
        else:
            shown = [move[:7] for move in moves]
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
        if self.went or not self.view.running or self._race.closed_at is not None:
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

    # --- Ghosts --------------------------------------------------------------------------------

    def set_ghosts(self, found: list[tuple[Game, Actions]]) -> None:
        """Take the ghosts that the host has added, and show them."""
        known = {ghost.racer: ghost for ghost in self.ghosts}
        rules = self._rules(self._race)
        self.ghosts = tuple(
            known.get(row.pk) or Ghost(row, actions, rules) for row, actions in found
        )
        self.view = self._look()
        for ghost in self.ghosts:
            if ghost.racer not in known:
                self.push(rows.ghost(ghost))

    def play_ghosts(self) -> None:
        """Announce what the ghosts have done by now."""
        if not self.view.running or self._race.closed_at is not None:
            return
        elapsed = clock.now_ms() - (self._race.starts_at or 0)
        moves = [row for ghost in self.ghosts for row in ghost.play(elapsed)]
        if moves:
            self.push(Moved(moves=moves))
        for ghost in self.ghosts:
            ended = ghost.end(elapsed)
            if ended is not None:
                self.push(ended)

    # --- News ----------------------------------------------------------------------------------

    def touch(self, game: LiveGame) -> None:
        """Note that this process has changed a game: an older read of it counts for nothing."""
        self.tick += 1
        game.tick = self.tick

    def hear_moves(self, moves: list[Move]) -> bool:
        """Take moves announced by another process; False where some before them are missing."""
        news, complete = [], True
        for move in moves:
            racer, seq, code, at, home, count, redeals, _ = move
            game = self._games.get(racer)
            if game is None or seq > game.seq + 1:
                complete = False
            elif seq == game.seq + 1:
                game.actions.append((code, at))
                game.home, game.moves, game.redeals = home, count, redeals
                game.tip = None
                self.touch(game)
                news.append(move)
        if news:
            self.announce_moves(news)
            self.announce_racers({self._games[move[0]]: None for move in news})
        return complete

    def known(self) -> dict[int, int]:
        """Give the seq up to which each game's log is known here."""
        return {game.racer: game.seq for game in self._games.values()}

    def absorb(self, room: Room, actions: dict[int, Actions], asked_tick: int) -> None:
        """Take what was read from the database after tick `asked_tick`, and announce the news."""
        if room.race.version >= self._race.version:
            self._race, self._deal = room.race, room.race.deal
            self._absorb_roster(room)
        self.view = self._look()
        moves: list[Move] = []
        ended: list[LiveGame] = []
        changed: list[LiveGame] = []
        for row in room.games:
            game = self._games.get(row.pk)
            if game is None:
                continue
            moves += [move_of(game, entry) for entry in game.extend(actions.get(row.pk, []))]
            if game.tick <= asked_tick and row.seq == game.seq and row.outcome != game.outcome:
                game.set_outcome(row.outcome, row.finished_ms)
                (ended if row.outcome else changed).append(game)
        if moves:
            self.announce_moves(moves)
        self.announce_racers(changed, always=True)
        self.announce_racers(g for g in self._games.values() if g not in changed)
        for game in ended:
            self.announce_end(game)
        self._announce_race()

    def _absorb_roster(self, room: Room) -> None:
        rules = self._rules(room.race)
        for row in room.games:
            game = self._games.get(row.pk)
            if game is None:
                self._games[row.pk] = LiveGame(row, rules)
                continue
            here, was_removed = game.seen_at, game.removed
            game.take_roster(row)
            if game.connection is not None:
                game.seen_at = here
            game.take_rules(rules)
            if game.removed and not was_removed:
                self._remove(game, CloseCode.REMOVED)
        for racer in set(self._games) - {row.pk for row in room.games}:
            self._remove(self._games.pop(racer), None)

    def _remove(self, game: LiveGame, code: CloseCode | None) -> None:
        """Take a racer off everybody's roster: removed (closed with a code) or left (watching)."""
        self.push(rows.racer(self.view, game, left=True))
        if game.connection is not None and code is not None:
            game.connection.close(code)
            self.connections.discard(game.connection)
        game.connection = None

    def _announce_race(self) -> None:
        row, old = rows.race_row(self.view), self._announced_race
        if row == old:
            return
        self._announced_race = row
        fields = msgspec.structs.asdict(row)
        was = msgspec.structs.asdict(old)
        self.push(Race(**{name: value for name, value in fields.items() if value != was[name]}))
        if row.starts_at is None:
            self.went = False
        if row.closed_at is not None and old.closed_at is None:
            self.push(rows.closed(self.view))

    @staticmethod
    def _marks(row: Racer) -> object:
        """What of a row is announced by `racer` alone; the rest comes with moves and ends."""
        return (row.name, row.host, row.ready, row.online, row.blocked)

    def _look(self) -> View:
        games = tuple(game for game in self._games.values() if not game.removed)
        return View(self._race, self._deal, games, self.ghosts)

    @staticmethod
    def _rules(race: models.Race) -> GameRules:
        deal = race.deal
        return GameRules(
            layout=deal.layout,
            redeals=parse_deal_code(deal.code).redeals,
            undo_allowed=race.undo,
            limit_ms=race.limit_ms,
        )


def move_of(game: LiveGame, entry: Entry) -> Move:
    """Write an entry of a log as a move between processes."""
    return (
        game.racer,
        entry.seq,
        entry.code,
        entry.at_ms,
        entry.home,
        entry.moves,
        entry.redeals,
        dict(entry.shown),
    )
