"""Periods of the leaderboards: all time, a day and an ISO week, both UTC, each as one number."""

import datetime
import re

from games import clock
from games.services.denied import Denial, Denied

ALL_TIME = 0
DAY_MS = 24 * 3600 * 1000
_EPOCH = datetime.date(1970, 1, 1)
_FIRST_MONDAY = 3  # 1970-01-01 was a Thursday: the week it lies in began three days before
_WEEK = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def day_of(ms: int) -> int:
    """Return the number of the day that a moment (Unix, milliseconds) lies in: 1 is 1970-01-02."""
    return ms // DAY_MS


def week_of(day: int) -> int:
    """Return the number of the ISO week that a day lies in; those of weeks are below zero."""
    return -((day + _FIRST_MONDAY) // 7)


def holding(day: int) -> tuple[int, int, int]:
    """Return every period that a day lies in: all time, its week, itself."""
    return (ALL_TIME, week_of(day), day)


def today() -> int:
    """Return the number of the present day."""
    return day_of(clock.now_ms())


def date_of(day: int) -> datetime.date:
    """Return the date of a day."""
    return _EPOCH + datetime.timedelta(days=day)


def number_of(date: datetime.date) -> int:
    """Return the number of a date."""
    return (date - _EPOCH).days


def starts_at(day: int) -> int:
    """Return when a day begins (Unix, milliseconds)."""
    return day * DAY_MS


def monday_of(week: int) -> datetime.date:
    """Return the first day of a week."""
    return date_of(-7 * week - _FIRST_MONDAY)


def read(text: str) -> int:
    """Read "all", "today", "week", "2026-11-30" or "2026-W49".

    :raises Denied: bad_option.
    """
    if text == "all":
        return ALL_TIME
    if text == "today":
        return today()
    if text == "week":
        return week_of(today())
    try:
        if _DAY.fullmatch(text):
            return _later(number_of(datetime.date.fromisoformat(text)))
        week = _WEEK.fullmatch(text)
        if week:
            monday = datetime.date.fromisocalendar(int(week[1]), int(week[2]), 1)
            return -_later(-week_of(number_of(monday)))
    except ValueError:
        pass
    raise Denied(Denial.BAD_OPTION, "period must be all, today, week, 2026-11-30 or 2026-W49.")


def write(period: int) -> str:
    """Write a period as `read` takes it, by its own name: "all", "2026-11-30", "2026-W49"."""
    if period == ALL_TIME:
        return "all"
    if period > 0:
        return date_of(period).isoformat()
    year, week, _ = monday_of(period).isocalendar()
    return f"{year}-W{week:02}"


def _later(number: int) -> int:
    """Refuse what lies before the numbers begin."""
    if number < 1:
        raise ValueError(number)
    return number
