"""What the table costs in a browser: bytes of a first visit, time to the table, a move's frames.

Run with `python -m bench.frontend`, in Chromium on a CPU slowed down four times. Exits with 1 where
a limit is missed: 90 kB of script and style, 1,000 ms to the table, 8 ms a frame (p95). Times mean
something on an idle machine only.
"""

import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.frames import (
    BOXES,
    Frame,
    PacedClicks,
    QuietTable,
    busiest,
    frames_while,
    mean_by_event,
    slides,
    until,
)  # fmt: skip
from tests.e2e.conftest import FLAGS
from tests.e2e.table import DEAL
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import ROOT, Server

SLOWDOWN = 4
LOADS = 5
MOVES = 60
SLIDES = 30
SETTLED_MS = 4_000
LIMIT_BYTES, LIMIT_TABLE_MS, LIMIT_MOVE_MS = 90_000, 1_000, 8.0
LIMIT_CARDS = 25_000
DRAWN = "document.querySelectorAll('.board .place:not(.found) svg.card:not(.back)').length === 16"


@contextmanager
def slow_page(browser: Browser, guest: Guest) -> Iterator[tuple[Page, CDPSession]]:
    """A page with an empty cache and a guest's session, on a slowed CPU."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    cookies = [{"name": n, "value": v, "url": guest.origin} for n, v in guest.http.cookies.items()]
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    yield page, session
    context.close()


def first_visit(browser: Browser, guest: Guest, url: str) -> tuple[int, float]:
    """Return the bytes of script and style on the wire, and the ms until the table is drawn."""
    with slow_page(browser, guest) as (page, session):
        kinds = dict[str, str]()
        sizes = dict[str, int]()

        def answered(event: dict[str, Any]) -> None:
            kinds[event["requestId"]] = event["type"]

        def loaded(event: dict[str, Any]) -> None:
            sizes[event["requestId"]] = int(event["encodedDataLength"])

        session.on("Network.responseReceived", answered)
        session.on("Network.loadingFinished", loaded)
        session.send("Network.enable")
        page.add_init_script(
            f"(function look() {{ if ({DRAWN}) window.drawn = performance.now();"
            " else requestAnimationFrame(look); })()"
        )
        page.goto(url)
        page.wait_for_function("() => window.drawn !== undefined")
        took: float = page.evaluate("window.drawn")
        page.wait_for_timeout(300)
        size = sum(
            sizes.get(request, 0)
            for request, kind in kinds.items()
            if kind in {"Script", "Stylesheet"}
        )
        return size, took


def move_frames(browser: Browser, guest: Guest, url: str) -> list[list[Frame]]:
    """Play a game by clicks; return the frames of every move."""
    with slow_page(browser, guest) as (page, session):
        page.goto(url)
        until(page, f"() => {DRAWN}")
        player = QuietTable(page)
        clicks = PacedClicks(player)
        moves = list[list[Frame]]()
        for code in winning_line(DEAL)[:MOVES]:
            moves.append(frames_while(page, session, partial(clicks.act, code)))
            player.follow(code)
        return moves


def slide_frames(browser: Browser, guest: Guest, url: str | None) -> list[Frame]:
    """The busiest frames of clicks that slide a plain box: on the table, or on a page of boxes."""
    with slow_page(browser, guest) as (page, session):
        if url:
            page.goto(url)
            until(page, f"() => {DRAWN}")
        else:
            page.evaluate(BOXES)
        page.wait_for_timeout(SETTLED_MS)
        return slides(page, session, SLIDES)


def percentile(values: list[float], share: float) -> float:
    """Return the value that so many of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def cards_size() -> int:
    """Return what the sprite and all that draws cards from it weigh, compressed together."""
    table = ROOT / "frontend" / "src"
    parts = (
        "table/cards.svg", "table/outlines.ts", "table/faces.ts", "table/Card.svelte",
        "style/card.css",
    )  # fmt: skip
    return len(gzip.compress(b"".join((table / part).read_bytes() for part in parts)))


def main() -> None:
    """Measure everything and print it."""
    with (
        tempfile.TemporaryDirectory() as data,
        Server(Path(data), environment={"CRESCENT_LIMITS": "off"}) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        loads = list[tuple[int, float]]()
        for number in range(LOADS):
            guest, url = _own_table(server.origin, f"Load {number}")
            loads.append(first_visit(browser, guest, url))
        guest, url = _own_table(server.origin, "Moves")
        on_boxes = slide_frames(browser, guest, None)
        on_table = slide_frames(browser, guest, url)
        moves = move_frames(browser, guest, url)
        browser.close()
    frames = [busiest(move) for move in moves]
    drawing = [frame for move in moves for frame in move if frame.by_event.get("Paint")]
    figures = {
        "script and style of a first visit, bytes": (loads[0][0], LIMIT_BYTES),
        "cards, compressed source, bytes": (cards_size(), LIMIT_CARDS),
        f"table drawn at 1/{SLOWDOWN} CPU, median of {LOADS}, ms": (
            round(percentile([took for _, took in loads], 0.5)),
            LIMIT_TABLE_MS,
        ),
        f"frame work of a move at 1/{SLOWDOWN} CPU, p95 of {len(frames)}, ms": (
            round(percentile([frame.work_ms for frame in frames], 0.95), 1),
            LIMIT_MOVE_MS,
        ),
    }
    print(json.dumps({name: value for name, (value, _) in figures.items()}, indent=2))
    for name, measured in {
        "the busiest frame of a move": frames,
        "every frame of a move that paints": drawing,
        "a plain box slides on the table": on_table,
        "a plain box slides among boxes": on_boxes,
    }.items():
        work = [frame.work_ms for frame in measured]
        median, p95 = (round(percentile(work, share), 1) for share in (0.5, 0.95))
        print(f"{name}: p50 {median} ms, p95 {p95} ms", json.dumps(mean_by_event(measured)))
    missed = [name for name, (value, limit) in figures.items() if value > limit]
    for name in missed:
        print(f"missed: {name} should be at most {figures[name][1]:,}", file=sys.stderr)
    sys.exit(1 if missed else 0)


def _own_table(origin: str, name: str) -> tuple[Guest, str]:
    """A new guest with a table for one that has not begun."""
    guest = Guest(origin, name)
    return guest, f"{origin}/races/{guest.open_race(DEAL)}/"


if __name__ == "__main__":
    main()
