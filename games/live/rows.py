"""The wire's rows and longer messages, made from what a hub holds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import msgspec

from games import clock, protocol
from games.live.ghost import Ghost
from games.live.live_game import LiveGame
from games.models import Deal, Openness, Race
from games.protocol import (
    Closed,
    Outcome,
    Racer,
    RaceRow,
    RacerRow,
    Welcome,
    deal_row,
    wire_table,
)
from games.services import standings


@dataclass(frozen=True, slots=True)
class View:
    """A race with the games on its roster, as this process knows them at a moment."""

    race: Race
    deal: Deal
    games: tuple[LiveGame, ...]
    ghosts: tuple[Ghost, ...] = ()

    @property
    def running(self) -> bool:
        """Whether zero has passed."""
        return self.race.starts_at is not None and clock.now_ms() >= self.race.starts_at

    @property
    def version(self) -> int:
        """What `pong` has: the race's version plus the sum of its games' seq."""
        return self.race.version + sum(game.seq for game in self.games)


def race_row(view: View) -> RaceRow:
    """Write the race."""
    host = next((g.racer for g in view.games if g.player_id == view.race.host_id), None)
    return protocol.race_row(view.race, host)


def places(view: View) -> dict[int, int]:
    """Give the places of a started race by racer; none before the start."""
    if not view.running:
        return {}
    return standings.places((game.racer, game) for game in view.games)


def racer_rows(view: View, games: Iterable[LiveGame] | None = None) -> list[RacerRow]:
    """Write the roster, or the given games of it."""
    now, given = clock.now_ms(), places(view)
    return [
        RacerRow(
            racer=game.racer,
            name=game.name,
            host=game.player_id == view.race.host_id,
            ready=game.ready,
            online=game.online(now),
            home=game.home,
            moves=game.moves,
            redeals=game.redeals,
            blocked=view.running and game.blocked,
            ghost=False,
            outcome=cast("Outcome | None", game.outcome),
            at=game.finished_ms,
            place=given.get(game.racer),
        )
        for game in (view.games if games is None else games)
    ]


def ghost(ghost: Ghost) -> Racer:
    """Write a ghost's row as a message: it has no seat, no connection and no place."""
    _, _, _, _, home, moves, redeals, *_ = ghost.now
    return Racer(
        racer=ghost.racer,
        name=ghost.name,
        host=False,
        ready=False,
        online=False,
        home=home,
        moves=moves,
        redeals=redeals,
        blocked=False,
        ghost=True,
        outcome=cast("Outcome | None", ghost.outcome) if ghost.ended else None,
        at=ghost.finished_ms if ghost.ended else None,
        place=None,
    )


def racer(view: View, game: LiveGame, *, left: bool = False) -> Racer:
    """Write one row of the roster as a message."""
    (row,) = racer_rows(view, [game])
    return Racer(**msgspec.structs.asdict(row), left=left)


def welcome(view: View, reader: LiveGame | None, *, elsewhere: bool = False) -> Welcome:
    """Write all that `reader` needs, or a watcher (None). It has no card face that the reader's
    own table hasn't shown, unless the openness is cards; who is at a game on the deal elsewhere
    is told as much as with openness progress."""
    openness, running = view.race.openness, view.running
    own = reader.log if reader else None
    logs = {
        str(game.racer): "".join(code for code, _ in game.actions)
        for game in view.games
        if game is reader or (openness != Openness.PROGRESS and not elsewhere)
    }
    faces: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    if openness == Openness.CARDS:
        faces = {}
        for game in view.games if running and not elsewhere else ():
            faces.update({str(slot): card for slot, card in game.log.faces.items()})
    return Welcome(
        you=reader.racer if reader else None,
        race=race_row(view),
        deal=deal_row(view.deal),
        racers=[*racer_rows(view), *(_row(ghost(one)) for one in view.ghosts)],
        seq=reader.seq if reader else 0,
        table=wire_table(own.table) if own and running else None,
        seen={str(slot): card for slot, card in own.faces.items()} if own and running else {},
        logs=logs if running else {},
        now=clock.now_ms(),
        faces=faces,
    )


def shows_cards(view: View) -> bool:
    """Tell whether everybody in the room is shown cards, watchers too."""
    if view.race.closed_at is not None and view.deal.revealed:
        return True
    return view.running and view.race.openness == Openness.CARDS


def closed(view: View, *, elsewhere: bool = False) -> Closed:
    """Write the end of a race: the standings, and the cards unless the deal is still closed, or
    the reader at a game on it elsewhere."""
    rows = sorted(racer_rows(view), key=lambda row: (row.place or 0, row.racer))
    revealed = view.deal.revealed and not elsewhere
    return Closed(
        standings=rows,
        layout=view.deal.layout if revealed else None,
        seed=bytes(view.deal.seed).hex() if revealed and view.deal.seed else None,
        replays={str(row.racer): f"/games/{row.racer}/" for row in rows},
    )


def _row(message: Racer) -> RacerRow:
    fields = msgspec.structs.asdict(message)
    del fields["left"]
    return RacerRow(**fields)
