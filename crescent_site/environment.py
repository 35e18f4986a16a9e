"""Reads settings from the environment; what can't be meant is refused with a clear message."""

import os
import secrets
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_ON, _OFF = {"on", "1", "true", "yes"}, {"off", "0", "false", "no"}


def flag(name: str, *, default: bool) -> bool:
    """Read on or off."""
    value = os.environ.get(name, "").lower()
    if value == "":
        return default
    if value not in _ON | _OFF:
        message = f"{name} must be on or off, not {value!r}"
        raise ImproperlyConfigured(message)
    return value in _ON


def given(name: str) -> bool:
    """Tell whether a setting is given at all."""
    return bool(os.environ.get(name))


def names(name: str) -> list[str]:
    """Read a list with commas."""
    return [item.strip() for item in os.environ.get(name, "").split(",") if item.strip()]


def number(name: str, default: int) -> int:
    """Read a whole number above 0."""
    value = os.environ.get(name, "") or str(default)
    if not value.isdecimal() or int(value) < 1:
        message = f"{name} must be a whole number above 0, not {value!r}"
        raise ImproperlyConfigured(message)
    return int(value)


def rate(name: str, default: str) -> tuple[int, int]:
    """Read a rate such as 300/60: so many in so many seconds."""
    value = os.environ.get(name, "") or default
    count, _, seconds = value.partition("/")
    if not (count.isdecimal() and seconds.isdecimal() and int(count) and int(seconds)):
        message = f"{name} must be a count and seconds such as {default}, not {value!r}"
        raise ImproperlyConfigured(message)
    return int(count), int(seconds)


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Read a list of addresses and networks."""
    try:
        return [ip_network(item) for item in names(name)]
    except ValueError as error:
        message = f"{name} must list addresses or networks such as 10.0.0.0/8: {error}"
        raise ImproperlyConfigured(message) from None


def choice(name: str, *choices: str) -> str:
    """Read one of some words; the first is the default."""
    value = os.environ.get(name, "") or choices[0]
    if value not in choices:
        message = f"{name} must be {' or '.join(choices)}, not {value!r}"
        raise ImproperlyConfigured(message)
    return value


def secret(data: Path) -> str:
    """Read the signing secret: given, else made once and kept in the data folder."""
    given = os.environ.get("CRESCENT_SECRET_KEY", "")
    if given:
        return given
    data.mkdir(parents=True, exist_ok=True)
    kept = data / "secret"
    try:
        handle = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return kept.read_text().strip()
    with os.fdopen(handle, "w") as file:
        made = secrets.token_urlsafe(48)
        file.write(made)
    return made
