"""JSON in and out: bodies checked against a struct, refusals as {"reason", "detail"}."""

import logging
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from games.models import Player
from games.services.denied import Denial, Denied

logger = logging.getLogger(__name__)

_Body = TypeVar("_Body")

STATUS = {
    Denial.NOT_FOUND: 404,
    Denial.NOT_A_RACER: 403,
    Denial.NOT_STARTED: 409,
    Denial.NOT_HOST: 403,
    Denial.RACE_STARTED: 409,
    Denial.RACE_FULL: 409,
    Denial.RACE_CLOSED: 409,
    Denial.DEAL_CLOSED: 403,
    Denial.REMOVED: 403,
    Denial.TOO_FAST: 429,
    Denial.TOO_MANY_RACES: 429,
    Denial.BAD_MESSAGE: 400,
    Denial.BAD_NAME: 400,
    Denial.NAME_TAKEN: 409,
    Denial.BAD_DEAL: 400,
    Denial.BAD_OPTION: 400,
    Denial.STILL_PLAYING: 409,
    Denial.SIGN_IN: 403,
    Denial.UNAVAILABLE: 429,
}


def answer(value: Any, status: int = 200) -> HttpResponse:
    """Write a value as JSON; nothing between here and the reader may keep it."""
    response = HttpResponse(
        msgspec.json.encode(value), content_type="application/json", status=status
    )
    patch_cache_control(response, no_store=True)
    return response


def refuse(denied: Denied, status: int | None = None) -> HttpResponse:
    """Write a refusal."""
    body = {"reason": denied.reason, "detail": denied.detail}
    return answer(body, STATUS[denied.reason] if status is None else status)


def read(request: HttpRequest, shape: type[_Body], reason: Denial) -> _Body:
    """Read the request's body as `shape`.

    :raises Denied: `reason`, where it is anything else.
    """
    try:
        return msgspec.json.decode(request.body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied(reason, f"{error}.") from None


def read_query(request: HttpRequest, shape: type[_Body]) -> _Body:
    """Read the request's query as `shape`; what else it has is no concern of ours.

    :raises Denied: bad_option, where a value is none of those that it may be.
    """
    try:
        return msgspec.convert(request.GET.dict(), shape, strict=False)
    except msgspec.ValidationError as error:
        raise Denied(Denial.BAD_OPTION, f"{error}.") from None


def player_of(request: HttpRequest) -> Player | None:
    """Return who the session belongs to, None for a visitor."""
    return request.user if isinstance(request.user, Player) else None


def signed_in(request: HttpRequest) -> Player:
    """Return who the session belongs to.

    :raises Denied: sign_in, for a visitor.
    """
    player = player_of(request)
    if player is None:
        raise Denied(Denial.SIGN_IN, "Give yourself a name first.")
    return player
