"""/daily/: the deal of the day, its board, and those of the days before."""

import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games import clock
from games.models import Day, Player
from games.services import daily, periods
from games.web import boards, errors, visitors
from games.web.pages import page, player_of


@page
def today(request: HttpRequest) -> HttpResponse:
    """Show today's deal, with the count-down to the next; a POST begins or goes on with the
    reader's counted game."""
    if request.method == "POST":
        race = daily.play(player=visitors.somebody(request))
        return redirect("race", code=race.code)
    return _show(request, daily.today())


@page
def on(request: HttpRequest, date: str) -> HttpResponse:
    """Show the deal of a day."""
    try:
        read = datetime.date.fromisoformat(date)
    except ValueError:
        read = datetime.date.min
    if read.isoformat() != date:
        read = datetime.date.min
    if read == periods.date_of(periods.today()):
        return _show(request, daily.today())
    day = daily.find(date=read)
    if day is None:
        text = _(
            "No deal was dealt for this day: nobody was here to ask for it, or the day is still to "
            "come."
        )
        return errors.problem(request, status=404, title=_("No deal for this day"), text=text)
    return _show(request, day)


def remaining() -> dict[str, Any]:
    """Give what counts down to the next deal: its moment (Unix ms), hours and minutes left."""
    until = periods.starts_at(periods.today() + 1)
    minutes = -(-(until - clock.now_ms()) // 60_000)
    return {"until": until, "hours": minutes // 60, "minutes": minutes % 60}


def _show(request: HttpRequest, day: Day) -> HttpResponse:
    reader = player_of(request)
    view = boards.view_of(
        request,
        address=reverse("day", args=[day.date.isoformat()]),
        reader=reader,
        day=day.date.isoformat(),
    )
    is_today = day.date == periods.date_of(periods.today())
    board = {"view": view, "one_day": True, "empty": _empty(is_today=is_today)}

    def rest() -> dict[str, Any]:
        return {**_about(day, reader), "is_today": is_today, "remaining": remaining()}

    return boards.show(request, "games/daily.html", board, rest)


def _about(day: Day, reader: Player | None) -> dict[str, Any]:
    days = daily.archive(before=day.date)
    results = daily.results_of(days=days, player=reader)
    return {
        "day": day,
        "deal": day.deal,
        "game": daily.attempt_of(day=day, player=reader),
        "streak": daily.streak_of(player=reader) if reader else daily.Streak(),
        "archive": [(one, results.get(one.date)) for one in days],
    }


def _empty(*, is_today: bool) -> str:
    if is_today:
        return _("Nobody has won today’s deal so far. Play it, and the first line is yours.")
    return _("Nobody won this day’s deal on its day.")
