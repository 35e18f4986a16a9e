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
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.hands import Clicks
from tests.e2e.table import DEAL, TablePage
from tests.support.client import Guest
from tests.support.lines import winning_line
from tests.support.server import ROOT, Server

SLOWDOWN = 4
LOADS = 5
SETTLE_MS = 350
FRAME_US = 16_667
LIMIT_BYTES, LIMIT_TABLE_MS, LIMIT_MOVE_MS = 90_000, 1_000, 8.0
LIMIT_CARDS = 25_000
DRAWN = "document.querySelectorAll('.board .place:not(.found) svg.card:not(.back)').length === 16"
FRAME_WORK = {
    "FunctionCall", "EventDispatch", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize",
    "Commit", "HitTest", "FireAnimationFrame", "RunMicrotasks", "TimerFire",
}  # fmt: skip


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


def frame_work(browser: Browser, guest: Guest, url: str) -> list[float]:
    """Play a game by clicks; return each frame's own work in milliseconds, around every move."""
    with slow_page(browser, guest) as (page, session):
        page.goto(url)
        page.wait_for_function(f"() => {DRAWN}")
        player = TablePage(page)
        clicks = Clicks(player)
        works = list[float]()
        for code in winning_line(DEAL)[:60]:
            events = _traced(page, session, clicks, code)
            works.append(_busiest_frame(events))
            player.follow(code)
        return works


def _traced(page: Page, session: CDPSession, clicks: Clicks, code: str) -> list[dict[str, Any]]:
    """Record what the renderer's main thread does while something is played."""
    events = list[dict[str, Any]]()
    done = list[bool]()
    collect = lambda event: events.extend(event["value"])  # noqa: E731
    finish = lambda _: done.append(True)  # noqa: E731
    session.on("Tracing.dataCollected", collect)
    session.on("Tracing.tracingComplete", finish)
    session.send(
        "Tracing.start",
        {
            "traceConfig": {"includedCategories": ["devtools.timeline"]},
            "transferMode": "ReportEvents",
        },
    )
    if code == "**":
        clicks.redeal()
    else:
        clicks.move(*clicks.path(code), only=clicks.choices(code) == 1)
    page.wait_for_timeout(SETTLE_MS)  # looking at the page meanwhile would be measured too
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(5)
    session.remove_listener("Tracing.dataCollected", collect)
    session.remove_listener("Tracing.tracingComplete", finish)
    return events


def _busiest_frame(events: list[dict[str, Any]]) -> float:
    """Sum the outermost tasks of the page's main thread in each frame; return the largest sum.

    It is the thread's own time that counts: what else the machine does is not the page's work.
    """
    work = sorted(
        (event["ts"], event["ts"] + event["dur"], event.get("tdur", event["dur"]), event["tid"])
        for event in events
        if event.get("ph") == "X" and event["name"] in FRAME_WORK and "dur" in event
    )
    tids = [tid for *_, tid in work]
    main_thread = max(set(tids), key=tids.count, default=0)
    frames, end = dict[int, float](), 0
    for start, stop, own, tid in work:
        if tid != main_thread or start < end:  # within another task that is counted already
            continue
        frame = start // FRAME_US
        frames[frame] = frames.get(frame, 0.0) + own / 1000
        end = stop
    return max(frames.values(), default=0.0)


def percentile(values: list[float], share: float) -> float:
    """Return the value that so many of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def cards_size() -> int:
    """Return what the sprite and the component that draws cards weigh, compressed together."""
    table = ROOT / "frontend" / "src"
    parts = ("table/cards.svg", "table/Card.svelte", "style/card.css")
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
        works = frame_work(browser, guest, url)
        browser.close()
    figures = {
        "script and style of a first visit, bytes": (loads[0][0], LIMIT_BYTES),
        "cards, compressed source, bytes": (cards_size(), LIMIT_CARDS),
        f"table drawn at 1/{SLOWDOWN} CPU, median of {LOADS}, ms": (
            round(percentile([took for _, took in loads], 0.5)),
            LIMIT_TABLE_MS,
        ),
        f"frame work of a move at 1/{SLOWDOWN} CPU, p95 of {len(works)}, ms": (
            round(percentile(works, 0.95), 1),
            LIMIT_MOVE_MS,
        ),
    }
    print(json.dumps({name: value for name, (value, _) in figures.items()}, indent=2))
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
