"""What the table gives ears and fingers: nothing unless wanted, little if so."""

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import NewPage
from tests.e2e.hands import Fingers, Keys
from tests.e2e.table import TablePage
from tests.support.server import Server

pytestmark = pytest.mark.chromium

QUIET = 0.1
"""Of full volume."""
LISTEN = """
globalThis.tones = [];
globalThis.loudest = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  tones.push(this.frequency.value);
  return start.apply(this, when);
};
globalThis.GainNode = class extends GainNode {
  constructor(...given) {
    super(...given);
    loudest = Math.max(loudest, this.gain.value);
  }
};
"""
FEEL = """
globalThis.buzzes = [];
Object.defineProperty(navigator, 'vibrate', { value: (pattern) => buzzes.push([...pattern]) > 0 });
"""


def heard(page: Page) -> int:
    tones: list[float] = page.evaluate("tones.splice(0)")
    return len(tones)


def felt(page: Page) -> list[list[int]]:
    buzzes: list[list[int]] = page.evaluate("buzzes.splice(0)")
    return buzzes


def test_sounds_are_off_until_switched_on_and_quiet_then(
    free_server: Server, new_page: NewPage
) -> None:
    page = new_page()
    page.add_init_script(LISTEN)
    keys = Keys(TablePage(page).play_alone(free_server.origin))
    keys.play("l+")
    assert heard(page) == 0
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_label("Sounds").check()
    page.keyboard.press("Escape")
    keys.play("b+")
    assert heard(page) == 1
    keys.play("**")
    assert heard(page) == 2
    assert 0 < page.evaluate("loudest") <= QUIET
    page.reload()
    keys.player.settled()
    keys.undo()
    keys.player.said("Nothing to undo")
    assert heard(page) == 1  # the choice is kept


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_finger_feels_moves_and_refusals_unless_motion_is_unwanted(
    free_server: Server, new_page: NewPage, motion: str
) -> None:
    page = new_page(390, 844, has_touch=True, is_mobile=True, reduced_motion=motion)
    page.add_init_script(FEEL)
    fingers = Fingers(TablePage(page).play_alone(free_server.origin))
    fingers.play("l+")
    moved = felt(page)
    page.touchscreen.tap(*fingers.boxes["a"])
    fingers.player.said("This card can’t go anywhere now")
    refused = felt(page)
    if motion == "reduce":
        assert moved == refused == []
    else:
        assert len(moved) == len(refused) == 1
        assert sum(moved[0]) < sum(refused[0]) < 200


def test_a_mouse_is_never_buzzed(free_server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(FEEL)
    Keys(TablePage(page).play_alone(free_server.origin)).play("l+")
    assert felt(page) == []
