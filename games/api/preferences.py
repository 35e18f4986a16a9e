"""/api/settings: an account's choices, which go along to every device."""

from django.http import HttpRequest

from games.api import json
from games.api.operations import Endpoint, Operation
from games.services import preferences
from games.services.denied import Denial
from games.services.preferences import Preferences


def change_settings(request: HttpRequest) -> Preferences:
    """Choose what the body names, and tell all that is chosen."""
    player = json.signed_in(request)
    changes = json.read(request, Preferences, Denial.BAD_OPTION)
    return preferences.change(player=player, changes=changes)


settings = Endpoint(
    post=Operation(
        change_settings,
        body=Preferences,
        denied=(Denial.BAD_OPTION, Denial.SIGN_IN),
        needs_session=True,
        changes=True,
    )
)
