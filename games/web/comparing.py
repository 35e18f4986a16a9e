"""/games/<id>/compare/<id>/: where two games of a deal part, and where time was lost."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.engine.actions import ACTIONS
from games.models import Game
from games.services import comparing
from games.services.comparing import Common, Comparison
from games.services.denied import Denial, Denied
from games.web import errors
from games.web.pages import page, player_of, render
from games.web.tags import result_time

SHOWN = 12
"""Stretches with the most time lost that are listed."""


@page
def compare(request: HttpRequest, game: int, other: int) -> HttpResponse:
    """Show where two games part and where time was lost, or that they are of different deals.

    :raises Denied: not_found, deal_closed.
    """
    try:
        found = comparing.of_games(game_id=game, other_id=other, reader=player_of(request))
    except Denied as denied:
        if denied.reason != Denial.BAD_OPTION:
            raise
        title = _("Two different deals")
        text = _("Games can be compared when the same cards were dealt to both.")
        return errors.problem(request, status=400, title=title, text=text)
    first, second = (one.game for one in found.games)
    losses = found.losses[:SHOWN]
    context = {
        "deal": found.games[0].deal,
        "first": first,
        "second": second,
        "names": _names(first, second),
        "parted": found.parted,
        "sides": _sides(found),
        "losses": [_row(one, found, losses[0]) for one in sorted(losses, key=lambda it: it.seqs)],
        "shared": len(found.common) - 1,
    }
    return render(request, "games/compare.html", context)


def said(code: str) -> str:
    """Write where an action leads from and to."""
    action = ACTIONS[code]
    if action.kind == "redeal":
        return _("Redeal")
    if action.kind == "undo":
        return _("Undo")
    ends = (_("down foundation"), _("up foundation"))
    if action.kind == "foundation_to_foundation":
        return f"{ends[not action.upward]} → {ends[action.upward]}"
    source = _pile(action.source)
    target = ends[action.upward] if action.kind == "pile_to_foundation" else _pile(action.target)
    return f"{source} → {target}"


def _pile(index: int) -> str:
    return _("pile %(number)s") % {"number": index + 1}


def _names(first: Game, second: Game) -> tuple[str, str]:
    """Return what the two games are called: the names of their players, told apart by the results
    where they are the same."""
    names = (first.player.name, second.player.name)
    if names[0] != names[1]:
        return names
    return (f"{names[0]} ({result_of(first)})", f"{names[1]} ({result_of(second)})")


def result_of(game: Game) -> str:
    """Write a finished game's time, or where it wasn't won the cards home."""
    return result_time(game.finished_ms or 0) if game.outcome == "won" else f"{game.home} / 104"


def _sides(found: Comparison) -> list[dict[str, Any]]:
    names = _names(*(one.game for one in found.games))
    return [
        {
            "name": name,
            "game": replay.game,
            "next": following,
            "said": said(following.code) if following else "",
        }
        for name, replay, following in zip(names, found.games, found.nexts, strict=True)
    ]


def _row(one: Common, found: Comparison, largest: Common) -> dict[str, Any]:
    """Tell of a stretch who lost how much in it, and between which moments of each game."""
    names = _names(*(each.game for each in found.games))
    place = found.common.index(one)
    before = found.common[place - 1].ats if place else (0, 0)
    return {
        "loser": names[one.lost < 0],
        "second": one.lost < 0,
        "ms": abs(one.lost),
        "share": max(1, round(100 * abs(one.lost) / abs(largest.lost))),
        "spans": [
            {"name": name, "game": replay.game.pk, "from": start, "to": end}
            for name, replay, start, end in zip(names, found.games, before, one.ats, strict=True)
        ],
    }
