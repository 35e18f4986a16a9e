"""Keyboard, fingers and dragging: each plays a whole game, or most of one, by itself."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.e2e.hands import Drags, Fingers, Keys, Swipes
from tests.e2e.table import DEAL, TablePage
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = pytest.mark.chromium

TOUCH_ACTION = "getComputedStyle(document.querySelector('main .board .place')).touchAction"
PEN_COMES = """document.querySelector('main .board')
  .dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'pen' }))"""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      for (const { node } of entry.sources) {
        const { className, textContent } = node?.nodeType === 3 ? node.parentElement : node ?? {};
        window.shifts.push([entry.value, className?.baseVal ?? className, textContent]);
      }
  }).observe({ type: 'layout-shift', buffered: false });
}"""


@pytest.mark.timeout(120)
def test_a_whole_game_by_keyboard_alone(free_server: Server, new_page: NewPage) -> None:
    player = TablePage(new_page()).play_alone(free_server.origin)
    keys = Keys(player)
    line = winning_line(DEAL)
    keys.play_all([*line[:3], "<<", line[2], *line[3:]])
    expect(player.page.get_by_role("heading", name="All home in")).to_be_visible(timeout=15_000)


@pytest.mark.timeout(120)
def test_a_whole_game_by_touch_on_a_phone(free_server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, has_touch=True, is_mobile=True, device_scale_factor=2)
    player = TablePage(page).play_alone(free_server.origin)
    Fingers(player).play_all(winning_line(DEAL))
    expect(page.get_by_role("heading", name="All home in")).to_be_visible(timeout=15_000)


def test_a_finger_drags_cards_and_never_the_page(free_server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, has_touch=True, is_mobile=True)
    player = TablePage(page).play_alone(free_server.origin)
    # A redeal is among them: a tap on its button right after a card was dragged.
    Swipes(player).play_all(winning_line(DEAL)[:24])
    assert page.evaluate(TOUCH_ACTION) == "none"


def test_a_mouse_alone_spares_the_frames_what_touch_needs_until_a_pen_comes(
    free_server: Server, new_page: NewPage
) -> None:
    page = TablePage(new_page()).play_alone(free_server.origin).page
    assert page.evaluate(TOUCH_ACTION) == "auto"
    page.evaluate(PEN_COMES)
    assert page.evaluate(TOUCH_ACTION) == "none"


@pytest.mark.timeout(180)
def test_a_whole_game_by_dragging_while_nothing_on_the_page_shifts(
    free_server: Server, new_page: NewPage
) -> None:
    player = TablePage(new_page()).play_alone(free_server.origin)
    player.page.evaluate(SHIFTS)
    *most, last = winning_line(DEAL)
    drags = Drags(player)
    drags.play_all(most)
    assert player.page.evaluate("window.shifts") == []
    drags.play(last)
    expect(player.page.get_by_role("heading", name="All home in")).to_be_visible(timeout=15_000)
