"""What every page has in common: its cookie, its cache rule, its answer to a refusal."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django import shortcuts
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import ensure_csrf_cookie

from games.models import Player
from games.services.denied import Denied
from games.web import errors

_P = ParamSpec("_P")
_View = Callable[Concatenate[HttpRequest, _P], HttpResponse]


def page(view: _View[_P]) -> _View[_P]:
    """Make a page of a view: it sets the CSRF cookie, asks the browser to check back before it
    shows a kept copy, and a Denied becomes a page that gives the reason."""

    @wraps(view)
    def shown(request: HttpRequest, /, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Denied as denied:
            return errors.refused(request, denied)

    kept: _View[_P] = cache_control(private=True, no_cache=True)(shown)
    return ensure_csrf_cookie(kept)


def render(
    request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """Render a page that has an address of its own."""
    address = request.build_absolute_uri(request.path)
    return shortcuts.render(request, template, {"address": address, **context}, status=status)


def player_of(request: HttpRequest) -> Player | None:
    """Return who the session belongs to, None for a visitor."""
    return request.user if isinstance(request.user, Player) else None
