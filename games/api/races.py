"""/api/races: open one, read one, take a seat, leave it."""

from typing import cast

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games import clock
from games.api import json
from games.models import Game
from games.protocol import Outcome, RacerRow, deal_row, race_row
from games.services import races, rosters, seats, standings, tallies
from games.services.denied import Denial, Denied
from games.services.rosters import Room

ONLINE_MS = 25_000


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """The body that opens a race: `deal` is "sealed", "random" or a deal code."""

    deal: str
    seats: int = 1
    openness: str = "moves"
    undo: bool = True
    start: str = "host"
    time_limit_min: int = 60
    listed: bool = False


def open_race(request: HttpRequest) -> HttpResponse:
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
    return json.answer({"code": race.code, "url": url, "deal": race.deal.code}, status=201)


def show_race(request: HttpRequest, code: str) -> HttpResponse:
    """Tell what a watcher may know of a race."""
    room = rosters.read_room(code=code.upper())
    if room is None:
        raise Denied(Denial.NOT_FOUND, "There is no race of this code.")
    race, deal = room.race, room.race.deal
    present = [game for game in room.games if game.removed_at is None]
    host = next((game.pk for game in present if game.player_id == race.host_id), None)
    return json.answer(
        {
            "race": race_row(race, host),
            "deal": deal_row(deal),
            "racers": _racers(room, present),
            "tally": tallies.of_evening(race=race),
            "now": clock.now_ms(),
        }
    )


def take_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Take a seat in the lobby."""
    game = seats.take(code=code.upper(), player=json.signed_in(request))
    return json.answer({"racer": game.pk}, status=201)


def leave_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Give the seat up, in the lobby."""
    seats.leave(code=code.upper(), player=json.signed_in(request))
    return HttpResponse(status=204)


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


opened = json.endpoint(post=open_race)
race = json.endpoint(get=show_race)
seat = json.endpoint(post=take_seat, delete=leave_seat)
