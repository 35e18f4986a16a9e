"""Who a socket's session is, and whether its page may open a socket here."""

from importlib import import_module
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from games.models import Player
from games.services import sessions

Headers = list[tuple[bytes, bytes]]


def header(headers: Headers, name: bytes) -> str | None:
    """Return a header's value, the first where there are several."""
    return next((value.decode("latin-1") for key, value in headers if key == name), None)


def same_origin(headers: Headers) -> bool:
    """Tell whether Origin is the Host the socket came to, or listed in SOCKET_ORIGINS.

    ALLOWED_HOSTS can't tell this where it allows every host. A missing Origin is not trusted.
    """
    origin, host = header(headers, b"origin"), header(headers, b"host")
    if origin is None or host is None:
        return False
    if origin in settings.SOCKET_ORIGINS:
        return True
    parts = urlsplit(origin)
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()


def visitor_of(headers: Headers) -> tuple[Player | None, str]:
    """Return the player the session cookie belongs to, None for a visitor, and the mark of the
    session. Reads the database."""
    cookies = parse_cookie(header(headers, b"cookie") or "")
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key or not key.isalnum():  # none that Django gave out, and not every database takes it
        return None, ""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return (user, sessions.mark_of(request.session)) if isinstance(user, Player) else (None, "")
