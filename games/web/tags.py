"""Tags and filters of the templates: cards as SVG, times, initials, the look of the page."""

import json
from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django_vite.core.asset_loader import DjangoViteAssetLoader

from games.models import Player

register = template.Library()

_WIDTHS = {
    "A": 44, "2": 41, "3": 41, "4": 44, "5": 40, "6": 42, "7": 40, "8": 42, "9": 42, "T": 58,
    "J": 29, "Q": 48, "K": 42, "uk-A": 44, "uk-K": 42, "uk-Q": 48, "uk-J": 42,
}  # fmt: skip
"""Widths of the rank glyphs of the sprite; all are 64 high."""

_LOOKS = {"theme": ("light", "dark"), "suits": ("4",), "cards": ("m", "s")}
"""What an attribute of <html> says of the look; without it the look is the usual one."""

_FACE = (
    '<use href="{sprite}#rank-{rank}" fill="none" stroke="currentColor" '
    'stroke-width="11" stroke-linejoin="round" x="15" y="17" width="{width}" height="48"/>'
    '<use href="{sprite}#pip-{suit}" fill="currentColor" x="35" y="73" width="56" height="56"/>'
)


@register.simple_tag
def card(code: str, look: str = "") -> SafeString:
    """Draw a card such as "TS"; `look` adds classes to what holds it."""
    return format_html(
        '<span class="hold {}"><svg class="card top s-{}" viewBox="0 0 100 140" aria-hidden="true">'
        "{}</svg></span>",
        look,
        code[1],
        _face(code),
    )


@register.simple_tag
def pile(top: str, height: int, number: int, look: str = "") -> SafeString:
    """Draw a pile of `height` cards with its number; `look` is sel (chosen) or ok (a target)."""
    return format_html(
        '<div class="place {}" data-n="{}"><div class="stack"><div class="edge"></div>{}</div>'
        '<div class="label"><i>{}</i><i>·</i><b>{}</b></div></div>',
        look,
        height,
        card(top),
        number,
        height,
    )


@register.simple_tag
def base(top: str, direction: str, count: int, look: str = "") -> SafeString:
    """Draw a foundation that goes "up" or "down" and holds `count` cards."""
    return format_html(
        '<div class="place found {}"><div class="stack">{}</div><div class="label">'
        '<svg viewBox="0 0 10 10" aria-hidden="true"><path d="{}"/></svg>'
        "<b>{}</b><i>/ 13</i></div></div>",
        look,
        card(top),
        "M5 1 9.5 8.5H.5Z" if direction == "up" else "M5 9 .5 1.5h9Z",
        count,
    )


@register.simple_tag
def arrow() -> SafeString:
    """Draw an arrow from a card to where it goes."""
    return format_html(
        '<svg class="arr" viewBox="0 0 44 24" aria-hidden="true"><path d="{}"/></svg>',
        "M3 12h37m-8-8 8 8-8 8",
    )


@register.simple_tag
def fan() -> SafeString:
    """Draw the thirteen spades as a hand held open."""
    cards = format_html_join("", "{}", ((card(f"{rank}S"),) for rank in "A23456789TJQK"))
    return format_html('<div class="fan">{}</div>', cards)


def _face(code: str) -> SafeString:
    rank, suit = code[0], code[1]
    glyph = f"uk-{rank}" if rank in "AKQJ" and get_language() == "uk" else rank
    sprite = DjangoViteAssetLoader.instance().generate_vite_asset_url("src/table/cards.svg")
    width = f"{_WIDTHS[glyph] * 48 / 64:.2f}"
    return format_html(_FACE, sprite=sprite, rank=glyph, suit=suit, width=width)


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
def initial(name: str) -> str:
    """Give the first letter of a name, for an avatar."""
    return name[:1]


@register.filter
def times(count: int) -> range:
    """Let a template repeat something."""
    return range(count)
