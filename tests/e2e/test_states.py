"""What is seen seldom is whole too: long words, rivals in every plight, results of long names, the
menu, the last minutes. Nothing is cut off, lies over something else or moves what is beside it."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPage, NewRoom
from tests.e2e.evening import DEAL, OPENING
from tests.e2e.hands import Keys
from tests.e2e.table import TablePage
from tests.support.client import Guest
from tests.support.lines import blocked_line, winning_line
from tests.support.rooms import Running, running
from tests.support.server import Server
from tests.support.stores import shift_start

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(240)]

LANGUAGES = ("en", "uk", "vi")
LONG_NAMES = ("Maximilian von Habsburg", "Кирило-Мефодій Заболотн", "Nguyễn Thị Phương Thảo")
SIZES = [(360, 640), (390, 844), (844, 390), (667, 375), (768, 1024), (1280, 800), (640, 400)]
LOCALES = Path(__file__).resolve().parents[2] / "frontend" / "src" / "locale"
NOT_AT_A_TABLE = {"reason.unseated", "reason.called_off"}

SAY = """(texts) => {
  const line = document.querySelector('.line');
  const span = line.querySelector('span');
  const others = [...document.querySelectorAll('.board .place, .act, .time, .iconbtn')]
    .map((each) => each.getBoundingClientRect());
  return texts.filter((text) => {
    span.textContent = text;
    const { left, right } = line.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(span);
    return [...words.getClientRects()].some((word) => word.left < left - 1 || word.right > right + 1 ||
      others.some((box) => word.left < box.right - 1 && word.right > box.left + 1 &&
        word.top < box.bottom - 1 && word.bottom > box.top + 1));
  });
}"""
RIVALS = """() => {
  const seen = (each) => each.getClientRects().length > 0;
  const box = (each) => each.getBoundingClientRect();
  const words = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  };
  const faults = [];
  const panel = box(document.querySelector('.rivals'));
  const states = new Set();
  for (const rival of [...document.querySelectorAll('.rv:not(.own)')].filter(seen)) {
    const { left, right, bottom } = box(rival);
    const name = rival.querySelector('.name');
    if (box(name).width < 20) faults.push(`no name: ${name.textContent}`);
    for (const each of [...rival.querySelectorAll('.word, .sub > span')].filter(seen)) {
      if (each.textContent && box(each).top < bottom && words(each).right > right + 1
        && getComputedStyle(each).textOverflow !== 'ellipsis') faults.push(each.textContent);
    }
    const told = [...rival.querySelectorAll('.word, .sub > .state')].filter((each) =>
      seen(each) && box(each).top < box(each.parentElement).bottom - 2 && box(each).width > 20);
    if (told.length) states.add(told[0].textContent);
    if (right > panel.right + 1 || left < panel.left - 1) faults.push('outside');
  }
  const [home, place] = [...document.querySelectorAll('.status .home, .status .pl')].filter(seen).map(box);
  if (place && home.right > place.left) faults.push('place over what is home');
  return [faults, states.size];
}"""
WIDTHS = """() => [
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('.panel')].map((each) => each.scrollWidth - each.clientWidth),
].filter((more) => more > 0)"""
PLACES = """() => [...document.querySelectorAll('main h1, main .panel, main .btn')].map((each) => {
  const { left, top } = each.getBoundingClientRect();
  return [Math.round(left), Math.round(top)];
})"""


def as_guest(page: Page, guest: Guest, language: str = "en") -> Page:
    cookies = {**guest.http.cookies, "django_language": language}
    page.context.add_cookies(
        [{"name": n, "value": v, "url": guest.origin} for n, v in cookies.items()]
    )
    return page


def at_sizes(page: Page, script: str, *given: Any) -> dict[tuple[int, int], Any]:
    seen = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        seen[width, height] = page.evaluate(script, *given)
    return seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_reasons_of_a_language_fit_the_line(
    free_server: Server, new_page: NewPage, language: str
) -> None:
    words = json.loads((LOCALES / f"{language}.json").read_text())
    reasons = [
        words[key] for key in words if key.startswith("reason.") and key not in NOT_AT_A_TABLE
    ]
    longest = sorted([*reasons, *words["line.minutes_left"].values()], key=len)[-8:]
    guest = Guest(free_server.origin, "Anh")
    race = guest.open_race(DEAL)
    with guest.socket(race) as socket:
        socket.send("start")
        socket.until("go")
    # A minute before the end something stays in the line; the words are put in its place.
    shift_start(free_server, race, 59 * 60_000)
    page = as_guest(new_page(), guest, language)
    page.goto(f"{free_server.origin}/races/{race}/")
    page.wait_for_selector(f"html[lang={language}] .line span")
    assert at_sizes(page, SAY, longest) == {size: [] for size in SIZES}


def in_every_plight(server: Server) -> Running:
    """A race whose rivals are blocked, cut off, out of it; the names are long."""
    race = running(server, racers=4, openness="cards")
    for guest, name in zip(race.guests[1:], LONG_NAMES, strict=True):
        assert guest.request("POST", "/api/guest", {"name": name}).status_code == 201
    for code in blocked_line(DEAL):
        assert race.sockets[1].act(code)["type"] == "acted"
    race.sockets[2].cut()
    for code in OPENING:
        assert race.sockets[3].act(code)["type"] == "acted"
    race.sockets[3].send("resign")
    race.sockets[3].until("finished")
    race.sockets[0].close()
    return race


def resign(race: Running, number: int) -> None:
    own = race.racers[number]
    with race.guests[number].socket(race.code) as socket:
        socket.until("welcome")
        socket.send("resign")
        socket.until("finished", lambda frame: frame["racer"] == own)


def test_what_befalls_rivals_can_be_read_beside_every_table(
    free_server: Server, new_page: NewPage
) -> None:
    race = in_every_plight(free_server)
    for language in LANGUAGES:
        page = as_guest(new_page(), race.guests[0], language)
        page.goto(f"{free_server.origin}/races/{race.code}/")
        page.wait_for_selector(f"html[lang={language}] .board .place svg.card.s-C")
        expect(page.locator(".rivals").get_by_text(LONG_NAMES[0])).to_be_attached()
        assert at_sizes(page, RIVALS) == {size: [[], 3] for size in SIZES}, language
        page.close()


def test_results_of_long_names_fit_a_phone(free_server: Server, new_page: NewPage) -> None:
    race = in_every_plight(free_server)
    for number in (0, 1, 2):
        resign(race, number)
    shift_start(free_server, race.code, 3_600_000)
    for language in LANGUAGES:
        page = as_guest(new_page(width=360, height=640), race.guests[1], language)
        page.goto(f"{free_server.origin}/races/{race.code}/")
        page.wait_for_selector(f"html[lang={language}] .results .chart")
        expect(page.locator(".tally").get_by_text(LONG_NAMES[1])).to_be_attached()
        assert at_sizes(page, WIDTHS) == {size: [] for size in SIZES}, language
        page.close()


def test_nothing_in_the_lobby_moves_when_something_is_said(room: NewRoom) -> None:
    anh, oksana = room("Anh"), room("Oksana")
    oksana.join(anh.open_race(seats=3))
    before = oksana.page.evaluate(PLACES)
    anh.button("Change").click()
    anh.page.get_by_label("Rivals see").select_option("cards")
    expect(oksana.page.get_by_text("The host changed the options.")).to_be_visible()
    assert oksana.page.evaluate(PLACES) == before
    oksana.cable.pull()
    expect(oksana.page.get_by_text("No connection.")).to_be_visible()
    assert oksana.page.evaluate(PLACES) == before
    oksana.button("I’m ready").click()
    expect(oksana.page.get_by_text("No connection. Try again.")).to_be_in_viewport()
    assert oksana.page.evaluate(PLACES) == before


def test_a_start_called_off_and_a_lobby_handed_on_are_told(room: NewRoom) -> None:
    anh, oksana = room("Anh"), room("Oksana")
    oksana.join(anh.open_race(seats=3))
    anh.start()
    expect(oksana.page.get_by_text("Everyone starts at the same moment")).to_be_visible()
    anh.button("Call off").click()
    expect(oksana.page.get_by_text("The host called off the start.")).to_be_visible()
    anh.page.get_by_role("button", name="Make host: Oksana").click()
    expect(oksana.page.get_by_text("You are the host now")).to_be_visible()


def test_keys_are_the_menus_while_it_is_open(free_server: Server, new_page: NewPage) -> None:
    page = new_page()
    player = TablePage(page).play_alone(free_server.origin)
    dialog = page.get_by_role("dialog")
    for leaf in ("Keys", "Resign"):
        page.get_by_role("button", name="Open the menu").click()
        dialog.get_by_role("button", name=leaf).click()
        expect(dialog.get_by_role("heading", name=leaf)).to_be_focused()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("KeyL")  # would choose a pile
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(page.locator(".place.sel")).to_have_count(0)
    page.locator("header button.me").click()
    page.keyboard.press("KeyL")
    page.keyboard.press("Escape")
    expect(page.locator("#mine")).to_be_hidden()
    expect(page.locator(".place.sel")).to_have_count(0)
    player.settled()


def test_a_redeal_says_that_what_was_played_before_stays(
    free_server: Server, new_page: NewPage
) -> None:
    page = new_page()
    player = TablePage(page).play_alone(free_server.origin)
    redeal = page.get_by_role("button", name="Redeal")
    expect(redeal).to_have_accessible_description("A redeal can’t be undone")
    Keys(player).play("l+")
    redeal.click()
    player.follow("**")
    player.said("What was played before the redeal stays")


def test_a_double_click_redeals_once(free_server: Server, new_page: NewPage) -> None:
    page = new_page()
    player = TablePage(page).play_alone(free_server.origin)
    redeal = page.get_by_role("button", name="Redeal")
    redeal.dblclick()
    player.follow("**")
    page.wait_for_timeout(600)  # past the time of a double click
    assert page.locator(".left .gone").count() == 1
    redeal.click()
    player.follow("**")


def test_the_table_of_a_racer_in_large_leaves_room_for_what_is_home(
    free_server: Server, new_page: NewPage
) -> None:
    race = running(free_server, deal="CR1-N-AAAAAAC")
    for code in winning_line("CR1-N-AAAAAAC")[:40]:
        assert race.sockets[0].act(code)["type"] == "acted"
    page = new_page()
    page.goto(f"{free_server.origin}/races/{race.code}/")
    page.get_by_role("button", name="Show the table of Anh in large").click()
    expect(page.locator(".large .rest")).to_be_visible()
    covered = """() => {
      const box = (each) => each.getBoundingClientRect();
      const rest = box(document.querySelector('.large .rest')).bottom - 8 - 14;
      const low = [...document.querySelectorAll('.large .found .label')];
      const labels = low.map((each) => [...each.children].map(box));
      const wide = labels.map((parts) => [parts[0].left, parts.at(-1).right]).slice(0, 4);
      return [low.some((each) => box(each).bottom > rest + 1),
        wide.some(([left], index) => index > 0 && left < wide[index - 1][1])];
    }"""
    assert at_sizes(page, covered) == {size: [False, False] for size in SIZES}
