"""/races/: a race is opened, alone or with friends; its room."""

from collections.abc import Iterable
from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Game, Outcome, Race
from games.services import daily, deals, ghosts, races, rosters, standings
from games.services.denied import Denial, Denied
from games.services.races import RaceOptions
from games.web import errors, home, visitors
from games.web.forms import AloneForm, RaceForm
from games.web.games import boot_of
from games.web.pages import page, player_of, render


@page
def opened(request: HttpRequest) -> HttpResponse:
    """Show the form that opens a race; open it as wished and go to its room."""
    player, name = player_of(request), visitors.chosen_name(request)
    if request.method != "POST":
        blank = RaceForm(player, name, initial={"code": request.GET.get("deal", "")[:64]})
        return render(request, "games/open.html", {"race_form": blank})
    form = RaceForm(player, name, request.POST)
    race = _open(request, form) if form.is_valid() else None
    return _enter(race) if race else render(request, "games/open.html", {"race_form": form}, 400)


@page
def alone(request: HttpRequest) -> HttpResponse:
    """Open a race with one seat and go to its table. `ghost` is a finished game to race against on
    its deal, `ghosts` the code of a finished race on the same deal, whose games run along; with
    `choose` the player chooses among ghosts before the start."""
    if request.method != "POST":
        return redirect("home")
    if "ghost" in request.POST:
        ghost = ghosts.find(game_id=_number(request.POST["ghost"]))  # before a visitor is a guest
        return _enter(ghosts.open_against(player=visitors.somebody(request), ghost=ghost))
    form = AloneForm(request.POST, auto_id="alone-%s")
    race = _open(request, form) if form.is_valid() else None
    if race is None:
        return home.show(request, alone_form=form, status=400)
    _haunt(race, request.POST.get("ghosts", ""))
    return _enter(race, "#ghosts" if "choose" in request.POST else "")


@page
def room(request: HttpRequest, code: str) -> HttpResponse:
    """Show the room of a race: lobby, countdown, table or results, all drawn by the browser."""
    if code != code.upper():
        return redirect("race", code=code.upper())
    found = rosters.read_room(code=code)
    if found is None:
        return _no_such_race(request, code)
    player = player_of(request)
    seated = [game.player for game in found.games if game.removed_at is None]
    host = next((one for one in seated if one.pk == found.race.host_id), None)
    day = daily.of_race(race=found.race)
    boot = {
        "race": found.race.code,
        "day": reverse("day", args=[day.date.isoformat()]) if day else None,
        "deal": found.race.deal.code,
        "signed_in": player is not None,
        "you_name": visitors.chosen_name(request),
        "language": get_language(),
        "invite": request.build_absolute_uri(request.path),
    }
    context = {
        "race": found.race,
        "deal": found.race.deal,
        "host": host,
        "boot": boot,
        "winner": _winner(found.games) if found.race.closed_at else None,
    }
    return render(request, "games/race.html", context)


@page
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show all games of a finished race on one time line, in order of place.

    :raises Denied: deal_closed, while the race runs or the reader is at a game on its deal;
        not_found, where it ended in the lobby.
    """
    if code != code.upper():
        return redirect("race_replay", code=code.upper())
    found = rosters.read_room(code=code)
    if found is None:
        return _no_such_race(request, code)
    player = player_of(request)
    race, deal = found.race, found.race.deal
    if race.closed_at is None or not deals.may_see_layout(deal=deal, player=player):
        raise Denied(Denial.DEAL_CLOSED, "This race can be watched once it is over.")
    played = [game for game in found.games if game.removed_at is None]
    if race.starts_at is None or not played:
        raise Denied(Denial.NOT_FOUND, "Nobody played in this race.")
    places = standings.places((game.pk, game) for game in played)
    ordered = sorted(played, key=lambda game: places[game.pk])
    boot = boot_of(race, ordered, reader=player, whole=True)
    context = {"race": race, "boot": boot, "winner": _winner(played)}
    return render(request, "games/race_replay.html", context)


def _winner(games: Iterable[Game]) -> Game | None:
    """Return the game of a finished race that was home first, None where nobody was."""
    home = [game for game in games if game.outcome == Outcome.WON and game.removed_at is None]
    return min(home, key=lambda game: (game.finished_ms, game.pk), default=None)


def _no_such_race(request: HttpRequest, code: str) -> HttpResponse:
    text = _(
        "No race has the code %(code)s. Check it letter by letter, ask for the link again, "
        "or open a race yourself."
    ) % {"code": code[:20]}
    return errors.problem(request, status=404, title=_("No such race"), text=text)


def _open(request: HttpRequest, form: RaceForm | AloneForm) -> Race | None:
    """Open the race of a valid form; None where the services refuse, and the form says why."""
    try:
        if isinstance(form, RaceForm):
            named = form.cleaned_data.get("name")
            player = visitors.named(request, named) if named else visitors.somebody(request)
            return races.open_race(host=player, deal=form.wish, options=form.options)
        player = visitors.somebody(request)
        return races.open_race(host=player, deal=form.wish, options=RaceOptions(seats=1))
    except Denied as denied:
        names = {Denial.BAD_NAME, Denial.NAME_TAKEN}
        form.refuse(denied, field="name" if denied.reason in names else None)
        return None


def _haunt(race: Race, code: str) -> None:
    """Let the games of a finished race run along; where they can't, the game is played without."""
    found = rosters.read_room(code=code.upper()) if code else None
    if found is not None and found.race.deal_id == race.deal_id:
        with suppress(Denied):
            ghosts.add_all(race=race, game_ids=ghosts.best_of(race=found.race))


def _number(text: str) -> int:
    """Read the id of a game; what is none is the id of none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _enter(race: Race, part: str = "") -> HttpResponse:
    return redirect(reverse("race", args=[race.code]) + part)
