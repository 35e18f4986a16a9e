"""Tags and filters of the templates: times, initials, the look of the page."""

import json
from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.models import Player

register = template.Library()

_LOOKS = {"theme": ("light", "dark"), "suits": ("4",), "cards": ("m", "s")}
"""What an attribute of <html> says of the look; without it the look is the usual one."""


@register.simple_tag(takes_context=True)
def look(context: dict[str, Any]) -> SafeString:
    """Give the attributes of <html> by which the page is drawn as its reader wants it from the
    first byte: an account has it in its row, everybody else's browser tells it by cookies."""
    request = context.get("request")
    if request is None:  # an error page, which asks nobody
        return SafeString()
    player = getattr(request, "user", None)  # which an error before the session has not
    if isinstance(player, Player) and not player.is_guest:
        account: dict[str, str] = player.preferences
        told = {name: account.get(name) for name in _LOOKS}
        kept = [("account", json.dumps(account))]
    else:
        told = {name: request.COOKIES.get(name) for name in ("theme", "suits")}
        kept = []
    shown = [(name, value) for name, value in told.items() if value in _LOOKS[name]]
    return format_html_join("", ' data-{}="{}"', [*shown, *kept])


@register.filter
def result_time(ms: int) -> str:
    """Write a result in minutes, seconds and tenths, cut and not rounded: 05:48.9, 1:02:03.4."""
    seconds, rest = divmod(max(0, ms), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    front = f"{hours}:" if hours else ""
    return f"{front}{minutes:02}:{seconds:02}.{rest // 100}"


@register.filter
def card_text(code: str) -> str:
    """Write a card such as "TS" in two or three signs, by the letters of the language: 10♠."""
    rank, suit = code[0], "♠♥♦♣"["SHDC".index(code[1])]
    letters = {"A": "Т", "K": "К", "Q": "Д", "J": "В"} if get_language() == "uk" else {}
    return f"{letters.get(rank, rank).replace('T', '10')}{suit}"


@register.filter
def day_of(ms: int) -> date:
    """Give the day (UTC) of a Unix time in milliseconds."""
    return datetime.fromtimestamp(ms / 1000, tz=UTC).date()


@register.filter
def og_locale(language: str) -> str:
    """Name a language as Open Graph wants it: with a country."""
    return {"uk": "uk_UA", "vi": "vi_VN"}.get(language, "en_US")


@register.filter
def own_name(language: str) -> str:
    """Name a language as its speakers do, whatever the page's is."""
    return dict(settings.LANGUAGES)[language]


@register.filter
def initial(name: str) -> str:
    """Give the first letter of a name, for an avatar."""
    return name[:1]


@register.filter
def times(count: int) -> range:
    """Let a template repeat something."""
    return range(count)
