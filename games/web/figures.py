"""Tags that draw cards, piles, foundations and a whole deal, for pages without script."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django_vite.core.asset_loader import DjangoViteAssetLoader

from games.engine.deals import layout_of, parse_deal_code
from games.engine.position import Position

register = template.Library()

_WIDTHS = {
    "A": 44, "2": 41, "3": 41, "4": 44, "5": 40, "6": 42, "7": 40, "8": 42, "9": 42, "T": 58,
    "J": 29, "Q": 48, "K": 42, "uk-A": 44, "uk-K": 42, "uk-Q": 48, "uk-J": 42,
}  # fmt: skip
"""Widths of the rank glyphs of the sprite; all are 64 high."""

_FACE = (
    '<use href="{sprite}#rank-{rank}" fill="none" stroke="currentColor" '
    'stroke-width="11" stroke-linejoin="round" x="15" y="17" width="{width}" height="48"/>'
    '<use href="{sprite}#pip-{suit}" fill="currentColor" x="35" y="73" width="56" height="56"/>'
)

_RANKS = {
    "A": gettext_lazy("ace"), "2": gettext_lazy("two"), "3": gettext_lazy("three"),
    "4": gettext_lazy("four"), "5": gettext_lazy("five"), "6": gettext_lazy("six"),
    "7": gettext_lazy("seven"), "8": gettext_lazy("eight"), "9": gettext_lazy("nine"),
    "T": gettext_lazy("ten"), "J": gettext_lazy("jack"), "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
}  # fmt: skip
_SUITS = {
    "S": gettext_lazy("spades"), "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"), "C": gettext_lazy("clubs"),
}  # fmt: skip


@register.simple_tag
def card(code: str, look: str = "") -> SafeString:
    """Draw a card such as "TS", named for screen readers; `look` adds classes to what holds it."""
    name = _("%(rank)s of %(suit)s") % {"rank": _RANKS[code[0]], "suit": _SUITS[code[1]]}
    return _drawn(code, look, format_html('role="img" aria-label="{}"', name))


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
def empty_pile(number: int) -> SafeString:
    """Draw what is left of a pile when its last card is gone."""
    return format_html(
        '<div class="place empty"><div class="stack"><div class="slot"></div></div>'
        '<div class="label"><i>{}</i></div></div>',
        number,
    )


@register.simple_tag
def base(top: str, direction: str, count: int, look: str = "") -> SafeString:
    """Draw a foundation that goes "up" or "down" and holds `count` cards."""
    return format_html(
        '<div class="place found {}"><div class="stack">{}</div><div class="label">'
        '<svg viewBox="0 0 10 10" aria-hidden="true"><path d="{}"/></svg>'
        "<b>{}</b><i>/13</i></div></div>",
        look,
        card(top),
        "M5 1 9.5 8.5H.5Z" if direction == "up" else "M5 9 .5 1.5h9Z",
        count,
    )


@register.simple_tag
def arrow(way: str = "on") -> SafeString:
    """Draw an arrow from a card to where it goes; "back" is the way of an undo."""
    path = "M3 12h37m-8-8 8 8-8 8" if way == "on" else "M14 4 6 10l8 6M6 10h24a6 6 0 0 1 0 12h-8"
    return format_html(
        '<svg class="arr" viewBox="0 0 44 24" aria-hidden="true"><path d="{}"/></svg>', path
    )


@register.simple_tag
def dealt(code: str) -> SafeString:
    """Draw a deal as it lies at the start, sixteen tops around eight bases; for the eye alone."""
    deal = parse_deal_code(code)
    table = Position.of(layout_of(deal), deal.redeals).table
    cells = format_html_join(
        "", '<div class="cell">{}</div>', ((_drawn(top),) for top in table.tops if top)
    )
    homes = format_html_join("", "{}", ((_drawn(top),) for top in (*table.up, *table.down)))
    return format_html(
        '<div class="mini" aria-hidden="true">{}<div class="homes">{}</div></div>', cells, homes
    )


@register.simple_tag
def fan() -> SafeString:
    """Draw the thirteen spades as a hand held open; an ornament."""
    cards = format_html_join("", "{}", ((_drawn(f"{rank}S"),) for rank in "A23456789TJQK"))
    return format_html('<div class="fan">{}</div>', cards)


_NAMELESS = SafeString('aria-hidden="true"')


def _drawn(code: str, look: str = "", name: SafeString = _NAMELESS) -> SafeString:
    return format_html(
        '<span class="hold {}"><svg class="card top s-{}" viewBox="0 0 100 140" {}>{}</svg></span>',
        look,
        code[1],
        name,
        _face(code),
    )


def _face(code: str) -> SafeString:
    rank, suit = code[0], code[1]
    glyph = f"uk-{rank}" if rank in "AKQJ" and get_language() == "uk" else rank
    sprite = DjangoViteAssetLoader.instance().generate_vite_asset_url("src/table/cards.svg")
    width = f"{_WIDTHS[glyph] * 48 / 64:.2f}"
    return format_html(_FACE, sprite=sprite, rank=glyph, suit=suit, width=width)
