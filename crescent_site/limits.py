"""Limits an address has: how often it may open races, take seats, become a guest and sign in."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.api import json
from games.services import accounts, limits
from games.services.denied import Denied
from games.web import errors

GUEST, RACE, SEAT = limits.Kind.GUEST, limits.Kind.RACE, limits.Kind.SEAT
SIGN_IN = limits.Kind.SIGN_IN
ADMIN_LOGIN = "admin/login/"
ROUTES: dict[str, tuple[limits.Kind, ...]] = {
    "api/guest": (GUEST,),
    "api/races": (RACE,),
    "api/races/<str:code>/seat": (SEAT,),
    "races/": (RACE,),
    "alone/": (RACE,),
    "races/<str:code>/": (SEAT,),
    "account/": (SIGN_IN,),
    "account/sign-in/": (SIGN_IN,),
    "account/password/": (SIGN_IN,),
    ADMIN_LOGIN: (SIGN_IN,),
}
"""What a POST to an address counts as; a visitor's that makes something counts as a new guest as
well."""


class AddressLimits:
    """Middleware: answers 429 where an address asks too often, or a host has too many races."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass a request on."""
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Count a request that makes something, before its view is called."""
        route = request.resolver_match.route if request.resolver_match else ""
        kinds = ROUTES.get(route) if request.method == "POST" else None
        if kinds is None or not settings.LIMITS:
            return None
        host = request.user.pk
        try:
            for kind in {*kinds, *((GUEST,) if host is None and SIGN_IN not in kinds else ())}:
                limits.check_rate(kind=kind, by=address_of(request))
            if route == ADMIN_LOGIN:  # Django's own view, so the name is counted here
                accounts.check_attempt(typed=request.POST.get("username", ""))
            if RACE in kinds and host is not None:
                limits.check_open_races(host_id=host)
        except Denied as denied:
            if request.path.startswith("/api/"):
                return json.refuse(denied)
            return errors.refused(request, denied)
        return None


def address_of(request: HttpRequest) -> str:
    """Return the address a request came from: what a trusted proxy says, else the connection's.

    Of IPv6 the first half: a household has all of the second.
    """
    told = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    address = str(request.META.get("REMOTE_ADDR") or "")
    while _is_proxy(address) and told and told[-1]:
        address = told.pop()
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


def _is_proxy(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.PROXIES)
