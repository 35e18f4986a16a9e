"""axe-core finds nothing on any page, in any language, in light or dark."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.axe import findings
from tests.support.client import Guest, RaceSocket
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(240)]

DEAL = "CR1-N-AAAAAAB"


class Scene:
    """Races in every stage, and the addresses of all pages that show them."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.anh = Guest(origin, "Anh")
        oksana = Guest(origin, "Oksana")
        finished = self._race(oksana, DEAL)
        line = winning_line(DEAL)
        with self.anh.socket(finished) as his, oksana.socket(finished) as hers:
            self._start(his)
            hers.until("go", timeout=20)
            for seq, code in enumerate(line, 1):
                his.send("act", seq=seq, code=code)
            his.until("acted", lambda frame: frame["seq"] == len(line), timeout=60)
            hers.send("resign")
            closed = his.until("closed", timeout=20)
        replay, other = closed["replays"].values()
        running = self._race(oksana, "CR1-N-AAAAAAC")
        with self.anh.socket(running) as his:
            self._start(his)
        lobby = self._race(oksana, "sealed")
        self.pages = {
            "home": "/",
            "form": "/races/",
            "lobby": f"/races/{lobby}/",
            "table": f"/races/{running}/",
            "results": f"/races/{finished}/",
            "deal": f"/deals/{DEAL}/",
            "game": replay,
            "replay": f"/races/{finished}/replay/",
            "compare": replay + f"compare/{other.split('/')[2]}/",
            "daily": "/daily/",
            "leaderboards": "/leaderboards/",
            "player": f"/players/{self.anh.player}/",
            "rules": "/rules/",
            "account": "/account/",
            "sign in": "/account/sign-in/",
            "error": "/races/NOSUCHRACE/",
        }

    def _race(self, oksana: Guest, deal: str) -> str:
        code = self.anh.open_race(deal, seats=2)
        oksana.take_seat(code)
        return code

    @staticmethod
    def _start(host: RaceSocket) -> None:
        host.until("welcome")
        host.send("start")
        host.until("go", timeout=20)

    def context(self, browser: Browser, language: str, theme: str) -> BrowserContext:
        """Make the browser of one player, in a language and a theme, without motion."""
        context = browser.new_context(
            locale=language,
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
        )
        cookies = [
            {"name": name, "value": value, "url": self.origin}
            for name, value in self.anh.http.cookies.items()
        ]
        context.add_cookies(cookies)  # type: ignore[arg-type]
        context.add_cookies([{"name": "django_language", "value": language, "url": self.origin}])
        return context


@pytest.fixture(scope="module")
def scene(free_server: Server) -> Iterator[Scene]:
    scene = Scene(free_server.origin)
    yield scene
    scene.anh.close()


def drawn(page: Page, name: str) -> None:
    """Wait until the page shows what it is about."""
    about = {
        "lobby": ".panel",
        "table": ".board .place svg.card.s-C",
        "results": ".results",
        "game": ".board .place",
        "replay": ".board .place",
    }
    page.wait_for_selector(about.get(name, "main"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "uk", "vi"])
def test_axe_finds_nothing(browser: Browser, scene: Scene, language: str, theme: str) -> None:
    context = scene.context(browser, language, theme)
    page = context.new_page()
    found = dict[str, list[str]]()
    try:
        for name, path in scene.pages.items():
            page.goto(scene.origin + path)
            drawn(page, name)
            assert page.locator("html").get_attribute("lang") == language
            if problems := findings(page):
                found[name] = problems
            if name == "table":
                page.locator(".iconbtn:visible").first.click()
                if problems := findings(page):
                    found["menu"] = problems
    finally:
        context.close()
    assert found == {}
