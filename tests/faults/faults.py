"""The faults: each hurts a town for a moment and heals it again."""

import asyncio
import resource
import signal

from tests.faults.town import Fault, Town

PAUSE_S = 1.5


async def nothing(town: Town) -> None:
    """Leave the town alone."""


async def kill_a_process(town: Town) -> None:
    """SIGKILL one of the two, start it again."""
    server = town.chance.choice(town.servers)
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(PAUSE_S)
    await asyncio.to_thread(server.start)


async def drain_a_process(town: Town) -> None:
    """SIGTERM for one of the two, start it again."""
    server = town.chance.choice(town.servers)
    process = server._process
    assert process is not None
    process.send_signal(signal.SIGTERM)
    status = await asyncio.to_thread(process.wait, 15)
    assert status == 0, f"drained with {status}"
    await asyncio.to_thread(server.start)


async def restart_postgres(town: Town) -> None:
    """Stop PostgreSQL, start it again."""
    await asyncio.to_thread(town.postgres.stop)
    await asyncio.sleep(PAUSE_S)
    await asyncio.to_thread(town.postgres.start)


async def crash_postgres(town: Town) -> None:
    """Let PostgreSQL crash and recover."""
    await asyncio.to_thread(town.postgres.stop, "immediate")
    await asyncio.to_thread(town.postgres.start)


async def restart_redis(town: Town) -> None:
    """Kill Redis, start an empty one."""
    await asyncio.to_thread(town.redis.stop)
    await asyncio.sleep(PAUSE_S)
    await asyncio.to_thread(town.redis.start)


async def make_postgres_read_only(town: Town) -> None:
    """Let the database take no writes for a while."""
    await asyncio.to_thread(
        town.postgres.sql,
        "ALTER SYSTEM SET default_transaction_read_only = on",
        "SELECT pg_reload_conf()",
    )
    await asyncio.sleep(PAUSE_S)
    await asyncio.to_thread(
        town.postgres.sql,
        "SET default_transaction_read_only = off",
        "ALTER SYSTEM RESET default_transaction_read_only",
        "SELECT pg_reload_conf()",
    )


async def step_a_clock(town: Town) -> None:
    """Set the clock of one process's machine two hours back."""
    town.clock.write_text("-3600")
    await asyncio.sleep(PAUSE_S)
    town.clock.write_text("3600")


async def fill_the_disk(town: Town) -> None:
    """Let no file of the process grow, or be written to at all, as on a full disk."""
    pid = town.servers[0].pid
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, unlimited[1]))
    await asyncio.sleep(PAUSE_S)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)


FAULTS: dict[str, tuple[Fault, dict[str, float]]] = {
    "nothing": (nothing, {}),
    "SIGKILL of a process": (kill_a_process, {}),
    "SIGTERM, drained": (drain_a_process, {}),
    "PostgreSQL stopped and started": (restart_postgres, {}),
    "PostgreSQL crashed": (crash_postgres, {}),
    "Redis killed and started": (restart_redis, {}),
    "database read-only": (make_postgres_read_only, {}),
    "clock stepping two hours": (step_a_clock, {}),
    "racers change processes": (nothing, {"hop_s": 2}),
    "every player twice": (nothing, {"twins": True}),
}
"""By name: what is done to the town, and how its races are raced."""
