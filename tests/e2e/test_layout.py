"""The table fits every screen: nothing scrolls, nothing is cut off, every target is a finger wide."""

import pytest

from tests.e2e.conftest import NewPage
from tests.e2e.table import DEAL, TablePage
from tests.support.client import Guest
from tests.support.lines import blocked_line
from tests.support.server import Server

pytestmark = pytest.mark.chromium

SIZES = [
    (360, 640), (390, 844), (844, 390), (667, 375), (768, 1024), (1280, 720), (1440, 900),
    (1920, 1080), (640, 360), (720, 450),
]  # fmt: skip
"""The last two are 1280 × 720 and 1440 × 900 at 200 % zoom."""
FINGER = 44
LOOK = """() => {
  const seen = [...document.querySelectorAll('button, a[href], select')].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width && height && getComputedStyle(each).visibility !== 'hidden';
  });
  const name = (each) => each.dataset.place ?? each.getAttribute('aria-label') ?? each.textContent;
  const box = (each) => each.getBoundingClientRect();
  return {
    scroll: [
      document.documentElement.scrollWidth - innerWidth,
      document.documentElement.scrollHeight - innerHeight,
    ],
    small: seen.filter((each) => box(each).width < FINGER || box(each).height < FINGER).map(name),
    outside: seen
      .filter((each) => box(each).left < -1 || box(each).right > innerWidth + 1)
      .concat(seen.filter((each) => box(each).top < -1 || box(each).bottom > innerHeight + 1))
      .map(name),
  };
}""".replace("FINGER", str(FINGER - 0.1))
CUT_OFF = """() => {
  const line = document.querySelector('.line');
  const { left, right, top, bottom } = line.getBoundingClientRect();
  const outside = [...line.children].map((each) => each.getBoundingClientRect()).filter((box) =>
    box.left < left - 1 || box.right > right + 1 || box.top < top - 5 || box.bottom > bottom + 5);
  return [line.querySelectorAll('button').length, outside.length];
}"""


@pytest.mark.parametrize("language", ["en", "uk", "vi"])
def test_a_blocked_game_says_so_and_offers_undo_and_a_new_game_at_every_size(
    free_server: Server, new_page: NewPage, language: str
) -> None:
    guest = Guest(free_server.origin, f"Blocked {language}")
    race = guest.open_race(DEAL)
    with guest.socket(race) as socket:
        socket.send("start")
        socket.until("go")
        for seq, code in enumerate(blocked_line(DEAL), 1):
            assert socket.act(code, seq)["type"] == "acted"
    page = new_page()
    page.context.add_cookies(
        [
            {"name": name, "value": value, "url": free_server.origin}
            for name, value in {**guest.http.cookies, "django_language": language}.items()
        ]
    )
    page.goto(f"{free_server.origin}/races/{race}/")
    page.wait_for_selector(f"html[lang={language}] .line button")
    seen = dict[tuple[int, int], object]()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        seen[width, height] = page.evaluate(CUT_OFF)
    assert seen == {size: [2, 0] for size in SIZES}


@pytest.mark.parametrize("language", ["en", "uk", "vi"])
def test_nothing_scrolls_or_is_too_small_to_touch(
    free_server: Server, new_page: NewPage, language: str
) -> None:
    page = new_page()
    TablePage(page).play_alone(free_server.origin)
    page.locator(".iconbtn:visible").first.click()
    with page.expect_navigation():
        page.locator("#menu-language").select_option(language)
    page.wait_for_selector(f"html[lang={language}] .board .place svg.card.s-C")
    faults = dict[tuple[int, int], object]()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        seen = page.evaluate(LOOK)
        if seen != {"scroll": [0, 0], "small": [], "outside": []}:
            faults[width, height] = seen
    assert faults == {}
