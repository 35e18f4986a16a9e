"""What holds for every address under /api/: JSON always, nothing kept, nothing without a token."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.api.urls import urlpatterns
from games.models import Game, Player, Race
from games.services import races, settling
from games.services.races import RaceOptions
from tests.api.readers import Reader, refusal
from tests.services.scenes import DEAL

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PURGE")
ADDRESSES = {
    "/api/guest": {"POST"},
    "/api/settings": {"POST"},
    "/api/races": {"POST"},
    "/api/races/NOSUCH7": {"GET", "HEAD"},
    "/api/races/NOSUCH7/seat": {"POST", "DELETE"},
    f"/api/deals/{DEAL}": {"GET", "HEAD"},
    f"/api/deals/{DEAL}/leaderboard": {"GET", "HEAD"},
    "/api/leaderboards": {"GET", "HEAD"},
    "/api/games/1/replay": {"GET", "HEAD"},
}


def _patterns() -> set[str]:
    return {"/api/" + str(one.pattern) for one in urlpatterns}


def test_these_are_addresses_of_the_site() -> None:
    tried = {re.sub(r"NOSUCH7|CR1-N-AAAAAAB|/1(?=/)", _wild, path) for path in ADDRESSES}
    assert tried <= {re.sub(r"<\w+:\w+>", "*", pattern) for pattern in _patterns()}


@pytest.mark.parametrize("pattern", sorted(_patterns()))
def test_every_address_says_in_json_which_methods_it_takes(visitor: Reader, pattern: str) -> None:
    path = re.sub(r"<str:\w+>", "NOSUCH7", re.sub(r"<int:\w+>", "1", pattern))
    answer = visitor.send("PURGE", path)
    refusal(answer, 405, "bad_message")
    assert set(answer.headers["Allow"].split(", ")) <= {"DELETE", "GET", "HEAD", "POST"}
    assert answer.headers["Cache-Control"] == "no-store"


def _wild(found: re.Match[str]) -> str:
    return "/*" if found[0].startswith("/") else "*"


@pytest.mark.parametrize(
    ("path", "method"),
    [
        (path, method)
        for path, taken in ADDRESSES.items()
        for method in METHODS
        if method not in taken
    ],
)
def test_another_method_is_answered_with_those_that_are_taken(
    anh: Reader, path: str, method: str
) -> None:
    answer = anh.send(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == ADDRESSES[path]
    assert answer.headers["Cache-Control"] == "no-store"
    if method != "HEAD":
        refusal(answer, 405, "bad_message")


def test_head_is_answered_like_get_without_the_body(anh: Reader) -> None:
    for path in (*READ, "/api/deals/nonsense", "/api/leaderboards?format=csv"):
        got, head = anh.get(path), anh.send("HEAD", path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert dict(head.headers) == dict(got.headers)


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/nowhere", "/api/races/", "/api/races/A/B", "/api/races/A/seat/", "/api/guest/",
     "/api/games/x/replay", "/api/games/-1/replay", "/api/games/1", f"/api/games/{'9' * 5000}/replay",
     "/api/deals/", "/api/%00", "/api/races/A%2FB", "/api/%F0%9F%82%A1", "/api/%ff"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_is_none_is_answered_in_json(
    visitor: Reader, path: str, method: str
) -> None:
    answer = visitor.send(method, path)
    refusal(answer, 404, "not_found")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "method"),
    [
        (path, method)
        for path, taken in ADDRESSES.items()
        for method in sorted(taken - {"GET", "HEAD"})
    ],
)
@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 32])
def test_nothing_is_changed_without_the_sessions_token(
    anh: Reader, path: str, method: str, token: str | None
) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert anh.player is not None
    strict.force_login(anh.player)
    strict.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    headers = {} if token is None else {"x-csrftoken": token}
    body = b'{"name": "Other", "deal": "sealed"}'
    answer = strict.generic(method, path, body, content_type="application/json", headers=headers)
    refusal(answer, 403, "bad_message")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "CSRF" in answer.json()["detail"]
    assert not Race.objects.exists()
    assert Player.objects.get().name == "Anh"


def test_with_the_token_it_is_done(db: None) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    answer = strict.post(
        "/api/guest", {"name": "Anh"}, content_type="application/json",
        headers={"x-csrftoken": "a" * 32},
    )  # fmt: skip
    assert answer.status_code == 201
    again = strict.post(
        "/api/races", {"deal": "sealed"}, content_type="application/json",
        headers={"x-csrftoken": strict.cookies[settings.CSRF_COOKIE_NAME].value},
    )  # fmt: skip
    assert again.status_code == 201


def test_every_page_gives_out_what_the_token_is_checked_against(db: None) -> None:
    """A program that has seen no page yet has no cookie, so it is refused, not taken on trust."""
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/api/guest", {"name": "Anh"}, content_type="application/json")
    refusal(answer, 403, "bad_message")
    assert not Player.objects.exists()


@pytest.mark.parametrize("path", ["/api/races", "/api/races/NOSUCH7/seat"])
def test_who_has_not_said_who_they_are_is_asked_to(visitor: Reader, path: str) -> None:
    refusal(visitor.post(path, {"deal": "sealed"}), 403, "sign_in")
    refusal(visitor.post(path, b"not even JSON"), 403, "sign_in")


def test_leaving_needs_a_session_too(visitor: Reader) -> None:
    refusal(visitor.send("DELETE", "/api/races/NOSUCH7/seat"), 403, "sign_in")


READ = [path for path, taken in ADDRESSES.items() if "GET" in taken]


@pytest.mark.parametrize(
    "path", [*READ, "/api/deals/nonsense", f"/api/deals/{DEAL}/leaderboard?by=x"]
)
def test_no_answer_may_be_kept_by_anybody_in_between(visitor: Reader, path: str) -> None:
    assert visitor.get(path).headers["Cache-Control"] == "no-store"


def test_what_posts_answer_may_not_be_kept_either(anh: Reader) -> None:
    for path, body in (("/api/guest", {"name": "Thu"}), ("/api/races", {"deal": "random"}),
                       ("/api/races", {}), ("/api/races/NOSUCH7/seat", None)):  # fmt: skip
        assert anh.post(path, body).headers["Cache-Control"] == "no-store"


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "spaces": b"  \n",
    "no JSON": b"name=Anh",
    "cut short": b'{"name": "An',
    "two values": b'{"name": "Anh", "deal": "sealed"} {}',
    "a list": b"[]",
    "a string": b'"Anh"',
    "a number": b"5",
    "null": b"null",
    "true": b"true",
    "not UTF-8": b'{"name": "\xff\xfe", "deal": "\xff"}',
    "UTF-16": '{"name": "Anh", "deal": "sealed"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "Anh", "deal": "sealed"}',
    "half a surrogate pair": b'{"name": "An\\ud800h", "deal": "\\ud800"}',
    "NaN": b'{"name": NaN, "deal": NaN}',
    "deep lists": b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "a deep value": b"[" * 60_000,
    "deep objects": b'{"deal":' * 6_000 + b"1" + b"}" * 6_000,
    "single quotes": b"{'name': 'Anh', 'deal': 'sealed'}",
    "a trailing comma": b'{"name": "Anh", "deal": "sealed",}',
    "an empty object": b"{}",
    "another field": b'{"name": "Anh", "deal": "sealed", "admin": true}',
    "another case": b'{"Name": "Anh", "Deal": "sealed"}',
    "a null": b'{"name": null, "deal": null}',
    "a number for a text": b'{"name": 5, "deal": 5}',
    "a list for a text": b'{"name": ["Anh"], "deal": ["sealed"]}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize(
    ("path", "reason"), [("/api/guest", "bad_name"), ("/api/races", "bad_option")]
)
def test_a_body_that_cannot_be_read_changes_nothing(
    anh: Reader, path: str, reason: str, body: bytes
) -> None:
    refusal(anh.post(path, body), 400, reason)
    assert not Race.objects.exists()
    assert Player.objects.get().name == "Anh"


@pytest.mark.parametrize("path", ["/api/guest", "/api/races"])
def test_a_body_that_is_too_large_is_not_read(anh: Reader, path: str) -> None:
    huge = b'{"name": "' + b"x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE + b'"}'
    assert len(huge) < 100_000
    refusal(anh.post(path, huge), 413, "bad_message")


def test_what_a_body_says_is_read_as_json_whatever_its_type(anh: Reader) -> None:
    answer = anh.http.generic("POST", "/api/guest", b'{"name": "Thu"}', content_type="text/plain")
    assert answer.status_code == 201


def _count(reader: Reader, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert reader.get(path).status_code == 200
    return len(captured)


@pytest.fixture
def crowd(anh: Reader) -> Callable[[int], Race]:
    """Make a closed race of so many, all of whom have won."""

    def make(count: int) -> Race:
        host = Player.objects.create(name=f"Host {count}")
        race = races.open_race(host=host, deal=DEAL, options=RaceOptions(seats=50))
        for number in range(count - 1):
            player = Player.objects.create(name=f"Racer {number}")
            Game.objects.create(race=race, player=player)
        Game.objects.filter(race=race).update(outcome="won", finished_ms=9, home=104)
        Race.objects.filter(pk=race.pk).update(starts_at=1)
        assert settling.close_if_over(race_id=race.pk)
        return race

    return make


def test_more_racers_do_not_take_more_queries(anh: Reader, crowd: Callable[[int], Race]) -> None:
    counts: dict[int, list[int]] = {}
    for size in (2, 20):
        race = crowd(size)
        paths = [f"/api/races/{race.code}", f"/api/deals/{DEAL}", f"/api/deals/{DEAL}/leaderboard",
                 f"/api/deals/{DEAL}/leaderboard?by=moves",
                 f"/api/games/{Game.objects.filter(race=race)[0].pk}/replay"]  # fmt: skip
        counts[size] = [_count(anh, path) for path in paths]
    assert all(few >= many for few, many in zip(counts[2], counts[20], strict=True)), counts
    assert max(counts[20]) <= 9


def test_the_health_check_asks_the_stores_for_nothing(client: Client) -> None:
    """It has no database here: a query would fail the test."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
