"""Limits: how often an address may make something, and how many open races a host may have."""

import logging
from enum import StrEnum

from django.conf import settings
from django.core.cache import cache

from games import clock
from games.models import Race
from games.services.denied import Denial, Denied

logger = logging.getLogger(__name__)


class Kind(StrEnum):
    """What is counted by address; the setting of its rate is called after it."""

    GUEST = "guests"
    RACE = "races"
    SEAT = "seats"


def check_rate(*, kind: Kind, address: str) -> None:
    """Count one more of a kind from an address, in windows of the length that its setting has.

    A cache that doesn't answer lets everybody through: a limit must not stop the game.

    :raises Denied: too_fast, once the setting ADDRESS_RATES[kind] (count, seconds) is used up.
    """
    count, seconds = settings.ADDRESS_RATES[kind]
    key = f"rate:{kind}:{address}:{clock.now_ms() // (seconds * 1000)}"
    try:
        cache.add(key, 0, timeout=seconds)
        asked = cache.incr(key)
    except Exception as error:  # each cache has its own, and none of them is the player's fault
        logger.warning("the cache fails, so an address is not counted: %s", error)
        return
    if asked > count:
        logger.info("an address has used up its %s", kind, extra={"address": address})
        detail = f"Too many {kind} from your address: at most {count} in {seconds} seconds."
        raise Denied(Denial.TOO_FAST, detail)


def check_open_races(*, host_id: int) -> None:
    """Refuse a host who has too many races that are not over (setting OPEN_RACES).

    :raises Denied: too_fast.
    """
    if Race.objects.filter(host_id=host_id, closed_at=None).count() >= settings.OPEN_RACES:
        detail = f"You are host of {settings.OPEN_RACES} open races: finish or leave one first."
        raise Denied(Denial.TOO_FAST, detail)
