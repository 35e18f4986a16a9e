"""Preferences: an account's are stored, and what can't be meant never is."""

import json
from typing import Any

import pytest

from games.models import Player
from games.services import accounts, preferences
from games.services.denied import Denial, Denied
from games.services.preferences import Preferences
from tests.services.scenes import at_once, guest

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def account(chosen: Preferences = accounts.NOTHING_CHOSEN) -> Player:
    return accounts.keep(
        player=guest(), name="Anh", password="x" * 12, language="uk", chosen=chosen
    )


def test_an_account_takes_along_what_its_browser_kept_and_changes_one_thing_at_a_time() -> None:
    player = account(Preferences(theme="dark", sound="on"))
    preferences.change(player=player, changes=Preferences(cards="s"))
    told = preferences.change(player=player, changes=Preferences(theme="auto"))
    assert told == Preferences(theme="auto", sound="on", cards="s")
    player.refresh_from_db()
    assert player.preferences == {"theme": "auto", "sound": "on", "cards": "s"}


def test_a_guests_choices_are_not_stored() -> None:
    player = guest()
    with pytest.raises(Denied) as caught:
        preferences.change(player=player, changes=Preferences(theme="dark"))
    assert caught.value.reason == Denial.SIGN_IN
    player.refresh_from_db()
    assert player.preferences == {}


def test_choices_made_at_once_are_all_kept() -> None:
    player = account()
    changes = (Preferences(theme="dark"), Preferences(sound="on"), Preferences(suits="4"))
    works = [lambda one=one: preferences.change(player=player, changes=one) for one in changes]
    assert not [one for one in at_once(*works) if isinstance(one, Exception)]
    player.refresh_from_db()
    assert player.preferences == {"theme": "dark", "sound": "on", "suits": "4"}


@pytest.mark.parametrize(
    ("told", "good"),
    [
        ('{"theme":"dark","suits":"4","mirrored":"on"}', {"theme", "suits", "mirrored"}),
        ('{"theme":"pink","suits":"4","else":"on","sound":true}', {"suits"}),
        ('{"theme":null}', set()),
        *(
            (text, set())
            for text in ("", "null", "[]", "{", "7", "\ud800", "[" * 10_000, '{"x":' * 10_000)
        ),
    ],
)
def test_of_what_a_browser_says_only_choices_are_taken(told: str, good: set[str]) -> None:
    kept = preferences.stored(preferences.of_browser(told))
    assert set(kept) == good
    assert all(json.loads(told)[name] == value for name, value in kept.items())
