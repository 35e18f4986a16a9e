"""What a move costs the page's main thread, frame by frame, from a trace of Chromium.

A frame is all that the thread does from one commit to the next: input, script, style, layout, paint
and the hand-over to the compositor. Its own work is the thread's time in the events of `WORK`; what
the browser spends on tasks around them, as it does for an empty page, is not counted.

Cards are played by raw input events and the page is asked by plain evaluation only, so nothing of
the driver runs in it while it is recorded: whatever looks by a locator leaves listeners behind,
which would be counted with every click. The pace is that of a quick hand, since all events of a
move sent at once would share one frame as no player's do. A trace costs time itself, most where
the CPU is slowed, and is counted.

What any frame costs, whatever it shows, is measured by the same count: by clicks that slide one
plain box, on an empty page of 24 such boxes and on the table itself.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.e2e.hands import Clicks
from tests.e2e.table import SHOWS, TablePage, names_of

Event = dict[str, Any]

WORK = {
    "EventDispatch", "FunctionCall", "RunMicrotasks", "TimerFire", "FireAnimationFrame", "HitTest",
    "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "MinorGC", "MajorGC",
}  # fmt: skip
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
APPROACH_MS, PRESS_MS, BETWEEN_MS = 60, 60, 120
SETTLE_MS = 350


@dataclass
class Frame:
    """One frame's own work in milliseconds, and how it divides among the kinds of events."""

    work_ms: float = 0.0
    by_event: dict[str, float] = field(default_factory=lambda: defaultdict(float))


BOXES = """() => {
  document.body.style.margin = '0';
  for (let number = 0; number < 24; number++) {
    const [left, top] = [(number % 8) * 80, 100 + Math.floor(number / 8) * 100];
    const box = document.createElement('div');
    box.style.cssText =
      `position:absolute;left:${left}px;top:${top}px;width:60px;height:84px;background:#ccc`;
    document.body.append(box);
  }
}"""
SLIDES = """() => {
  const box = document.createElement('div');
  box.style.cssText = 'position:absolute;top:0;left:0;width:60px;height:84px;background:#ccc;'
    + 'pointer-events:none;will-change:transform';
  (document.querySelector('.sky') ?? document.body).append(box);
  let x = 0;
  document.addEventListener('click', () => {
    const [from, to] = [`translate(${x}px,0)`, `translate(${(x = 200 - x)}px,0)`];
    box.style.transform = to;
    box.animate([{ transform: from }, { transform: to }], { duration: 180, easing: 'ease-out' });
  });
}"""
BESIDE = (30.0, 760.0)
"""A spot of the window with nothing to click at."""


def until(page: Page, question: str, arg: object = None) -> None:
    """Wait until a function of the page answers true, and leave nothing behind in the page."""
    while not page.evaluate(question, arg):
        page.wait_for_timeout(50)


class QuietTable(TablePage):
    """A table that is waited for without leaving anything in its page."""

    def settled(self, timeout: float = 10_000) -> None:
        """Wait until every place shows what it should."""
        until(self.page, SHOWS, names_of(self.position.table))


class PacedClicks(Clicks):
    """A mouse as a hand moves it: there, down, up, and on to the next place."""

    def __init__(self, player: TablePage) -> None:
        super().__init__(player)
        left, top, width, height = self.page.evaluate(
            """() => {
              const button = document.querySelector('.actions button:nth-child(2)');
              const { x, y, width, height } = button.getBoundingClientRect();
              return [x, y, width, height];
            }"""
        )
        self._button = (left + width / 2, top + height / 2)

    def move(self, source: str, target: str, *, only: bool) -> None:
        for place in [source] if only else [source, target]:
            self._click(self.boxes[place])

    def redeal(self) -> None:
        self._click(self._button)

    def _click(self, spot: tuple[float, float]) -> None:
        paced_click(self.page, spot)


def paced_click(page: Page, spot: tuple[float, float]) -> None:
    """Move the mouse to a spot, press and let go, with a hand's pauses."""
    page.mouse.move(*spot)
    page.wait_for_timeout(APPROACH_MS)
    page.mouse.down()
    page.wait_for_timeout(PRESS_MS)
    page.mouse.up()
    page.wait_for_timeout(BETWEEN_MS)


def frames_while(page: Page, session: CDPSession, act: Callable[[], None]) -> list[Frame]:
    """Record the page while `act` runs and its cards come to rest; return its frames."""
    return list(frames_of(_record(page, session, act)))


def busiest(frames: Iterable[Frame]) -> Frame:
    """Return the frame with the most work."""
    return max(frames, key=lambda frame: frame.work_ms, default=Frame())


def slides(page: Page, session: CDPSession, clicks: int) -> list[Frame]:
    """Have a click slide one plain box on this page; return the busiest frame of every click."""
    page.evaluate(SLIDES)
    click = partial(paced_click, page, BESIDE)
    return [busiest(frames_while(page, session, click)) for _ in range(clicks)]


def frames_of(events: Iterable[Event]) -> Iterator[Frame]:
    """Divide the work of the busiest main thread of a trace into frames."""
    work = [event for event in events if event.get("ph") == "X" and event["name"] in WORK]
    threads = Counter((event["pid"], event["tid"]) for event in work)
    main = max(threads, key=lambda thread: threads[thread], default=None)
    own = [event for event in work if (event["pid"], event["tid"]) == main and "tdur" in event]
    frame, open_until = Frame(), list[tuple[int, str]]()
    for event in sorted(own, key=lambda event: (event["ts"], -event["dur"])):
        took = event["tdur"] / 1000
        while open_until and open_until[-1][0] <= event["ts"]:
            open_until.pop()
        if open_until:  # within another that is counted: only the kind of work differs
            frame.by_event[open_until[-1][1]] -= took
        else:
            frame.work_ms += took
        frame.by_event[event["name"]] += took
        open_until.append((event["ts"] + event["dur"], event["name"]))
        if event["name"] == "Commit":
            yield frame
            frame, open_until = Frame(), []
    yield frame


def mean_by_event(frames: list[Frame]) -> dict[str, float]:
    """Return how many milliseconds of these frames each kind of event took on average."""
    kinds = {kind for frame in frames for kind in frame.by_event}
    means = {k: sum(f.by_event.get(k, 0.0) for f in frames) / len(frames) for k in kinds}
    return {
        kind: round(ms, 1)
        for kind, ms in sorted(means.items(), key=lambda item: -item[1])
        if ms > 0.05
    }


def _record(page: Page, session: CDPSession, act: Callable[[], None]) -> list[Event]:
    events, done = list[Event](), list[bool]()
    collect = lambda event: events.extend(event["value"])  # noqa: E731
    finish = lambda _: done.append(True)  # noqa: E731
    session.on("Tracing.dataCollected", collect)
    session.on("Tracing.tracingComplete", finish)
    config = {"includedCategories": CATEGORIES}
    session.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
    act()
    page.wait_for_timeout(SETTLE_MS)  # looking at the page meanwhile would be measured too
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(5)
    session.remove_listener("Tracing.dataCollected", collect)
    session.remove_listener("Tracing.tracingComplete", finish)
    return events
