"""/healthz: the process is up. /readyz: its stores answer, so it can take players."""

import logging
from collections.abc import Callable

import psycopg
import redis
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse

from games.api import json

logger = logging.getLogger(__name__)

PATIENCE_S = 2


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200; nothing is asked of the stores."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 where every store answers within two seconds, else 503; say which."""
    checks: dict[str, Callable[[], None]] = {"database": _ask_database}
    if settings.REDIS_URL:
        checks["redis"] = _ask_redis
    found = {name: _answers(name, check) for name, check in checks.items()}
    words = {name: "ok" if well else "failed" for name, well in found.items()}
    return json.answer(words, status=200 if all(found.values()) else 503)


def _answers(name: str, check: Callable[[], None]) -> bool:
    try:
        check()
    except (Error, psycopg.Error, OSError, redis.RedisError) as error:
        logger.warning("not ready: the %s doesn't answer: %s", name, error)
        return False
    return True


def _ask_database() -> None:
    if connection.vendor == "postgresql":
        # A connection of its own: waiting for one of the pool's would tell of the pool.
        parameters = {**connection.get_connection_params(), "connect_timeout": PATIENCE_S}
        with psycopg.connect(**parameters) as asked:
            asked.execute("SELECT 1")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_redis() -> None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S
    )
    with client:
        client.ping()
