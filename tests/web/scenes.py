"""Players, races and results for the pages to show."""

import re
from typing import Any

from games import clock
from games.models import Game, Player, Race
from games.services import players, races, recording, seats, settling
from games.services.races import RaceOptions
from games.services.recording import GameWrite

LANGUAGES = ("en", "uk", "vi")
_CARD = re.compile(r"(?<![%\w])[A2-9TJQK][SHDC](?!\w)")


def guest(name: str = "Thảo") -> Player:
    """Create a guest."""
    return players.create_guest(name=name)


def race(host: Player, deal: str = "sealed", seats: int = 2, listed: bool = False) -> Race:
    """Open a race."""
    options = RaceOptions(seats=seats, listed=listed)
    return races.open_race(host=host, deal=deal, options=options)


def started(race: Race, *others: Player, minutes_ago: int = 5) -> Race:
    """Seat the others and let the race have started."""
    for player in others:
        seats.take(code=race.code, player=player)
    Race.objects.filter(pk=race.pk).update(starts_at=clock.now_ms() - 60_000 * minutes_ago)
    race.refresh_from_db()
    return race


def end(race: Race, player: Player, ms: int = 100_000, moves: int = 100, won: bool = True) -> Game:
    """Let a player's game end, and the race close if it was the last."""
    game = Game.objects.get(race=race, player=player)
    write = GameWrite(
        game_id=game.pk,
        base_seq=game.seq,
        seq=game.seq,
        moves=moves,
        undos=2,
        redeals=1,
        home=104 if won else 40,
        outcome="won" if won else "expired",
        finished_ms=ms,
    )
    assert recording.record([write]) == {game.pk}
    settling.close_if_over(race_id=race.pk)
    game.refresh_from_db()
    race.refresh_from_db()
    return game


def finished(host: Player, deal: str = "sealed", ms: int = 100_000, moves: int = 100) -> Game:
    """Let somebody win a race of one seat, within the last minute."""
    begun = started(race(host, deal, seats=1), minutes_ago=1 + ms // 60_000)
    return end(begun, host, ms, moves)


def text_of(response: Any) -> str:
    """Return the body of an answer."""
    return str(response.content.decode())


def tells_of(response: Any, race: Race) -> list[str]:
    """Name what a page says of a deal that must not be known: layout, seed, cards in notation."""
    body = text_of(response) + repr(response.headers)
    seed = bytes(race.deal.seed or b"").hex()
    told = [secret for secret in (race.deal.layout, seed) if secret and secret in body]
    return told + _CARD.findall(body)
