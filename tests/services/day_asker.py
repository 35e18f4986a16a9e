"""A process of the site that asks for the deals of many days, at the same instants as another."""

import os
from collections.abc import Callable
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import TypeVar
from unittest import mock

import django

PATIENCE_S = 60
_T = TypeVar("_T")

Told = tuple[str, str]
"""A date and the code of its deal; or the name of an error and what it says."""


def ask(url: str, moments: list[int], barrier: Barrier, queue: "Queue[list[Told]]") -> None:
    """Ask for the day's deal at each of these moments (Unix ms) of its own clock, on the database
    at `url`. Both processes find that there is none: who makes one waits until the other does."""
    os.environ |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "crescent_site.settings"}
    django.setup()
    from games import clock
    from games.services import daily, deals

    def together(make: Callable[[], _T]) -> _T:
        barrier.wait(PATIENCE_S)
        return make()

    told: list[Told] = []
    seal = deals.seal
    with mock.patch.object(deals, "seal", side_effect=lambda: together(seal)):
        for moment in moments:
            with mock.patch.object(clock, "now_ms", lambda moment=moment: moment):
                try:
                    day = together(daily.today)
                    told.append((day.date.isoformat(), day.deal.code))
                except Exception as error:
                    told.append((type(error).__name__, str(error)))
    queue.put(told)
