"""What a password must be: Django's own validators, in words that every catalogue has."""

from django.contrib.auth.password_validation import (
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.utils.translation import gettext, ngettext


class LongEnough(MinimumLengthValidator):
    """Refuses a password of fewer than eight characters."""

    def get_error_message(self) -> str:
        """Say how long it has to be."""
        text = ngettext(
            "A password has at least %d character.",
            "A password has at least %d characters.",
            self.min_length,
        )
        return text % self.min_length


class UnlikeName(UserAttributeSimilarityValidator):
    """Refuses a password that is nearly the player's name; the setting names the field."""

    def get_error_message(self) -> str:
        """Say what it is too similar to."""
        return gettext("This password is too much like the name.")
