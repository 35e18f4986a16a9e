"""Readers of a room who are at a game on the same cards in another race: they are shown this one
as progress, and none of its cards (docs/decisions/021-playing-elsewhere.md)."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from games.engine.deals import parse_deal_code
from games.models import Race

if TYPE_CHECKING:
    from games.live.hub import Hub


class Elsewhere:
    """Keeps `Audience.elsewhere` of one hub right. A start is heard at once; what the database says
    is asked for when somebody comes and with every read, so that no frame has to ask."""

    def __init__(self, hub: "Hub") -> None:
        self._hub = hub
        self.begun = 0
        """How often games on these cards have begun in other races, so far as it was heard."""

    @property
    def race(self) -> Race:
        """The race of the room, which is what is asked about."""
        return self._hub.view.race

    def readers(self) -> set[int]:
        """Give the players (by id) in the room who have to be asked about; see `is_reader`."""
        there = {connection.player_id for connection in self._hub.audience.connections}
        return {pk for pk in there if pk is not None and self.is_reader(pk)}

    def is_reader(self, player_id: int) -> bool:
        """Tell whether a player has to be asked about: not who is at a game here, for nobody plays
        a deal twice at a time, and nobody at all while the deal is closed."""
        view = self._hub.view
        if not view.deal.revealed:
            return False
        game = self._hub.game_of(player_id)
        is_playing = view.race.starts_at is not None and game is not None and game.outcome is None
        return not is_playing or (game is not None and game.removed)

    def hear_began(self, deal_code: str, players: Collection[int]) -> None:
        """Hear that players have begun a game in another race: on the cards of this one?"""
        if deal_code in parse_deal_code(self._hub.view.deal.code).alike:
            self.begun += 1
            self._hub.audience.elsewhere |= self.readers() & set(players)

    def hear(self, asked: Collection[int], at_play: set[int], begun: int) -> None:
        """Take which of the `asked` are at play elsewhere; who has begun since (`begun` as it was
        when they were asked about) stays marked."""
        marked = self._hub.audience.elsewhere
        if begun == self.begun:
            self._free((marked & set(asked)) - at_play)
        self._hub.audience.elsewhere |= at_play

    def look_again(self) -> None:
        """Free whoever has come to be at a game here."""
        self._free({pk for pk in self._hub.audience.elsewhere if not self.is_reader(pk)})

    def _free(self, players: set[int]) -> None:
        """Let players have what was withheld from them."""
        if not players:
            return
        self._hub.audience.elsewhere -= players
        for connection in tuple(self._hub.audience.connections):
            if connection.player_id in players:
                game = self._hub.game_of(connection.player_id)
                seated = game is not None and game.connection is connection
                self._hub.welcome(connection, game if seated else None)
