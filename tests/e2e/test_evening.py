"""Whole evenings in several browsers: open, join, ready, race, results, rematch, again."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage
from tests.e2e.evening import RoomPage
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(240)]

NewRoom = Callable[..., RoomPage]
DEAL = "CR1-N-AAAAAAB"
OPENING = ("l+", "b+", "in", "jk")
"""Moves of four cards that lie open from the start: none waits for a card to be uncovered."""
AN_HOUR_WRONG = """
const now = Date.now.bind(Date);
Date.now = () => now() + 3_600_000;
globalThis.Date = class extends Date {
  constructor(...given) { given.length ? super(...given) : super(now() + 3_600_000); }
};
"""
FIGURES = """
globalThis.figures = [];
new MutationObserver(() => {
  const figure = document.querySelector('.countdown .time')?.textContent;
  const last = figures.at(-1)?.[0];
  if (figure && figure !== last) {
    figures.push([figure, performance.timeOrigin + performance.now()]);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


@pytest.fixture
def room(free_server: Server, new_page: NewPage) -> NewRoom:
    """Make pages for people, each with a name."""

    def make(name: str, **options: object) -> RoomPage:
        return RoomPage(new_page(**options), free_server.origin, name)

    return make


def test_three_race_see_results_one_by_one_and_go_on_to_the_next_race(room: NewRoom) -> None:
    anh, oksana, minh = room("Anh"), room("Oksana", width=390, height=844), room("Minh")
    first = anh.open_race(seats=3)
    for friend in (oksana, minh):
        friend.join(first)
        friend.ready()
    expect(anh.page.get_by_text("Everyone is ready.")).to_be_visible()
    anh.start()
    for player in (anh, oksana, minh):
        player.at_table()

    # Whoever is done has their results and may go on while the others still play.
    oksana.resign()
    expect(anh.rival("Oksana").get_by_text("resigned").last).to_be_visible()
    oksana.button("Play on 10").or_(oksana.page.get_by_role("button", name="Play on")).first.click()
    expect(anh.rival("Oksana").get_by_text("resigned")).to_have_count(0)
    minh.page.reload()
    minh.at_table()
    oksana.resign()
    oksana.results()
    expect(oksana.page.get_by_role("heading", name="The race goes on")).to_be_visible()
    expect(oksana.row("Anh").get_by_text("still playing")).to_be_visible()
    second = oksana.rematch()
    assert second != first

    minh.resign()
    minh.results()
    expect(minh.page.get_by_text("Oksana has opened a rematch.")).to_be_visible()
    anh.page.get_by_role("button", name=re.compile("^Redeal")).click()
    expect(anh.page.get_by_role("button", name="Redeal, 2 left")).to_be_visible()
    anh.resign()
    anh.closed()
    expect(anh.page.get_by_text("fingerprint verified")).to_be_visible()
    expect(anh.page.get_by_role("heading", name="This evening")).to_be_visible()
    assert minh.rematch("Join the rematch") == second
    assert anh.rematch("Join the rematch") == second
    for name in ("Oksana", "Anh", "Minh"):
        expect(oksana.row(name)).to_be_visible()
    expect(oksana.row("Oksana").get_by_text("host")).to_be_visible()

    # And again: the tally counts both races.
    oksana.start()
    for player in (anh, oksana, minh):
        player.at_table()
        player.resign()
    anh.closed()
    evening = anh.page.locator(".tally tbody tr")
    expect(evening).to_have_count(3)
    assert [row.locator("td").nth(1).inner_text() for row in evening.all()] == ["2"] * 3


def test_the_countdown_shows_one_figure_on_every_screen_also_where_a_clock_is_wrong(
    room: NewRoom,
) -> None:
    anh, oksana = room("Anh"), room("Oksana")
    oksana.page.add_init_script(AN_HOUR_WRONG)
    for player in (anh, oksana):
        player.page.add_init_script(FIGURES)
    oksana.join(anh.open_race())
    anh.page.wait_for_timeout(1_500)  # a few pings tell the clocks what they need
    anh.start()
    for player in (anh, oksana):
        player.at_table()
    seen = [dict(player.page.evaluate("figures")) for player in (anh, oksana)]
    assert list(seen[0]) == list(seen[1]) == ["5", "4", "3", "2", "1"]
    apart = {figure: abs(seen[0][figure] - seen[1][figure]) for figure in ("4", "3", "2", "1")}
    assert max(apart.values()) < 50, apart


def test_a_start_is_called_off_and_the_room_outlives_its_host(room: NewRoom) -> None:
    anh, oksana, minh = room("Anh"), room("Oksana"), room("Minh")
    code = anh.open_race(seats=4)
    oksana.join(code)
    oksana.ready()
    minh.join(code)
    anh.start()
    expect(anh.button("Call off")).to_be_visible()
    for player in (anh, oksana, minh):  # no card before zero
        place = player.page.locator("main [data-place=a]").first
        expect(place).to_have_attribute("aria-label", "pile 1, 6 cards, a face-down card on top")
    anh.button("Call off").click()
    for player in (anh, oksana, minh):
        expect(player.button("I’m ready")).to_be_visible()  # the marks have fallen
    anh.button("Change").click()
    anh.page.get_by_label("Rivals see").select_option("cards")
    expect(oksana.page.get_by_text("The host changed the options.")).to_be_visible()
    expect(oksana.page.get_by_text("Everything")).to_be_visible()

    anh.button("Leave").click()
    expect(oksana.row("Oksana").get_by_text("host")).to_be_visible()
    expect(oksana.row("Anh")).to_have_count(0)
    expect(anh.button("Join")).to_be_visible()  # they may watch, or come back
    oksana.button("Remove Minh").click()
    expect(oksana.page.get_by_text("They can’t come back")).to_be_visible()
    expect(oksana.row("Minh")).to_be_visible()
    oksana.button("Remove").click()
    expect(minh.page.get_by_text("The host has removed you from this race.")).to_be_visible()
    anh.button("Join").click()
    oksana.page.get_by_role("button", name="Make host: Anh").click()
    expect(anh.button("Start the race")).to_be_visible()


def test_a_cut_line_shows_at_once_and_a_second_tab_takes_over(room: NewRoom) -> None:
    anh, oksana = room("Anh"), room("Oksana")
    oksana.join(anh.open_race(deal=DEAL))
    anh.start()
    anh.at_table()
    oksana.at_table()
    oksana.cable.pull()
    expect(oksana.page.get_by_text("No connection.").first).to_be_visible()
    expect(anh.rival("Oksana").get_by_text("offline").last).to_be_visible(timeout=2_000)
    oksana.play(*OPENING[:3])
    expect(oksana.page.get_by_text("3 moves are kept and will be sent.")).to_be_visible()
    oksana.cable.plug_in()
    expect(anh.rival("Oksana").get_by_text("3 moves")).to_be_visible(timeout=20_000)
    expect(anh.rival("Oksana").get_by_text("offline")).to_have_count(0)

    newer = RoomPage(oksana.page.context.new_page(), oksana.origin, "Oksana")
    newer.look(oksana.code).at_table()
    expect(oksana.page.get_by_text("You have opened this race in another window.")).to_be_visible()
    oksana.button("Play here").click()
    oksana.at_table()
    expect(newer.page.get_by_text("You have opened this race in another window.")).to_be_visible()
    oksana.play(OPENING[3])
    expect(anh.rival("Oksana").get_by_text("4 moves")).to_be_visible()


def test_who_comes_late_watches_and_then_plays_the_deal_against_the_ghosts(room: NewRoom) -> None:
    anh, oksana, late = room("Anh"), room("Oksana"), room("Linh")
    code = anh.open_race(deal=DEAL)
    oksana.join(code)
    anh.start()
    anh.at_table()
    late.look(code)
    expect(late.page.get_by_text("You are watching")).to_be_visible()
    late.button("Show the table of Anh in large").click()
    expect(late.page.get_by_role("region", name="Anh")).to_be_visible()
    anh.play(*OPENING[:3])
    expect(late.page.get_by_role("region", name="Anh").get_by_text("3 moves")).to_be_visible()

    anh.page.get_by_role("button", name="Wave to the others").first.click()
    anh.button("Well played!").click()
    expect(late.page.get_by_text("Anh: Well played!")).to_be_attached()
    expect(oksana.rival("Anh").locator(".emote-mark")).to_be_visible()
    expect(oksana.rival("Anh").locator(".emote-mark")).to_have_count(0, timeout=8_000)

    for player in (anh, oksana):
        player.resign()
    late.closed()
    late.button("Play this deal against the ghosts").click()
    late.page.wait_for_url(lambda url: code not in url)
    late.at_table()
    expect(late.rival("Anh").get_by_text("ghost")).to_be_visible()
    expect(late.rival("Anh").get_by_text("3 moves")).to_be_visible(timeout=30_000)


def test_a_finished_game_is_added_as_a_ghost_and_takes_no_place(
    room: NewRoom, free_server: Server
) -> None:
    linh = Guest(free_server.origin, "Linh")
    with linh.socket(linh.open_race(DEAL)) as socket:
        socket.send("start")
        socket.until("go")
        for action in winning_line(DEAL):
            assert socket.act(action)["type"] == "acted"
        game = socket.until("closed")["standings"][0]["racer"]
    anh = room("Anh")
    anh.open_race(deal=DEAL)
    anh.page.get_by_text("Ghosts", exact=True).click()
    anh.page.get_by_label("Link or number of a game").fill("nonsense")
    anh.button("Add").click()
    expect(anh.page.get_by_text("This isn’t a link to a game")).to_be_visible()
    anh.page.get_by_label("Link or number of a game").fill(f"{free_server.origin}/games/{game}/")
    anh.button("Add").click()
    expect(anh.row("Linh").get_by_text("ghost")).to_be_visible()
    expect(anh.button("The best of all")).to_be_disabled()
    anh.start()
    anh.at_table()
    expect(anh.rival("Linh").get_by_text("104")).to_be_visible(timeout=30_000)
    anh.resign()
    anh.closed()
    assert anh.row("You").locator("td").first.inner_text() == "1"
    assert anh.row("Linh").locator("td").first.inner_text() == "–"


def test_the_start_page_lists_open_races_as_they_come_and_go(
    room: NewRoom, new_page: NewPage, free_server: Server
) -> None:
    visitor = new_page()
    visitor.goto(free_server.origin)
    expect(visitor.get_by_text("Nobody is waiting at the moment.")).to_be_visible()
    anh = room("Anh")
    code = anh.open_race(seats=2, listed=True)
    link = visitor.locator(f"a[href='/races/{code}/']")
    expect(link).to_be_visible(timeout=10_000)
    room("Oksana").join(code)
    expect(link).to_have_count(0, timeout=10_000)
