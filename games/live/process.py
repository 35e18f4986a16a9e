"""What this process keeps live, made when its server starts or the first request comes."""

import asyncio
import logging

import psycopg
from django.db import connection

from games import clock, meters
from games.live.hubs import Hubs

logger = logging.getLogger(__name__)

_starting: dict[asyncio.AbstractEventLoop, asyncio.Task[Hubs]] = {}


async def hubs() -> Hubs:
    """Return the hubs of the running event loop, started."""
    loop = asyncio.get_running_loop()
    if loop not in _starting:
        _starting[loop] = loop.create_task(_start())
    return await asyncio.shield(_starting[loop])


async def _start() -> Hubs:
    made = Hubs()
    try:
        wall_ms = await made.database.run(_database_ms)
    except psycopg.Error as error:
        logger.warning("the database doesn't tell the time, so this machine does: %s", error)
    else:
        if wall_ms is not None:
            clock.set_wall_ms(wall_ms)
    await made.start()
    meters.sockets.read = lambda: len(made.doors.sockets)
    meters.races_live.read = lambda: made.live
    meters.queued.read = lambda: made.desk.journal.queued
    return made


def _database_ms() -> int | None:
    """Ask PostgreSQL for the time, which all processes share; SQLite has only this machine's."""
    if connection.vendor != "postgresql":
        return None
    with psycopg.connect(**{**connection.get_connection_params(), "connect_timeout": 2}) as asked:
        row = asked.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchone()
    assert row is not None
    return int(row[0])
