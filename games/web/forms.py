"""The three forms of the site: race friends, play alone, join."""

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.deals import CODE_COUNT, DealCode
from games.models import Openness, Player, StartRule
from games.services import deals, names
from games.services.denied import Denied
from games.services.races import RaceOptions
from games.web.reasons import TEXTS

SEATS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50)
MINUTES = (10, 20, 30, 60, 120, 180)
_INPUT = {"class": "input"}
_CODE = {**_INPUT, "placeholder": "CR1-N-AAAAAAB", "autocomplete": "off", "spellcheck": "false"}


class DealForm(forms.Form):
    """Which deal: a fresh one of some kind, or the one whose code is given (a code wins)."""

    deal = forms.ChoiceField(
        label=_("Deal"),
        choices=[
            ("sealed", _("Sealed: nobody can know the cards")),
            ("random", _("Open: anyone can deal it again")),
            ("four", _("Crescent Four: open, 4 redeals")),
        ],
        widget=forms.Select(attrs=_INPUT),
        initial="sealed",
    )
    code = forms.CharField(
        label=_("Or a deal code"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs=_CODE),
    )

    def clean_code(self) -> str:
        """Bring a deal code into its form."""
        typed: str = self.cleaned_data["code"]
        if not typed:
            return ""
        try:
            return str(deals.read_code(typed))
        except Denied as denied:
            raise forms.ValidationError(TEXTS[denied.reason]) from None

    @property
    def wish(self) -> str:
        """Give the deal as the services take it: "sealed", "random" or a code."""
        if self.cleaned_data["code"]:
            return str(self.cleaned_data["code"])
        if self.cleaned_data["deal"] == "four":
            return str(DealCode.of_number("F", secrets.randbelow(CODE_COUNT)))
        return str(self.cleaned_data["deal"])

    def refuse(self, denied: Denied, *, field: str | None) -> None:
        """Take up a refusal of the services as an error of a field, or of the whole form."""
        self.add_error(field, forms.ValidationError(TEXTS[denied.reason]))


class AloneForm(DealForm):
    """Play alone."""


class RaceForm(DealForm):
    """Race friends. Accounts have their name; a guest may change theirs here."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=names.LONGEST_TYPED,
        widget=forms.TextInput(
            attrs={
                **_INPUT,
                "autocomplete": "nickname",
                "maxlength": 48,
                "placeholder": _("Your name"),
            }
        ),
        error_messages={"required": _("Choose a name that the others will see.")},
    )
    seats = forms.TypedChoiceField(
        label=_("Seats"),
        coerce=int,
        choices=[(seats, seats) for seats in SEATS],
        widget=forms.Select(attrs=_INPUT),
        initial=4,
    )
    openness = forms.ChoiceField(
        label=_("Rivals see"),
        choices=[
            (Openness.PROGRESS, _("Progress only")),
            (Openness.MOVES, _("Moves, no faces")),
            (Openness.CARDS, _("Everything")),
        ],
        widget=forms.Select(attrs=_INPUT),
        initial=Openness.MOVES,
        help_text=_(
            "Progress: cards home, moves and time. Moves: every move is drawn as well, but a "
            "card’s face only where you have uncovered that card yourself. Everything: all faces."
        ),
    )
    start = forms.ChoiceField(
        label=_("Start"),
        choices=[
            (StartRule.HOST, _("When the host starts")),
            (StartRule.ALL_READY, _("When all are ready")),
        ],
        widget=forms.Select(attrs=_INPUT),
        initial=StartRule.HOST,
    )
    time_limit_min = forms.TypedChoiceField(
        label=_("Time limit"),
        coerce=int,
        choices=lambda: [
            (minutes, ngettext("%d minute", "%d minutes", minutes) % minutes) for minutes in MINUTES
        ],
        widget=forms.Select(attrs=_INPUT),
        initial=60,
    )
    undo = forms.BooleanField(label=_("Undo is allowed"), required=False, initial=True)
    listed = forms.BooleanField(
        label=_("List it among the open races: strangers may join"), required=False
    )
    field_order = ["name", "seats"]

    def __init__(self, player: Player | None, name: str | None, *args: Any, **kwargs: Any) -> None:
        """Prepare the form for who is here, None for a visitor, and the name they have chosen."""
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = name
        if player is not None and not player.is_guest:
            del self.fields["name"]

    def clean_name(self) -> str:
        """Bring a name into its form."""
        try:
            return names.clean(self.cleaned_data["name"])
        except Denied as denied:
            raise forms.ValidationError(TEXTS[denied.reason]) from None

    @property
    def options(self) -> RaceOptions:
        """Give the options as the services take them."""
        chosen = self.cleaned_data
        return RaceOptions(
            seats=chosen["seats"],
            openness=chosen["openness"],
            undo=chosen["undo"],
            start=chosen["start"],
            time_limit_min=chosen["time_limit_min"],
            listed=chosen["listed"],
        )

    @property
    def opened_up(self) -> bool:
        """Tell whether the options must be in sight: one of them is wrong, or a code is given."""
        hidden = set(self.errors) - {"name"} if self.is_bound else set()
        return bool(hidden) or bool(self["code"].value())


class JoinForm(forms.Form):
    """One box for whatever a friend has sent."""

    code = forms.CharField(
        label=_("Link or code"),
        max_length=500,
        widget=forms.TextInput(
            attrs={
                **_INPUT,
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "placeholder": _("Link or code"),
            }
        ),
    )
