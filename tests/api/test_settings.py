"""POST /api/settings: an account's choices, for it alone."""

from typing import Any

import pytest

from games.models import Player
from tests.api.readers import Reader, refusal

PATH = "/api/settings"


@pytest.fixture
def account(db: None) -> Reader:
    player = Player.objects.create(name="Anh", name_key="anh", is_guest=False)
    return Reader(player)


def test_choices_are_told_and_kept(account: Reader) -> None:
    assert account.post(PATH, {"theme": "dark"}).json() == {"theme": "dark"}
    assert account.post(PATH, {"cards": "s"}).json() == {"theme": "dark", "cards": "s"}
    assert Player.objects.get().preferences == {"theme": "dark", "cards": "s"}


@pytest.mark.parametrize(
    "body",
    [{"theme": "pink"}, {"theme": 1}, {"colour": "red"}, {"sound": True}, [], "dark", b"{", None],
)
def test_what_is_no_choice_is_refused(account: Reader, body: Any) -> None:
    refusal(account.post(PATH, body), 400, "bad_option")
    assert Player.objects.get().preferences == {}


def test_guests_and_visitors_keep_theirs_in_the_browser(visitor: Reader, anh: Reader) -> None:
    for reader in (visitor, anh):
        refusal(reader.post(PATH, {"theme": "dark"}), 403, "sign_in")
