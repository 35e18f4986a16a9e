"""/games/<id>/compare/<id>/: two games of a deal side by side."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.engine.actions import ACTIONS
from games.services import comparing
from games.services.comparing import Common, Comparison, Next
from games.web.pages import page, player_of, render

SHOWN = 12
"""Stretches with the most time lost that are listed."""

_SUITS = "♠♥♦♣"


@page
def compare(request: HttpRequest, game: int, other: int) -> HttpResponse:
    """Show where two games part and where time was lost.

    :raises Denied: not_found, bad_option, deal_closed.
    """
    found = comparing.of_games(game_id=game, other_id=other, reader=player_of(request))
    first, second = found.games
    losses = sorted(found.losses[:SHOWN], key=lambda one: one.seqs)
    context = {
        "deal": first.deal,
        "first": first.game,
        "second": second.game,
        "parted": found.parted,
        "nexts": [
            _told(one, each.game) for one, each in zip(found.nexts, found.games, strict=True)
        ],
        "losses": [_row(one, found) for one in losses],
        "shared": len(found.common) - 1,
    }
    return render(request, "games/compare.html", context)


def said(code: str) -> str:
    """Write an action for a person: piles by number, foundations as arrows."""
    action = ACTIONS[code]
    if action.kind == "redeal":
        return _("Redeal")
    if action.kind == "undo":
        return _("Undo")
    end = "↑" if action.upward else "↓"
    if action.kind == "pile_to_pile":
        return f"{action.source + 1} → {action.target + 1}"
    if action.kind == "pile_to_foundation":
        return f"{action.source + 1} → {end}"
    return f"{_SUITS[action.suit]} → {end}"


def _told(one: Next | None, game: Any) -> dict[str, Any]:
    return {"game": game, "next": one, "said": said(one.code) if one else ""}


def _row(one: Common, found: Comparison) -> dict[str, Any]:
    place = found.common.index(one)
    before = found.common[place - 1] if place else one
    return {"before": before, "after": one, "lost": one.lost, "ms": abs(one.lost)}
