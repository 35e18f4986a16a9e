"""The hub: what one process holds of one race, and how it learns what is new."""

from games import clock, models
from games.engine.log import Entry
from games.live import rows
from games.live.audience import Audience, Move
from games.live.connection import CloseCode, Connection
from games.live.elsewhere import Elsewhere
from games.live.ghost import Ghost
from games.live.live_game import GameRules, LiveGame
from games.live.rows import View
from games.models import Game
from games.protocol import (
    Moved,
    encode,
)
from games.services.rosters import Actions, Room


class Hub:
    """The last known state of a race, and its audience. All of it runs on the event loop, and no
    method waits: what comes from the database is handed to `absorb`."""

    def __init__(self, room: Room, actions: dict[int, Actions]) -> None:
        self.code = room.race.code
        self.race_id = room.race.pk
        self.idle_since_ms = clock.now_ms()
        self.tick = 0
        self._race = room.race
        self._deal = room.race.deal
        self.ghosts: tuple[Ghost, ...] = ()
        self._games = {row.pk: LiveGame(row, self._rules(room.race)) for row in room.games}
        for racer, logged in actions.items():
            self._games[racer].actions = [(code, at_ms) for _, at_ms, code in logged]
        self._arrived: dict[int, int] = {}
        """When other processes said to have racers who aren't on the roster yet (Unix ms)."""
        self.audience = Audience(self._look())
        self.elsewhere = Elsewhere(self)

    @property
    def view(self) -> View:
        """The race as this process knows it now."""
        return self.audience.view

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
                self.audience.connections.discard(game.connection)
            game.connection = connection
            game.claim = clock.now_ms()
        self.welcome(connection, game)
        self.audience.connections.add(connection)
        if game is not None:
            self.audience.announce_racers([game])

    def welcome(self, connection: Connection, game: LiveGame | None) -> None:
        """Send all that joining or resuming needs."""
        elsewhere = connection.player_id in self.audience.elsewhere
        connection.push(encode(rows.welcome(self.view, game, elsewhere=elsewhere)))
        if self._race.closed_at is not None:
            connection.push(encode(rows.closed(self.view, elsewhere=elsewhere)))

    def leave(self, connection: Connection, game: LiveGame | None) -> bool:
        """Let a socket go; returns whether a seat is now without one."""
        self.audience.connections.discard(connection)
        self.idle_since_ms = clock.now_ms()
        if game is None or game.connection is not connection:
            return False
        game.connection = None
        game.seen_at, game.left_ms = None, clock.now_ms()
        self.audience.announce_racers([game])
        return True

    def seated_elsewhere(self, racer: int, claim: int, *, wins_tie: bool) -> bool:
        """Hear that another process has a racer's socket since `claim`; False if ours is newer.
        `wins_tie` says whose claim stands where both came in one millisecond: not both fall."""
        game = self._games.get(racer)
        if game is None:
            self._arrived[racer] = clock.now_ms()
            return True
        if game.connection is not None:
            if game.claim > claim or (game.claim == claim and not wins_tie):
                return False
            game.connection.close(CloseCode.OPENED_ELSEWHERE)
            self.audience.connections.discard(game.connection)
            game.connection = None
        game.seen_at = clock.now_ms()
        self.audience.announce_racers([game])
        return True

    def gone_elsewhere(self, racer: int) -> None:
        """Hear that a racer's socket in another process is gone."""
        self._arrived.pop(racer, None)
        game = self._games.get(racer)
        if game is not None and game.connection is None:
            game.seen_at, game.left_ms = None, clock.now_ms()
            self.audience.announce_racers([game])

    # --- Ghosts --------------------------------------------------------------------------------

    def set_ghosts(self, found: list[tuple[Game, Actions]]) -> None:
        """Take the ghosts that the host has added, and show them."""
        known = {ghost.racer: ghost for ghost in self.ghosts}
        rules = self._rules(self._race)
        self.ghosts = tuple(
            known.get(row.pk) or Ghost(row, actions, rules) for row, actions in found
        )
        self.audience.view = self._look()
        for ghost in self.ghosts:
            if ghost.racer not in known:
                self.audience.push(rows.ghost(ghost))

    def play_ghosts(self) -> None:
        """Announce what the ghosts have done by now."""
        if not self.view.running or self._race.closed_at is not None:
            return
        elapsed = clock.now_ms() - (self._race.starts_at or 0)
        moves = [row for ghost in self.ghosts for row in ghost.play(elapsed)]
        if moves:
            self.audience.push(Moved(moves=moves))
        for ghost in self.ghosts:
            ended = ghost.end(elapsed)
            if ended is not None:
                self.audience.push(ended)

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
            self.audience.announce_moves(news)
            self.audience.announce_racers({self._games[move[0]]: None for move in news})
        return complete

    def known(self) -> dict[int, int]:
        """Give the seq up to which each game's log is known here."""
        return {game.racer: game.seq for game in self._games.values()}

    def absorb(self, room: Room, actions: dict[int, Actions], asked_tick: int) -> None:
        """Take what was read from the database after tick `asked_tick`, and announce the news."""
        if room.race.version >= self._race.version:
            self._race, self._deal = room.race, room.race.deal
            self._absorb_roster(room)
        self.audience.view = self._look()
        # In a closed race nothing changes: what was read is newer than whatever was heard since.
        final = room.race.closed_at is not None
        moves: list[Move] = []
        ended: list[LiveGame] = []
        changed: list[LiveGame] = []
        for row in room.games:
            game = self._games.get(row.pk)
            if game is None:
                continue
            news = game.extend(actions.get(row.pk, []), final=final)
            moves += [move_of(game, entry) for entry in news]
            is_newer = final or game.tick <= asked_tick
            if is_newer and row.seq == game.seq and row.outcome != game.outcome:
                game.set_outcome(row.outcome, row.finished_ms)
                (ended if row.outcome else changed).append(game)
        if moves:
            self.audience.announce_moves(moves)
        self.audience.announce_racers(changed, always=True)
        self.audience.announce_racers(g for g in self._games.values() if g not in changed)
        for game in ended:
            self.audience.announce_end(game)
        self.elsewhere.look_again()
        self.audience.announce_race()

    def _absorb_roster(self, room: Room) -> None:
        rules = self._rules(room.race)
        for row in room.games:
            game = self._games.get(row.pk)
            if game is None:
                game = self._games[row.pk] = LiveGame(row, rules)
                game.seen_at = self._arrived.pop(row.pk, game.seen_at)
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
        self.audience.push(rows.racer(self.view, game, left=True))
        if game.connection is not None and code is not None:
            game.connection.close(code)
            self.audience.connections.discard(game.connection)
        game.connection = None

    def _look(self) -> View:
        games = tuple(game for game in self._games.values() if not game.removed)
        return View(self._race, self._deal, games, self.ghosts)

    @staticmethod
    def _rules(race: models.Race) -> GameRules:
        deal = race.deal
        return GameRules(
            layout=deal.layout,
            redeals=deal.redeals,
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
