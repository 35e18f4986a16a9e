"""/: the doors to a race, to a friend's code and to a game alone; open races; today's best."""

from django.http import HttpRequest, HttpResponse

from games.web import daily, listings, visitors
from games.web.forms import AloneForm, JoinForm, RaceForm
from games.web.pages import page, player_of, render


@page
def home(request: HttpRequest) -> HttpResponse:
    """Show the start page."""
    return show(request)


@page
def open_races(request: HttpRequest) -> HttpResponse:
    """Give the list of open races alone: the start page asks for it every few seconds."""
    return render(request, "games/open_races.html", {"races": listings.open_races()})


def show(
    request: HttpRequest,
    *,
    alone_form: AloneForm | None = None,
    join_form: JoinForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the start page, with a form that has been sent and found wrong where one is given."""
    player = player_of(request)
    context = {
        "left_behind": listings.left_behind(player=player) if player else [],
        "race_form": RaceForm(player, visitors.chosen_name(request), auto_id="race-%s"),
        "alone_form": alone_form or AloneForm(auto_id="alone-%s"),
        "join_form": join_form or JoinForm(auto_id="join-%s"),
        "races": listings.open_races(),
        "best": [(row, row.game.race.watchable) for row in listings.best_today()],
        "remaining": daily.remaining(),
    }
    return render(request, "games/home.html", context, status=status)
