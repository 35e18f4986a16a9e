"""/deals/<code>/: a deal, who played it best, and the ways to play it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Deal, Game, Player, Race
from games.services import daily, deals, histories, leaderboards
from games.services.denied import Denied
from games.web import boards, errors, listings
from games.web.pages import page, player_of
from games.web.tags import result_time


@page
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """Show a deal, one of its boards (?by, ?games, ?period, ?page) and everyone's replays
    (?replays, a page of them); looking stores nothing."""
    try:
        read = deals.read_code(code)
        found = deals.find(code=read)
    except Denied:
        return _unknown(request, code)
    if code != str(read):
        return redirect("deal", code=str(read))
    reader = player_of(request)
    view = boards.view_of(
        request, address=reverse("deal", args=[found.code]), deal=found, reader=reader
    )
    empty = (
        _("Nobody has won this deal yet. Play it, and the first line is yours.")
        if found.revealed
        else _("Nobody has won this deal yet. Come back when the race is over.")
    )

    def rest() -> dict[str, Any]:
        replays = boards.number_of(request, "replays")
        return {**_about(found, reader), "history": histories.of_deal(deal=found, page=replays)}

    return boards.show(request, "games/deal.html", {"view": view, "empty": empty}, rest)


def _about(deal: Deal, reader: Player | None) -> dict[str, Any]:
    seed = deal.seed if deal.seed and deals.may_see_layout(deal=deal, player=reader) else None
    return {
        "deal": deal,
        "day": daily.of_deal(deal=deal) if deal.commitment else None,
        "redeals": deal.redeals,
        "unfinished": _unfinished_race(deal, reader),
        "races": listings.open_races(deal=deal) if deal.pk else (),
        "best": _best(deal),
        "seed": bytes(seed).hex() if seed else None,
    }


def _best(deal: Deal) -> list[tuple[str, str, Game]]:
    """Name the best lines so far, where everybody may watch them: the fastest, and the shortest."""
    fast = leaderboards.of_deal(deal=deal, by="time", reader=None, limit=1).rows
    short = leaderboards.of_deal(deal=deal, by="moves", reader=None, limit=1).rows
    told = [(_("Fastest"), result_time(row.game.finished_ms or 0), row.game) for row in fast]
    told += [(_("Fewest moves"), str(row.game.moves), row.game) for row in short]
    return [one for one in told if one[2].race.watchable]


@page
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """Go to the comparison of the two games (?game, twice) that were chosen on a deal's page."""
    chosen = [game for game in request.GET.getlist("game") if game.isascii() and game.isdecimal()]
    if len(chosen) == 2 and all(len(game) < 19 for game in chosen):
        return redirect("compare", game=int(chosen[0]), other=int(chosen[1]))
    return errors.problem(
        request,
        status=400,
        title=_("Choose two games"),
        text=_("Go back to the page of the deal and tick two of its games to compare."),
    )


def _unknown(request: HttpRequest, code: str) -> HttpResponse:
    sealed = _reads_as_sealed(code)
    text = (
        _(
            "No sealed deal of this code was ever given out. Codes of sealed deals can’t be made "
            "up: open a race, and it gets a new one."
        )
        if sealed
        else _(
            "A deal code is CR1, the letter N, F or S, and seven letters from A to Z: "
            "CR1-N-AAAAAAB. Check it and try again."
        )
    )
    return errors.problem(request, status=404, title=_("No such deal"), text=text)


def _reads_as_sealed(code: str) -> bool:
    try:
        return deals.read_code(code).sealed
    except Denied:
        return False


def _unfinished_race(deal: Deal, reader: Player | None) -> Race | None:
    """Return the race in which this reader is still at a game on these cards."""
    if reader is None or not deals.is_playing(deal=deal, player=reader):
        return None
    alike = deals.read_code(deal.code).alike
    return (
        Race.objects.filter(
            deal__code__in=alike,
            closed_at=None,
            starts_at__isnull=False,
            games__player=reader,
            games__outcome=None,
            games__removed_at=None,
        )
        .order_by("-starts_at")
        .first()
    )
