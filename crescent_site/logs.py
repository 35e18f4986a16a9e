"""Log lines: for people, or as JSON for whoever collects them (CRESCENT_LOG=json)."""

import json
import logging
from datetime import UTC, datetime

MARKS = ("race", "game", "player", "address")
"""What a line may be about; whoever logs gives it as `extra`. Never a card face or a name."""


def marks_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the marks that a line has."""
    found = {mark: getattr(record, mark, None) for mark in MARKS}
    return {mark: value for mark, value in found.items() if value is not None}


class NoTraceOfMistakes(logging.Filter):
    """Keeps errors and stack traces for what went wrong here: a client's mistake, an answer below
    500 or a frame that is no UTF-8, is one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass."""
        if _is_mistake(record):
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


def _is_mistake(record: logging.LogRecord) -> bool:
    kind = record.exc_info[0] if record.exc_info else None
    no_text = record.name.startswith("uvicorn") and kind is UnicodeDecodeError
    return no_text or getattr(record, "status_code", 500) < 500


class Lines(logging.Formatter):
    """Writes what happened, then the marks in brackets."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        """Write the first line."""
        marks = " ".join(f"{mark}={value}" for mark, value in marks_of(record).items())
        return super().formatMessage(record) + (f" [{marks}]" if marks else "")


class JsonLines(logging.Formatter):
    """Writes time, level, logger, message, the marks that are given, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **marks_of(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
