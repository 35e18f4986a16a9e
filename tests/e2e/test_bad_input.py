"""What makes no sense at the table gets its reason, and nothing else happens."""

import os
import random
import re

import pytest
from playwright.sync_api import Page, expect

from games.engine.actions import parse_action
from games.engine.deals import layout_of, parse_deal_code
from games.engine.position import Position, play
from tests.e2e.conftest import NewPage
from tests.e2e.evening import Cable
from tests.e2e.hands import Clicks, Keys
from tests.e2e.table import DEAL, PILES, SHOWS, TablePage, names_of
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = pytest.mark.chromium

ALL = os.environ.get("CRESCENT_CHAOS") == "full"
CHAOS_S = 60 if ALL else 10
RATE = 30
"""Actions a second."""
PLACES = [*PILES, *(suit + way for way in "+-" for suit in "SHDC")]
NO_WAIT = "() => document.querySelector('.line')?.textContent.trim() ?? ''"


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()


@pytest.mark.timeout(120)
def test_every_refused_move_gets_its_reason_and_changes_nothing(
    free_server: Server, new_page: NewPage
) -> None:
    player = TablePage(new_page()).play_alone(free_server.origin)
    keys = Keys(player)
    boxes = player.boxes()
    # Undo and redeal answer even when they can do nothing (playwright would wait for an enabled one).
    player.page.get_by_role("button", name="Undo").click(force=True)
    player.said("Nothing to undo")
    # a: 3C, e: 3D, b: 2S
    drag(player.page, boxes["a"], boxes["e"])
    player.said("Must be of the same suit")
    drag(player.page, boxes["a"], boxes["C+"])
    player.said("Must be the next rank")
    drag(player.page, boxes["S+"], boxes["b"])
    player.said("The base of a foundation is locked")
    player.page.mouse.click(*boxes["H-"])
    player.said("The base of a foundation is locked")
    player.settled()
    # Play until a pile is empty, then pull at it, drop on it and tap it.
    line = winning_line(DEAL)
    for code in line:
        keys.play(code)
        if 0 in player.position.table.heights:
            break
    empty = PILES[player.position.table.heights.index(0)]
    full = PILES[player.position.table.heights.index(max(player.position.table.heights))]
    drag(player.page, boxes[empty], boxes[full])
    player.said("There is no card here")
    drag(player.page, boxes[full], boxes[empty])
    player.said("Nothing can be put on an empty pile")
    player.page.mouse.click(*boxes[empty])
    player.said("There is no card here")
    while player.position.table.redeals_left:
        keys.play("**")
    player.page.get_by_role("button", name="redeals").click(force=True)
    player.said("No redeals left")
    player.settled()
    assert player.names() == names_of(player.position.table)


@pytest.mark.timeout(60)
def test_a_pile_that_waits_for_its_card_says_so(free_server: Server, new_page: NewPage) -> None:
    page = new_page()
    cable = Cable(page)
    player = TablePage(page).play_alone(free_server.origin)
    clicks = Clicks(player)
    code = winning_line(DEAL)[0]
    cable.pull()
    expect(page.locator(".line")).to_contain_text("No connection")
    clicks.move(*clicks.path(code), only=clicks.choices(code) == 1)
    waiting = player.place(code[0])
    expect(waiting).to_have_attribute("aria-label", re.compile("5 cards, a face-down card on top"))
    before = player.names()
    page.mouse.click(*clicks.boxes[code[0]])
    expect(waiting).to_have_class("place  refused")
    drag(page, clicks.boxes[code[0]], clicks.boxes["a"])
    assert player.names() == before
    cable.plug_in()
    player.follow(code)


@pytest.mark.timeout(90)
def test_pressing_undo_two_hundred_times_goes_back_to_the_start_and_says_so(
    free_server: Server, new_page: NewPage
) -> None:
    player = TablePage(new_page()).play_alone(free_server.origin)
    start = player.names()
    line = winning_line(DEAL)
    moves = line[: min(line.index("**") if "**" in line else len(line), 12)]
    Keys(player).play_all(moves)
    for _ in range(200):
        player.page.keyboard.press("KeyU")
    player.said("Nothing to undo")
    player.page.wait_for_function(
        "(wanted) => document.querySelector('.stat b').textContent === '0'", arg=None
    )
    player.page.wait_for_function(SHOWS, arg=start)  # piles are drawn in their turn
    # And the server has it so too.
    player.page.reload()
    expect(player.place("a")).to_have_attribute("aria-label", start["a"])
    assert player.names() == start


def server_position(origin: str, race: str) -> Position:
    """Play through what the server has of the only game of a race, as a watcher is told it."""
    with Guest(origin).socket(race) as watcher:
        (log,) = watcher.until("welcome")["logs"].values()
    code = parse_deal_code(DEAL)
    position = Position.of(layout_of(code), code.redeals)
    history = list[Position]()
    for action in (log[at : at + 2] for at in range(0, len(log), 2)):
        if action == "<<":
            position = history.pop()
            continue
        after = play(position, parse_action(action)).position
        history = [] if action == "**" else [*history, position]
        position = after
    return position


@pytest.mark.timeout(180)
def test_a_fast_random_player_and_a_bad_line_leave_table_and_server_equal(
    server: Server, new_page: NewPage
) -> None:
    page = new_page()
    cable = Cable(page)
    player = TablePage(page).play_alone(server.origin)
    boxes = player.boxes()
    chance = random.Random(os.environ.get("CRESCENT_SEED", "crescent"))
    page.evaluate("window.began = performance.now()")
    for step in range(CHAOS_S * RATE):
        _something(page, boxes, chance)
        if step % 97 == 60:
            cable.pull()
        if step % 97 == 85:
            cable.plug_in()
        ahead = step / RATE * 1000 - float(page.evaluate("performance.now() - window.began"))
        if ahead > 0:
            page.wait_for_timeout(ahead)
    cable.plug_in()
    page.mouse.up()
    for _ in range(120):
        page.wait_for_timeout(500)
        wanted = names_of(server_position(server.origin, player.race).table)
        if player.names() == wanted and "kept" not in page.evaluate(NO_WAIT):
            break
    assert player.names() == wanted


def _something(page: Page, boxes: dict[str, tuple[float, float]], chance: random.Random) -> None:
    """Do one thing that a player might: mostly moves, often senseless, now and then cut off."""
    here, there = (boxes[place] for place in chance.sample(PLACES, 2))
    what = chance.random()
    if what < 0.40:
        page.mouse.click(*here)
    elif what < 0.55:
        page.keyboard.press(f"Key{chance.choice(PILES).upper()}")
    elif what < 0.62:
        page.keyboard.press(chance.choice(["Equal", "Minus"]))
    elif what < 0.80:
        drag(page, here, there)
    elif what < 0.90:  # a drag that is cut off in the middle
        page.mouse.move(*here)
        page.mouse.down()
        page.mouse.move(*there, steps=2)
        page.keyboard.press("Escape")
        page.dispatch_event("main .board", "pointercancel", {"pointerId": 1})
        page.mouse.up()
    elif what < 0.98:
        page.keyboard.press("KeyU")
    elif what < 0.985:
        page.keyboard.press("KeyR")
    else:
        page.mouse.dblclick(*here)
