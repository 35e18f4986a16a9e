"""What a reader is told when something went wrong: a page in the site's look, JSON under /api/."""

import logging

from django import shortcuts
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from games.services.denied import Denial, Denied
from games.web.reasons import TEXTS

logger = logging.getLogger(__name__)

_STATUS = {
    Denial.NOT_FOUND: 404,
    Denial.BAD_DEAL: 404,
    Denial.TOO_FAST: 429,
    Denial.TOO_MANY_RACES: 429,
    Denial.UNAVAILABLE: 503,
    Denial.BAD_MESSAGE: 400,
    Denial.BAD_NAME: 400,
    Denial.BAD_OPTION: 400,
}


def problem(request: HttpRequest, *, status: int, title: str, text: str) -> HttpResponse:
    """Render a page that says what happened (title) and what to do (text)."""
    context = {"title": title, "text": text, "status": status}
    return shortcuts.render(request, "games/problem.html", context, status=status)


def refused(request: HttpRequest, denied: Denied) -> HttpResponse:
    """Render a refusal of the services; 403 where nothing else fits."""
    status = _STATUS.get(denied.reason, 403)
    title = _("Not found") if status == 404 else _("Not possible right now")
    return problem(request, status=status, title=title, text=str(TEXTS[denied.reason]))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400: the request can't be read; 413: it is larger than what is read."""
    if isinstance(exception, RequestDataTooBig):
        return _too_large(request)
    if _wants_json(request):
        return _json(400, Denial.BAD_MESSAGE, "The request can't be read.")
    text = _("The server couldn’t make sense of this request. Go back to the start page.")
    return problem(request, status=400, title=_("Bad request"), text=text)


def _too_large(request: HttpRequest) -> HttpResponse:
    if _wants_json(request):
        detail = f"A request has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes."
        return _json(413, Denial.BAD_MESSAGE, detail)
    text = _("What you sent is longer than anything this site asks for. Shorten it and try again.")
    return problem(request, status=413, title=_("Too long"), text=text)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403: not for this reader."""
    if _wants_json(request):
        return _json(403, Denial.SIGN_IN, "This isn't yours to see.")
    text = _("This page is not open to you. Go back to the start page.")
    return problem(request, status=403, title=_("Not allowed"), text=text)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: there is nothing at this address."""
    if _wants_json(request):
        return _json(404, Denial.NOT_FOUND, "There is nothing at this address.")
    text = str(TEXTS[Denial.NOT_FOUND])
    return problem(request, status=404, title=_("Page not found"), text=text)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403: the form came without the token that the page was given."""
    if _wants_json(request):
        detail = "The CSRF token is missing or out of date: reload the page."
        return _json(403, Denial.BAD_MESSAGE, detail)
    text = _(
        "The page you sent this from was too old, or your browser keeps no cookies. "
        "Reload the page, allow cookies for this site and try again."
    )
    return problem(request, status=403, title=_("Please send it again"), text=text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500. The page is rendered without the request, whose session or user may be what
    failed, and a bare one stands by in case the templates did."""
    if _wants_json(request):
        return _json(500, Denial.UNAVAILABLE, "The server failed. Try again in a minute.")
    title = _("Something broke here")
    text = _(
        "The server failed at this and has written down why. Try again in a minute; "
        "a running race goes on, and nothing you have played is lost."
    )
    context = {"title": title, "text": text, "status": 500}
    try:
        body: str = render_to_string("games/problem.html", context)
    except Exception:
        logger.exception("the error page itself failed")
        body = f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1><p>{text}"
    return HttpResponse(body, status=500)


def _wants_json(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _json(status: int, reason: Denial, detail: str) -> HttpResponse:
    response = JsonResponse({"reason": reason, "detail": detail}, status=status)
    patch_cache_control(response, no_store=True)
    return response
