"""/api/races: open one, read one, take a seat, leave it."""

from typing import Annotated, cast

import msgspec
from django.http import HttpRequest
from django.urls import reverse

from games import clock
from games.api import json
from games.api.operations import Endpoint, Operation, RaceCode
from games.models import Game
from games.protocol import (
    DealRow,
    Openness,
    Outcome,
    RaceRow,
    RacerRow,
    StartRule,
    deal_row,
    race_row,
)
from games.services import races, rosters, seats, standings, tallies
from games.services.denied import Denial, Denied
from games.services.rosters import Room
from games.services.tallies import Score

ONLINE_MS = 25_000


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """The body that opens a race: `deal` is "sealed", "random", "four" or a deal code."""

    deal: Annotated[str, msgspec.Meta(examples=["sealed", "random", "four", "CR1-N-AAAAAAB"])]
    seats: Annotated[int, msgspec.Meta(ge=1, le=50)] = 1
    openness: Openness = "moves"
    undo: bool = True
    start: StartRule = "host"
    time_limit_min: Annotated[int, msgspec.Meta(ge=10, le=180)] = 60
    listed: bool = False


class Opened(msgspec.Struct, frozen=True):
    """A race that was opened: its code, the address of its room, the code of its deal."""

    code: str
    url: str
    deal: str


class Seat(msgspec.Struct, frozen=True):
    """A seat; `racer` is the number of the game that will be played on it."""

    racer: int


class RaceShown(msgspec.Struct, frozen=True):
    """A race as a watcher may know it. `tally` are the points over a chain of rematches, the most
    first; `now` is Unix time in milliseconds."""

    race: RaceRow
    deal: DealRow
    racers: list[RacerRow]
    tally: list[Score]
    now: int


def open_race(request: HttpRequest) -> Opened:
    """Open a race; the opener has a seat and is host."""
    player = json.signed_in(request)
    wish = json.read(request, Wish, Denial.BAD_OPTION)
    options = races.RaceOptions(
        seats=wish.seats,
        openness=wish.openness,
        undo=wish.undo,
        start=wish.start,
        time_limit_min=wish.time_limit_min,
        listed=wish.listed,
    )
    race = races.open_race(host=player, deal=wish.deal, options=options)
    url = request.build_absolute_uri(reverse("race", args=[race.code]))
    return Opened(code=race.code, url=url, deal=race.deal.code)


def show_race(request: HttpRequest, code: RaceCode) -> RaceShown:
    """Tell what a watcher may know of a race."""
    room = rosters.read_room(code=code.upper())
    if room is None:
        raise Denied(Denial.NOT_FOUND, "There is no race of this code.")
    race, deal = room.race, room.race.deal
    present = [game for game in room.games if game.removed_at is None]
    host = next((game.pk for game in present if game.player_id == race.host_id), None)
    return RaceShown(
        race=race_row(race, host),
        deal=deal_row(deal),
        racers=_racers(room, present),
        tally=tallies.of_evening(race=race),
        now=clock.now_ms(),
    )


def take_seat(request: HttpRequest, code: RaceCode) -> Seat:
    """Take a seat in the lobby."""
    game = seats.take(code=code.upper(), player=json.signed_in(request))
    return Seat(racer=game.pk)


def leave_seat(request: HttpRequest, code: RaceCode) -> None:
    """Give the seat up, in the lobby."""
    seats.leave(code=code.upper(), player=json.signed_in(request))


def _racers(room: Room, present: list[Game]) -> list[RacerRow]:
    now = clock.now_ms()
    started = races.state_of(room.race, now) in {"running", "closed"}
    places = standings.places((game.pk, game) for game in present) if started else {}
    return [
        RacerRow(
            racer=game.pk,
            name=game.player.name,
            host=game.player_id == room.race.host_id,
            ready=game.ready,
            online=game.seen_at is not None and now - game.seen_at < ONLINE_MS,
            home=game.home,
            moves=game.moves,
            redeals=game.redeals,
            blocked=False,
            ghost=False,
            outcome=cast("Outcome | None", game.outcome),
            at=game.finished_ms,
            place=places.get(game.pk),
        )
        for game in present
    ]


opened = Endpoint(
    post=Operation(
        open_race,
        status=201,
        body=Wish,
        denied=(
            *(Denial.BAD_OPTION, Denial.BAD_DEAL, Denial.DEAL_CLOSED),
            *(Denial.TOO_FAST, Denial.TOO_MANY_RACES),
        ),
        needs_session=True,
        changes=True,
    )
)
race = Endpoint(get=Operation(show_race, denied=(Denial.NOT_FOUND,)))
seat = Endpoint(
    post=Operation(
        take_seat,
        status=201,
        denied=(
            *(Denial.NOT_FOUND, Denial.RACE_CLOSED, Denial.RACE_STARTED, Denial.RACE_FULL),
            *(Denial.REMOVED, Denial.NAME_TAKEN, Denial.DEAL_CLOSED, Denial.TOO_FAST),
        ),
        needs_session=True,
        changes=True,
    ),
    delete=Operation(
        leave_seat,
        status=204,
        denied=(Denial.NOT_FOUND, Denial.RACE_CLOSED, Denial.RACE_STARTED),
        needs_session=True,
        changes=True,
    ),
)
