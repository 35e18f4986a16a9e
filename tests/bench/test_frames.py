"""The trace of a page is divided into frames, and what is nested is counted once."""

from bench.frames import Event, frames_of, mean_by_event


def event(name: str, start: int, dur: int, tid: int = 1) -> Event:
    return {"ph": "X", "name": name, "ts": start, "dur": dur, "tdur": dur, "pid": 1, "tid": tid}


def test_a_frame_is_what_lies_between_two_commits_and_nested_work_is_counted_once() -> None:
    trace = [
        event("EventDispatch", 0, 4_000),
        event("FunctionCall", 1_000, 3_000),
        event("RunTask", 0, 9_000),
        event("Paint", 5_000, 2_000),
        event("Commit", 7_000, 500),
        event("Layout", 9_000, 1_000),
        event("Commit", 10_000, 500),
        event("Paint", 0, 90_000, tid=2),
    ]
    first, second, rest = frames_of(trace)
    assert (first.work_ms, second.work_ms, rest.work_ms) == (6.5, 1.5, 0)
    assert dict(first.by_event) == {
        "EventDispatch": 1.0, "FunctionCall": 3.0, "Paint": 2.0, "Commit": 0.5,
    }  # fmt: skip
    assert mean_by_event([first, second])["Paint"] == 1.0
