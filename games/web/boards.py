"""A leaderboard on a page: its rows, the ways to choose another, and /leaderboards/ itself."""

import datetime
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Deal, Game, Player
from games.services import leaderboards, periods
from games.services.boards import ALL_DEALS, DAYS_DEALS, NO_DEAL, Board
from games.services.denied import Denial, Denied
from games.services.leaderboards import Leaderboard, Row
from games.web.pages import page, player_of, render

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

ORDERS = {"time": _("By time"), "moves": _("By moves")}
PERIODS = {"all": _("All time"), "week": _("This week"), "today": _("Today")}
GAMES = {"all": _("All games"), "first": _("First tries"), "no-undo": _("Without undo")}
EXPLAINED = {
    "first": _(
        "A first try is a player’s first game on a deal, as long as they have seen no replay of it."
    ),
    "no-undo": _("Games in which no move was taken back."),
}
SCOPES = {"all": _("All deals"), "daily": _("Deals of the day")}
_USUAL = {"by": "time", "period": "all", "games": "all", "scope": "all", "page": "1"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another board."""

    text: "StrPromise"
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class View:
    """All that the template of a board shows. `asked` are the words that name this board,
    `many` says whether it is over many deals, `scope_word` is its scope in the API."""

    address: str
    asked: dict[str, str]
    board: Board
    found: Leaderboard
    many: bool
    scope_word: str

    @property
    def shared(self) -> set[int]:
        """The ranks that more than one row has."""
        counts = Counter(row.rank for row in self.found.rows)
        return {rank for rank, count in counts.items() if count > 1}

    @property
    def watchable(self) -> set[int]:
        """The ids of the games that everybody may watch."""
        return {row.game.pk for row in self._all_rows() if row.game.race.watchable}

    @property
    def own_below(self) -> Row | None:
        """The reader's row where it isn't among those of this page."""
        own = self.found.own
        return None if own in self.found.rows else own

    @property
    def first(self) -> Game | None:
        """The first game on the board, where its page shows it and everybody may watch it."""
        row = self.found.rows[0] if self.found.rows and self.found.page == 1 else None
        return row.game if row is not None and row.game.race.watchable else None

    @property
    def rivals(self) -> tuple[Game, Game] | None:
        """The reader's game and the first on a deal's board, where both may be watched."""
        own, first = self.found.own, self.found.rows[0] if self.found.rows else None
        if self.many or own is None or first is None or own.game.pk == first.game.pk:
            return None
        both = own.game.race.watchable and first.game.race.watchable
        return (own.game, first.game) if both else None

    @property
    def explanation(self) -> "StrPromise | None":
        """What the chosen games are, where the choice doesn't say it by itself."""
        return EXPLAINED.get(self.asked["games"])

    @property
    def orders(self) -> list[Choice]:
        """By time, by moves."""
        return self._choices("by", ORDERS)

    @property
    def periods(self) -> list[Choice]:
        """All time, this week, today."""
        return self._choices("period", PERIODS)

    @property
    def selections(self) -> list[Choice]:
        """All games, first tries, without undo."""
        return self._choices("games", GAMES)

    @property
    def scopes(self) -> list[Choice]:
        """All deals, deals of the day."""
        return self._choices("scope", SCOPES) if "scope" in self.asked else []

    @property
    def fixed_period(self) -> str:
        """The name of a day or week that is neither of the present, "" otherwise."""
        period = self.board.period
        if self.asked["period"] in PERIODS:
            return ""
        if period > 0:
            return date_format(periods.date_of(period))
        monday = periods.monday_of(period)
        sunday = monday + datetime.timedelta(days=6)
        return f"{date_format(monday)} – {date_format(sunday)}"

    @property
    def before(self) -> str:
        """Where the page before is, "" on the first."""
        return self._link(page=str(self.found.page - 1)) if self.found.page > 1 else ""

    @property
    def after(self) -> str:
        """Where the next page is, "" on the last."""
        more = self.found.page < self.found.pages
        return self._link(page=str(self.found.page + 1)) if more else ""

    @property
    def own_place(self) -> str:
        """Where the page with the reader's row is, "" where they see it in its place or have none;
        many equals before it may put it on a later page."""
        own = self.own_below
        return self._link(page=str(1 + (own.rank - 1) // leaderboards.PAGE_SIZE)) if own else ""

    @property
    def part(self) -> str:
        """Where this very board is alone."""
        words = {**self.asked, "page": str(self.found.page), "part": "board"}
        return f"{self.address}?{urlencode(words)}"

    @property
    def data(self) -> str:
        """What names this board in the address of its CSV and JSON."""
        period = periods.write(self.board.period)
        return urlencode({**self.asked, "scope": self.scope_word, "period": period})

    def _all_rows(self) -> list[Row]:
        return [*self.found.rows, *([self.found.own] if self.found.own else [])]

    def _choices(self, name: str, texts: "dict[str, StrPromise]") -> list[Choice]:
        return [
            Choice(text, self._link(**{name: word, "page": "1"}), self.asked[name] == word)
            for word, text in texts.items()
        ]

    def _link(self, **changes: str) -> str:
        asked = {**self.asked, "page": str(self.found.page), **changes}
        told = {name: word for name, word in asked.items() if word != _USUAL[name]}
        return f"{self.address}{'?' if told else ''}{urlencode(told)}#board"


def view_of(
    request: HttpRequest,
    *,
    address: str,
    reader: Player | None,
    deal: Deal | None = None,
    day: str | None = None,
) -> View:
    """Read the board that a request asks for at `address`: over one deal, over the deal of one day
    (2026-11-30), or else in the scope that is asked for too.

    :raises Denied: bad_option.
    """
    asked = {name: request.GET.get(name, _USUAL[name]) for name in ("by", "period", "games")}
    word = deal.code if deal else "daily"
    if deal is None and day is None:
        asked["scope"] = word = request.GET.get("scope", "all")
        if word not in SCOPES:
            raise Denied(Denial.BAD_OPTION, "scope must be all or daily.")
    scope = ALL_DEALS if word == "all" else DAYS_DEALS
    board = leaderboards.board_of(
        scope=scope if deal is None else deal.pk or NO_DEAL,
        period=day or asked["period"],
        games=asked["games"],
        by=asked["by"],
    )
    found = leaderboards.read(board=board, reader=reader, page=number_of(request, "page"))
    return View(address, asked, board, found, "scope" in asked, word)


def number_of(request: HttpRequest, name: str) -> int:
    """Read the number of a page from the query, 1 where there is none."""
    text = request.GET.get(name, "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1


@page
def boards(request: HttpRequest) -> HttpResponse:
    """Show a board over many deals: ?scope, ?period, ?games, ?by and ?page say which."""
    view = view_of(request, address=reverse("leaderboards"), reader=player_of(request))
    empty = gettext("Nobody stands here yet. Win a game, and the first line is yours.")
    play = reverse("daily" if view.scope_word == "daily" else "home")
    return show(request, "games/leaderboards.html", {"view": view, "empty": empty, "play": play})


def show(
    request: HttpRequest,
    template: str,
    board: dict[str, Any],
    rest: Callable[[], dict[str, Any]] = dict,
) -> HttpResponse:
    """Render a page with a board (`view`, and `empty` for one without rows) and the `rest` that it
    shows, or the board alone where ?part=board asks for it: the page in a browser does, every few
    seconds, to keep it up to date, and then the rest isn't read."""
    if request.GET.get("part") == "board":
        return render(request, "games/board.html", board)
    return render(request, template, {**board, **rest()})
