"""The forms of an account: make one, sign in, change the password. The work is Django's."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth import forms as auth
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.services import accounts, names
from games.services.denied import Denied
from games.web.reasons import TEXTS

if TYPE_CHECKING:
    SetPasswordForm = auth.SetPasswordForm[Player]
else:
    SetPasswordForm = auth.SetPasswordForm


LONGEST_PASSWORD = 1_000
LONGEST_KEPT = 4_000
"""Characters of what a browser keeps; a few hundred are what it needs."""


def _password(label: Any, *, autocomplete: str = "new-password") -> forms.CharField:
    attrs = {"class": "input", "autocomplete": autocomplete}
    return forms.CharField(
        label=label,
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs=attrs),
    )


class KeepForm(SetPasswordForm):
    """Make an account: a name and a password."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=names.LONGEST_TYPED,
        widget=forms.TextInput(
            attrs={"class": "input", "autocomplete": "username", "maxlength": 48}
        ),
        error_messages={"required": _("Choose a name that the others will see.")},
    )
    kept = forms.CharField(
        required=False,
        max_length=LONGEST_KEPT,
        widget=forms.HiddenInput(attrs={"data-browsers": True, "autocomplete": "off"}),
    )
    new_password1 = _password(_("Password"))
    new_password2 = _password(_("Password again"))
    field_order = ["name"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Prepare the form; the password is held against a player with the name alone."""
        super().__init__(Player(), *args, **kwargs)

    def clean_name(self) -> str:
        """Bring the name into its form."""
        try:
            self.user.name = names.clean(self.cleaned_data["name"])
        except Denied as denied:
            raise forms.ValidationError(TEXTS[denied.reason]) from None
        return self.user.name


class SignInForm(auth.AuthenticationForm):
    """Sign in, by the name in any of its spellings."""

    # Given here, for what Django's form sets of itself later only cuts the box and checks nothing.
    username = auth.UsernameField(
        label=_("Your name"),
        max_length=names.LONGEST_TYPED,
        widget=forms.TextInput(attrs={"class": "input"}),
    )
    password = _password(_("Password"), autocomplete="current-password")
    take_along = forms.BooleanField(
        label=_("Take along what I have played here"), required=False, initial=True
    )
    error_messages = {
        **auth.AuthenticationForm.error_messages,
        "invalid_login": _("No account has this name and this password."),
    }

    def __init__(self, *args: Any, guest: bool, **kwargs: Any) -> None:
        """Prepare the form; `guest` says that there are games to take along."""
        super().__init__(*args, **kwargs)
        if not guest:
            del self.fields["take_along"]

    def clean_username(self) -> str:
        """Return the key that accounts are found by."""
        return accounts.key_of(self.cleaned_data["username"])


class PasswordForm(auth.PasswordChangeForm):
    """Change the password."""

    old_password = _password(_("Password until now"), autocomplete="current-password")
    new_password1 = _password(_("New password"))
    new_password2 = _password(_("New password again"))
