"""Accounts: the same player under a name of their own and a password."""

from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

from games.models import Game, Player
from games.services import accounts, players
from games.services.denied import Denial, Denied
from tests.services.scenes import Clock as StandingClock
from tests.services.scenes import at_once, game_of, guest, open_race, run, win

PASSWORD = "seven of spades"
FAST = ["django.contrib.auth.hashers.MD5PasswordHasher"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = FAST


def kept(player: Player | None, name: str = "Anh", password: str = PASSWORD) -> Player:
    return accounts.keep(player=player, name=name, password=password, language="vi")


def refused(reason: Denial, player: Player | None, name: str) -> None:
    before = list(Player.objects.order_by("pk").values())
    with pytest.raises(Denied) as caught:
        kept(player, name)
    assert caught.value.reason == reason
    assert list(Player.objects.order_by("pk").values()) == before


def test_an_account_is_the_same_player_with_all_they_have_played(clock: StandingClock) -> None:
    anh = guest("Guest 1234")
    game = win(game_of(run(open_race(anh), clock), anh))
    account = kept(anh, " Ａnh  Thu ")
    assert account.pk == anh.pk
    assert (account.name, account.name_key, account.is_guest) == ("Anh Thu", "anh thu", False)
    assert account.language == "vi"
    assert Game.objects.get(pk=game.pk).player == account
    assert authenticate(username="anh thu", password=PASSWORD) == account
    assert authenticate(username="anh thu", password=PASSWORD + " ") is None


def test_a_newcomer_gets_an_account_at_once() -> None:
    account = kept(None)
    assert authenticate(username="anh", password=PASSWORD) == account


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [("Anh", "anh"), ("Tom", "Tоm"), ("ТОМ", "TOM"), ("Bill", "Bi1l"), ("Anh Thu", "AnhThu")],
)
def test_no_account_has_the_name_of_another_or_one_that_looks_like_it(
    theirs: str, mine: str
) -> None:
    kept(None, theirs)
    refused(Denial.NAME_TAKEN, None, mine)
    refused(Denial.NAME_TAKEN, guest(mine), mine)
    other = kept(None, "Oksana")
    with pytest.raises(Denied) as caught:
        players.rename(player=other, name=mine)
    assert caught.value.reason == Denial.NAME_TAKEN


def test_nobody_looks_like_those_who_run_the_site() -> None:
    Player.objects.create_superuser("admin", PASSWORD)
    for name in ("admin", "Admin", "аdmin", "ADM1N"):
        refused(Denial.NAME_TAKEN, None, name)


@pytest.mark.usefixtures("postgresql")
def test_a_name_is_found_to_be_free_without_reading_all_players() -> None:
    account = kept(None, "Anh")
    with CaptureQueriesContext(connection) as asked:
        players.check_free(name="Oksana", besides=account)
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")  # so few rows are read so, whatever there is
        for query in asked.captured_queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert "Seq Scan" not in plan
            assert "Index" in plan
        cursor.execute("RESET enable_seqscan")
    assert len(asked.captured_queries) == 2


def test_guests_may_be_called_like_an_account_and_the_account_like_guests() -> None:
    guest("Anh")
    account = kept(guest("Anh"))
    assert guest("Anh").name == account.name
    assert players.rename(player=account, name="ANH").name_key == "anh"


@pytest.mark.parametrize("name", ["a", "", "a" * 25, "An\u200bh", "\u3164\u3164"])
def test_an_account_is_called_what_anybody_may_be_called(name: str) -> None:
    refused(Denial.BAD_NAME, None, name)


@pytest.mark.django_db(transaction=True)
def test_who_sits_in_a_race_takes_no_name_of_a_rival(heard: list[str]) -> None:
    anh, oksana = guest("Anh"), guest("Oksana")
    race = open_race(anh, oksana)
    refused(Denial.NAME_TAKEN, oksana, "anh")
    heard.clear()
    kept(oksana, "Oksana B")
    assert race.code in heard


def test_an_account_is_made_once() -> None:
    account = kept(guest())
    refused(Denial.BAD_OPTION, account, "Anh Thu")


def test_of_two_who_want_one_name_at_once_one_has_it(database: str) -> None:
    works = [partial(kept, guest("Anh")), partial(kept, None, "АNH"), partial(kept, None, "aNh")]
    results = at_once(*works)
    assert sum(isinstance(result, Player) for result in results) == 1
    refusals = [result for result in results if isinstance(result, Denied)]
    assert [one.reason for one in refusals] == [Denial.NAME_TAKEN] * 2
    assert Player.objects.filter(is_guest=False).count() == 1


def test_a_new_password_opens_and_the_old_one_does_not() -> None:
    account = kept(None)
    accounts.change_password(player=account, password="eight of hearts")
    assert authenticate(username="anh", password=PASSWORD) is None
    assert authenticate(username="anh", password="eight of hearts") == account


@pytest.mark.parametrize(
    ("typed", "key"), [(" ＡNH ", "anh"), ("Anh ❤\ufe0f", "anh ❤"), ("An\x00h", "an\x00h")]
)
def test_an_account_is_found_by_any_spelling_of_its_name(typed: str, key: str) -> None:
    assert accounts.key_of(typed) == key


@pytest.mark.parametrize(
    "typed",
    ["a" * 97, "\ufdfa" * 97, "\ufdfa" * 700_000],
    ids=["one too long", "one too long of eighteen each", "megabytes"],
)
def test_what_is_longer_than_any_name_has_one_key_and_is_not_normalised(
    typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.names.unicodedata", None)
    assert accounts.key_of(typed) == accounts.NOBODY


@override_settings(RATES={"passwords": (2, 60)})
def test_passwords_are_tried_on_a_name_only_so_often(clock: StandingClock) -> None:
    for typed in ("Anh ♥ limits", "ANH ♥ LIMITS"):
        accounts.check_attempt(typed=typed)
    accounts.check_attempt(typed="somebody else")
    with pytest.raises(Denied) as caught:
        accounts.check_attempt(typed="anh  ♥ limits")
    assert caught.value.reason == Denial.TOO_FAST
    clock.pass_ms(60_000)
    accounts.check_attempt(typed="Anh ♥ limits")
    with override_settings(LIMITS=False):
        for _ in range(5):
            accounts.check_attempt(typed="Anh ♥ limits")


def test_who_runs_the_site_gives_a_new_password(monkeypatch: pytest.MonkeyPatch) -> None:
    account = kept(None, "Anh Thu")
    monkeypatch.setattr("getpass.getpass", lambda *_, **__: "eight of hearts")
    call_command("changepassword", "anh thu", stdout=StringIO())
    assert authenticate(username="anh thu", password="eight of hearts") == account
