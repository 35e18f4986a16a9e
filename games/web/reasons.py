"""Every refusal of the services, as it is told to a player in their language."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from games.services.denied import Denial

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

TEXTS: "dict[Denial, StrPromise]" = {
    Denial.NOT_FOUND: _("There is nothing at this address. Check the link, or open a new race."),
    Denial.NOT_A_RACER: _("You have no seat in this race. You can watch it."),
    Denial.NOT_STARTED: _("The race hasn’t started yet."),
    Denial.NOT_HOST: _("Only the host of the race can do this."),
    Denial.RACE_STARTED: _("The race has already started. You can watch it."),
    Denial.RACE_FULL: _("Every seat in this race is taken. You can watch it."),
    Denial.RACE_CLOSED: _("This race is over. You can open a new one."),
    Denial.DEAL_CLOSED: _(
        "This deal is closed for now: a game on it is still being played, perhaps your own. "
        "Come back when it is over."
    ),
    Denial.REMOVED: _("The host has removed you from this race."),
    Denial.TOO_FAST: _("That was too fast. Wait a moment and try again."),
    Denial.TOO_MANY_RACES: _("You have too many open races. Finish or leave one of them first."),
    Denial.BAD_MESSAGE: _("The server couldn’t read this. Reload the page and try again."),
    Denial.BAD_NAME: _(
        "A name has 2 to 24 characters, at least one of them a letter or a digit, "
        "and nothing invisible."
    ),
    Denial.NAME_TAKEN: _("Somebody here already has this name or one that looks like it."),
    Denial.BAD_DEAL: _("There is no such deal. A deal code looks like CR1-N-AAAAAAB."),
    Denial.BAD_OPTION: _("One of the options is out of range. Choose another value."),
    Denial.STILL_PLAYING: _(
        "You sit in a race that isn’t over. Finish it, leave it or resign first; "
        "or sign in without your games."
    ),
    Denial.SIGN_IN: _("Give yourself a name first."),
    Denial.UNAVAILABLE: _("The server is too busy at the moment. Try again in a minute."),
}
