"""Who isn't in the race: newcomers who watch, ghosts that run along, visitors of the start page."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPage, NewRoom
from tests.e2e.evening import DEAL, OPENING
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import Server

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(240)]


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


def test_a_lone_player_chooses_ghosts_before_the_start_or_races_one_from_its_replay(
    room: NewRoom, free_server: Server
) -> None:
    deal = "CR1-N-AAAAAAC"
    linh = Guest(free_server.origin, "Linh")
    with linh.socket(linh.open_race(deal)) as socket:
        socket.send("start")
        socket.until("go")
        for action in winning_line(deal):
            assert socket.act(action)["type"] == "acted"
        socket.until("closed")
    anh = room("Anh")
    anh.page.goto(f"{free_server.origin}/deals/{deal}/")
    anh.button("Choose ghosts").click()
    expect(anh.page.get_by_role("heading", name="Play alone, against ghosts")).to_be_visible()
    anh.page.reload()  # it still waits
    anh.button("The best of all").click()
    expect(anh.row("Linh").get_by_text("ghost")).to_be_visible()
    anh.button("Start").click()
    anh.at_table()
    expect(anh.rival("Linh").get_by_text("104")).to_be_visible(timeout=30_000)

    # Nobody plays a deal twice at a time: what can't start by itself says why.
    second = anh.page.context.new_page()
    second.goto(f"{free_server.origin}/deals/{deal}/")
    expect(second.get_by_role("link", name="Back to your game")).to_be_visible()
    second.close()
    anh.resign()
    anh.closed()

    minh = room("Minh")
    minh.page.goto(f"{free_server.origin}/deals/{deal}/")
    minh.page.get_by_role("link", name="Replay of Linh").first.click()
    minh.page.get_by_role("button", name="More").click()
    minh.button("Race this ghost").click()
    minh.at_table()
    expect(minh.rival("Linh").get_by_text("ghost")).to_be_visible()
