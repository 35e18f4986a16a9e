"""/join/: finds the page that a link or a code means."""

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.models import Race
from games.services import deals
from games.services.denied import Denied
from games.services.races import CODE_LENGTH
from games.web import home
from games.web.forms import JoinForm
from games.web.pages import page

_PATH = re.compile(r"/(races|deals|games)/([^/]+)")


@page
def join(request: HttpRequest) -> HttpResponse:
    """Go where the link or the code leads, or say what is wrong with it."""
    form = JoinForm(request.GET)
    if not form.is_valid():
        return redirect("home")
    typed: str = form.cleaned_data["code"].strip()
    kind, code = _read(typed)
    if kind == "games" and code.isdecimal():
        return redirect("game", game=int(code))
    if kind in {"deals", ""}:
        try:
            return redirect("deal", code=str(deals.read_code(code)))
        except Denied:
            pass
    race = "".join(character for character in code if character.isalnum()).upper()
    if kind in {"races", ""} and Race.objects.filter(code=race).exists():
        return redirect("race", code=race)
    form.add_error("code", _explain(kind, race))
    return home.show(request, join_form=form, status=404)


def _read(typed: str) -> tuple[str, str]:
    """Split what was typed into what kind of page it names, "" where it doesn't say, and a code."""
    found = _PATH.search(re.split("[?#]", typed)[0])
    return (found[1], found[2]) if found else ("", typed)


def _explain(kind: str, code: str) -> str:
    if kind == "races" or (kind == "" and code.isascii() and len(code) == CODE_LENGTH):
        return _(
            "There is no race %(code)s here. Ask for the link again, or open a race yourself."
        ) % {"code": code}
    return _(
        "This is neither a race link nor a code. A race code has %(length)d letters and digits, "
        "a deal code looks like CR1-N-AAAAAAB."
    ) % {"length": CODE_LENGTH}
