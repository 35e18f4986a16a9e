"""/players/<id>/: what a player has played and won."""

from dataclasses import dataclass
from itertools import pairwise

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.models import Game
from games.services import profiles
from games.web.boards import number_of
from games.web.pages import page, player_of, render


@dataclass(frozen=True, slots=True)
class Dot:
    """A win on the chart: where it is drawn, in hundredths of its width from the left and of its
    height from the top."""

    game: Game
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The times of the latest wins, the earliest first; `best` and `worst` in ms."""

    dots: tuple[Dot, ...]
    best: int
    worst: int

    @property
    def steps(self) -> list[tuple[Dot, Dot]]:
        """The lines from each win to the next."""
        return list(pairwise(self.dots))


@page
def profile(request: HttpRequest, player: int) -> HttpResponse:
    """Show a player's page, or that it is private; its owner's POST says which it is."""
    found, reader = profiles.find(player_id=player), player_of(request)
    is_own = reader is not None and reader.pk == found.pk
    if request.method == "POST":
        if is_own:
            profiles.set_private(player=found, private=request.POST.get("private") == "yes")
        return redirect("player", player=player)
    context: dict[str, object] = {"player": found, "is_own": is_own}
    if profiles.is_open_to(player=found, reader=reader):
        read = profiles.of_player(player=found, page=number_of(request, "page"))
        context |= {
            "profile": read,
            "chart": _chart(read.wins),
            "before": read.page - 1,
            "after": read.page + 1 if read.page < read.pages else 0,
        }
    return render(request, "games/player.html", context)


def _chart(wins: tuple[Game, ...]) -> Chart | None:
    """Lay the chart out, quick wins low; None for fewer than two, which are no line."""
    times = [game.finished_ms or 0 for game in wins]
    if len(times) < 2:
        return None
    best, worst = min(times), max(times)
    reach = max(1, worst - best)
    dots = (
        Dot(game, round(100 * place / (len(wins) - 1), 2), round(100 * (worst - ms) / reach, 2))
        for place, (game, ms) in enumerate(zip(wins, times, strict=True))
    )
    return Chart(tuple(dots), best, worst)
