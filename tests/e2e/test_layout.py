"""The table fits every screen: nothing scrolls, nothing is cut off, every target is a finger wide."""

import pytest

from tests.e2e.conftest import NewPage
from tests.e2e.table import TablePage
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
