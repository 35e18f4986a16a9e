"""What `manage.py check --deploy` finds wrong with the settings of a server on the internet."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=True)
def check_production(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:
    """Refuse what is meant for a home network, a test or a benchmark."""
    found: list[CheckMessage] = []
    if not settings.LIMITS:
        found.append(
            Error(
                "CRESCENT_LIMITS is off: anybody may flood the server.",
                hint="Unset it; it is for tests and benchmarks.",
                id="crescent.E001",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "CRESCENT_HOSTS is unset: the site answers to any name.",
                hint="Set it to the names that the site is reached by, with commas.",
                id="crescent.E002",
            )
        )
    if not settings.SECRET_KEY_GIVEN:
        found.append(
            Error(
                "CRESCENT_SECRET_KEY is unset: each data folder would have a secret of its own.",
                hint="Set it to at least 50 random characters, the same for all processes.",
                id="crescent.E003",
            )
        )
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") and not settings.REDIS_URL:
        found.append(
            Error(
                "DATABASE_URL is set and REDIS_URL is not: several processes would not hear each "
                "other's moves for seconds.",
                hint="Set REDIS_URL.",
                id="crescent.E004",
            )
        )
    return found
