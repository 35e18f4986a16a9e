"""Limits: how often an address may make something, how often a password may be tried on a name,
and how many open races a host may have."""

import logging
from enum import StrEnum
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache

from games import clock
from games.models import Race
from games.services.denied import Denial, Denied

logger = logging.getLogger(__name__)


class Kind(StrEnum):
    """What is counted, by address but for the last; the setting of its rate is called after it."""

    GUEST = "guests"
    RACE = "races"
    SEAT = "seats"
    SIGN_IN = "sign_ins"
    PASSWORD = "passwords"  # noqa: S105 -- what is tried on one name


def check_rate(*, kind: Kind, by: str) -> None:
    """Count one more of a kind by an address or on a name, in windows of the length that its
    setting has.

    A cache that doesn't answer lets everybody through: a limit must not stop the game.

    :raises Denied: too_fast, once the setting RATES[kind] (count, seconds) is used up.
    """
    if not settings.LIMITS:
        return
    count, seconds = settings.RATES[kind]
    who = sha256(by.encode()).hexdigest()  # a name may hold what a cache takes in no key
    key = f"rate:{kind}:{who}:{clock.now_ms() // (seconds * 1000)}"
    try:
        cache.add(key, 0, timeout=seconds)
        asked = cache.incr(key)
    except Exception as error:  # each cache has its own, and none of them is the player's fault
        logger.warning("the cache fails, so %s are not counted: %s", kind, error)
        return
    if asked > count:
        named = kind is Kind.PASSWORD
        logger.info("the %s are used up", kind, extra={} if named else {"address": by})
        what = f"{kind} for this name" if named else f"{kind} from your address"
        detail = f"Too many {what}: at most {count} in {seconds} seconds."
        raise Denied(Denial.TOO_FAST, detail)


def check_open_races(*, host_id: int) -> None:
    """Refuse a host who has too many races that are not over (setting OPEN_RACES); with limits off
    nobody has.

    :raises Denied: too_many_races.
    """
    if not settings.LIMITS:
        return
    if Race.objects.filter(host_id=host_id, closed_at=None).count() >= settings.OPEN_RACES:
        detail = f"You are host of {settings.OPEN_RACES} open races: finish or leave one first."
        raise Denied(Denial.TOO_MANY_RACES, detail)
