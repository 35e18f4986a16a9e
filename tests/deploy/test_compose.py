"""The services of docker-compose.yml, started as processes: a race across two of them by TLS."""

import asyncio
from collections.abc import Iterator

import httpx
import psycopg
import pytest

from tests.deploy.compose import Compose, read
from tests.faults.racing import Screen
from tests.faults.town import standings
from tests.support.client import Guest
from tests.support.lines import winning_line

DEAL = "CR1-N-CRESCEN"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    with Compose(tmp_path_factory.mktemp("compose")) as running:
        yield running


@pytest.fixture(autouse=True)
def _trusting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "town" in request.fixturenames:
        town: Compose = request.getfixturevalue("town")
        monkeypatch.setenv("SSL_CERT_FILE", str(town.certificate))


def test_nothing_secret_has_a_default() -> None:
    for missing in ("CRESCENT_SECRET_KEY", "CRESCENT_HOSTS", "POSTGRES_PASSWORD"):
        given = {"CRESCENT_SECRET_KEY": "a", "CRESCENT_HOSTS": "b", "POSTGRES_PASSWORD": "c"}
        with pytest.raises(KeyError, match=missing):
            read({**given, missing: ""})


@pytest.mark.nginx
@pytest.mark.postgres_programs
@pytest.mark.redis_program
def test_the_proxy_serves_files_hides_numbers_and_the_site_is_strict(town: Compose) -> None:
    with httpx.Client(base_url=town.origin) as browser:
        page = browser.get("/")
        assert page.status_code == 200
        assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
        assert "script-src" not in page.headers["Content-Security-Policy"]  # default-src 'self'
        assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
        assert "Secure" in page.headers["Set-Cookie"]
        assert [browser.get(path).status_code for path in ("/metrics", "/readyz")] == [404, 404]
        script = next(part for part in page.text.split('"') if part.startswith("/static/assets/"))
        found = browser.get(script)
        assert (found.status_code, "immutable" in found.headers["Cache-Control"]) == (200, True)
        assert "nginx" in found.headers["Server"]
        assert browser.get("/nowhere/").status_code == 404


@pytest.mark.nginx
@pytest.mark.postgres_programs
@pytest.mark.redis_program
async def test_an_upgrade_loses_no_race(town: Compose) -> None:
    """Every web process is replaced, one after the other, while four races run."""
    line = winning_line(DEAL)
    screens: list[Screen] = []
    for _ in range(4):
        guests = [Guest(town.origin, f"Racer {number}") for number in range(3)]
        code = guests[0].open_race(DEAL, seats=3)
        for guest in guests[1:]:
            guest.take_seat(code)
        with guests[0].socket(code) as host:
            host.until("welcome")
            host.send("start")
            host.until("race", lambda frame: frame.get("starts_at"))
        screens += [
            Screen(code, [town.origin], guest._cookies(), line, pace_s=0.15) for guest in guests
        ]
        screens.append(Screen(code, [town.origin], ""))
    racing = [asyncio.ensure_future(screen.run()) for screen in screens]
    await asyncio.wait_for(asyncio.gather(*(one.joined.wait() for one in screens)), 30)
    assert sum(await asyncio.to_thread(town.sockets)) == len(screens)
    await asyncio.sleep(6)
    await asyncio.to_thread(town.upgrade)  # drained: 1012, and the other one takes over
    racers = [screen for screen in screens if screen.line]
    assert all(screen.acted for screen in racers)
    assert not all(screen.closed for screen in racers)  # it was in the middle of them
    await asyncio.wait_for(asyncio.gather(*racing), 90)
    assert [wrong for screen in screens for wrong in screen.wrongs] == []
    assert all(1012 in screen.closes for screen in racers)
    for code in {screen.code for screen in screens}:
        ends = [standings(one.closed) for one in screens if one.code == code and one.closed]
        assert len(ends) == 4
        assert all(end_ == ends[0] for end_ in ends)
    with psycopg.connect(town.postgres.url) as connection:
        row = connection.execute("SELECT count(*) FROM games_loggedaction").fetchone()
    assert row == (len(line) * 12,)
