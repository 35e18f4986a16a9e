"""POST /api/guest: a session becomes a guest; the guest gets another name."""

import pytest

from games.models import Player, Race
from games.services import accounts, seats
from tests.api.readers import Reader, refusal
from tests.services.scenes import open_race

PATH = "/api/guest"


def test_a_visitor_becomes_a_guest_and_the_session_stays_theirs(visitor: Reader) -> None:
    answer = visitor.post(PATH, {"name": " Ａnh  Thu "})
    player = Player.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {"player": player.pk, "name": "Anh Thu"}
    assert (player.name, player.is_guest, player.name_key) == ("Anh Thu", True, None)
    assert visitor.post("/api/races", {"deal": "random"}).status_code == 201
    assert Race.objects.get().host == player


def test_a_guest_who_says_it_again_is_renamed(anh: Reader) -> None:
    assert anh.player is not None
    for name in ("Thu", "Thu", "Thảo"):
        answer = anh.post(PATH, {"name": name})
        assert answer.status_code == 201
        assert answer.json() == {"player": anh.player.pk, "name": name}
    assert Player.objects.get().name == "Thảo"


@pytest.mark.parametrize("name", ["Anh", "Oksana", "oksana"])
def test_an_account_is_answered_as_it_is_and_not_renamed(oksana: Reader, name: str) -> None:
    assert oksana.player is not None
    account = accounts.keep(player=oksana.player, name="Oksana", password="x", language="uk")
    oksana.http.force_login(account)  # another password ended the session
    before = Player.objects.values().get(pk=account.pk)
    answer = oksana.post(PATH, {"name": name})
    assert answer.status_code == 201
    assert answer.json() == {"player": account.pk, "name": "Oksana"}
    assert Player.objects.values().get(pk=account.pk) == before


def test_two_sessions_are_two_guests_even_of_one_name(visitor: Reader) -> None:
    ids = {reader.post(PATH, {"name": "Anh"}).json()["player"] for reader in (visitor, Reader())}
    assert len(ids) == Player.objects.count() == 2


def test_a_new_session_begins_with_the_name(visitor: Reader) -> None:
    visitor.post(PATH, {"name": "Anh"})
    first = visitor.http.session.session_key
    other = Reader()
    other.post(PATH, {"name": "Anh"})
    assert first
    assert first != other.http.session.session_key


@pytest.mark.parametrize("language", ["en", "uk", "vi"])
def test_a_guest_keeps_the_language_of_the_request(visitor: Reader, language: str) -> None:
    visitor.http.post(
        PATH, {"name": "Anh"}, content_type="application/json",
        headers={"accept-language": language},
    )  # fmt: skip
    assert Player.objects.get().language == language


@pytest.mark.parametrize(
    "name",
    ["", "a", " ", "a" * 25, "a" * 9_000, "\ufdfa" * 9_000, "An\u200bh", "An\u202eh", "An\x00h", "\u3164\u3164", "--",
     "\u0301ab"],
)  # fmt: skip
def test_a_name_that_cannot_be_shown_is_refused(visitor: Reader, anh: Reader, name: str) -> None:
    for reader in (visitor, anh):
        refusal(reader.post(PATH, {"name": name}), 400, "bad_name")
    assert [player.name for player in Player.objects.all()] == ["Anh"]


@pytest.mark.parametrize("name", ["Anh", "anh", "АNH", "A n h"])
def test_a_racer_cannot_take_a_rivals_name(anh: Reader, oksana: Reader, name: str) -> None:
    assert anh.player
    assert oksana.player
    race = open_race(anh.player, seats_=2)
    seats.take(code=race.code, player=oksana.player)
    refusal(oksana.post(PATH, {"name": name}), 409, "name_taken")
    assert Player.objects.get(pk=oksana.player.pk).name == "Oksana"
