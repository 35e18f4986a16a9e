"""Two browsers race across two web processes behind the proxy, and one process after the other dies."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.deploy.compose import Compose
from tests.e2e.conftest import NewPage
from tests.e2e.hands import Keys
from tests.e2e.table import DEAL, TablePage
from tests.support.lines import winning_line

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.postgres_programs,
    pytest.mark.redis_program,
    pytest.mark.nginx,
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    with Compose(tmp_path_factory.mktemp("browsed-town")) as running:
        yield running


def strict(page: Page) -> list[str]:
    """Note what the page's own policy has stopped."""
    said: list[str] = []
    page.on(
        "console",
        lambda line: said.append(line.text) if "Content Security Policy" in line.text else None,
    )
    return said


def test_two_browsers_race_on_two_processes_and_either_process_may_die(
    town: Compose, new_page: NewPage
) -> None:
    anh, oksana = (TablePage(new_page(ignore_https_errors=True)) for _ in range(2))
    stopped = [strict(player.page) for player in (anh, oksana)]
    race = anh.open_race(town.origin, "Anh", deal=DEAL, seats=2)
    oksana.join(town.origin, race, "Oksana")
    expect(anh.page.get_by_text("Oksana", exact=True)).to_be_visible()
    anh.page.get_by_role("button", name="Start").click()
    for player in (anh, oksana):
        player.settled(timeout=20_000)
    line = winning_line(DEAL)
    hers, his = Keys(oksana), Keys(anh)
    his.play_all(line[:4])
    hers.play_all(line[:4])

    # The proxy has sent the whole race to one process; when that dies, both go on at the other.
    first = carriers(town).index(2)
    town.stop(first, kill=True)
    his.play_all(line[4:8])
    hers.play_all(line[4:8])
    assert carriers(town)[1 - first] == 2
    # Who comes once the proxy has forgiven the first comes to it again: two processes carry one race.
    town.start(first)
    for _ in range(20):
        oksana.page.reload()
        oksana.settled(timeout=20_000)
        if carriers(town) == [1, 1]:
            break
        oksana.page.wait_for_timeout(1_000)
    assert carriers(town) == [1, 1]
    hers.play_all(line[8:12])
    expect(anh.page.get_by_text(f"{oksana.position.table.moves} moves")).to_be_visible()
    his.play_all(line[8:20])
    expect(oksana.page.get_by_text(f"{anh.position.table.moves} moves")).to_be_visible()

    town.stop(1 - first, kill=True)
    town.start(1 - first)
    his.play_all(line[20:])
    expect(oksana.page.get_by_text("104")).not_to_have_count(0)
    hers.play_all(line[12:])
    for player in (anh, oksana):
        expect(player.page.get_by_role("heading", name="Anh wins")).to_be_visible(timeout=20_000)
    assert stopped == [[], []]


def carriers(town: Compose) -> list[int]:
    """How many sockets each process has, once both players have one."""
    deadline = time.monotonic() + 20
    while sum(found := town.sockets()) != 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def test_a_page_behind_the_proxy_is_served_strictly(town: Compose, new_page: NewPage) -> None:
    page = new_page(ignore_https_errors=True)
    answer = page.goto(f"{town.origin}/")
    assert answer is not None
    headers = answer.all_headers()
    assert "max-age=31536000" in headers["strict-transport-security"]
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    TablePage(page).play_alone(town.origin)
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert set(cookies) == {"csrftoken", "sessionid"}
    assert all(cookie["secure"] for cookie in cookies.values())
    assert all(cookie["sameSite"] == "Lax" for cookie in cookies.values())
    assert cookies["sessionid"]["httpOnly"]
    assert page.evaluate("document.cookie").startswith("csrftoken=")
    # What a stranger has put into the page doesn't run.
    page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.injected = true';
          document.body.append(script);
        }"""
    )
    assert page.evaluate("globalThis.injected") is None
