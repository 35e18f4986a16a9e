"""The faults: each hurts a town for a moment and heals it again."""

import asyncio
import contextlib
import resource
import signal
import time

from tests.faults.town import Fault, Town
from tests.faults.wire import BareSocket

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


async def deafen_watchers(town: Town) -> None:
    """Let somebody in each race say at both processes that they have heard little, and read no
    more: each is closed with 4408."""
    codes = await asyncio.gather(
        *(
            asyncio.to_thread(_be_deaf, server.origin, code)
            for server in town.servers
            for code in town.codes[:2]
        )
    )
    assert set(codes) == {4408}, f"who doesn't read was closed with {codes}"


def _be_deaf(origin: str, code: str) -> int | None:
    with BareSocket(origin, code) as socket:
        for _ in range(8):
            time.sleep(0.5)
            socket.socket.sendall(socket.message("ping", sent=1, heard=1))
        with contextlib.suppress(TimeoutError):
            return socket.close_code()
        return None


async def dribble(town: Town) -> None:
    """Let somebody in each race send a message byte by byte at both processes; it is answered."""
    answers = await asyncio.gather(
        *(
            asyncio.to_thread(_be_slow, server.origin, code)
            for server in town.servers
            for code in town.codes[:2]
        )
    )
    assert set(answers) == {7}, f"who sends slowly was answered with {answers}"


def _be_slow(origin: str, code: str) -> object:
    with BareSocket(origin, code) as socket:
        for byte in socket.message("ping", sent=7, heard=0):
            socket.socket.sendall(bytes([byte]))
            time.sleep(0.05)
        return socket.until("pong")["sent"]


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
    "clients that don't read": (deafen_watchers, {}),
    "clients that send byte by byte": (dribble, {}),
}
"""By name: what is done to the town, and how its races are raced."""
