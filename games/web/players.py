"""/players/<id>/: what a player has played and won."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.services import profiles
from games.web.pages import page, player_of, render

_WIDE, _HIGH = 600, 120
"""The chart's own units."""


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
        number = request.GET.get("page", "1")
        asked = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 1
        read = profiles.of_player(player=found, page=asked)
        context |= {
            "profile": read,
            "line": _line(read.times_ms),
            "best_ms": min(read.times_ms, default=0),
            "worst_ms": max(read.times_ms, default=0),
            "before": read.page - 1,
            "after": read.page + 1 if read.page < read.pages else 0,
        }
    return render(request, "games/player.html", context)


def _line(times_ms: tuple[int, ...]) -> str:
    """Write the points of a line through the times, quick ones low; "" for fewer than two."""
    if len(times_ms) < 2:
        return ""
    low, high = min(times_ms), max(times_ms)
    step = _WIDE / (len(times_ms) - 1)
    reach = max(1, high - low)
    return " ".join(
        f"{place * step:.1f},{_HIGH - _HIGH * (ms - low) / reach:.1f}"
        for place, ms in enumerate(times_ms)
    )
