"""Limits by address: who asks too often gets 429 and too_fast, and nobody else does."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema_rs
import pytest

from games.api import openapi
from tests.support.client import Guest
from tests.support.server import Server

LIMITS = {
    "CRESCENT_RATE_GUESTS": "6/3600",
    "CRESCENT_RATE_RACES": "4/3600",
    "CRESCENT_RATE_SEATS": "3/3600",
    "CRESCENT_RATE_SIGN_INS": "5/3600",
    "CRESCENT_RATE_PASSWORDS": "3/3600",
    "CRESCENT_OPEN_RACES": "2",
    "CRESCENT_PROXIES": "127.0.0.0/8",
}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("strict"), environment=LIMITS) as running:
        yield running


def visitor(server: Server, address: str, name: str | None = None) -> Guest:
    guest = Guest(server.origin)
    guest.http.headers["X-Forwarded-For"] = f"6.6.6.6, {address}"
    if name is not None:
        assert guest.request("POST", "/api/guest", {"name": name}).status_code == 201
    return guest


DOCUMENT = openapi.document()
ADDRESSES = {
    re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))): methods
    for path, methods in DOCUMENT["paths"].items()
}


def promised(answer: httpx.Response) -> dict[str, Any]:
    """Find the shape that the document promises for an answer of this status at its address."""
    path, method = answer.request.url.path, answer.request.method.lower()
    (methods,) = (found for address, found in ADDRESSES.items() if address.fullmatch(path))
    promise = methods[method]["responses"][str(answer.status_code)]
    shape: dict[str, Any] = promise["content"]["application/json"]["schema"]
    return shape


def refusals(answers: list[httpx.Response]) -> list[str]:
    """Give the reasons of those that were too many, each as the document promises it."""
    refused = [answer for answer in answers if answer.status_code == 429]
    for answer in refused:
        jsonschema_rs.validate(promised(answer), answer.json())
    return [answer.json()["reason"] for answer in refused]


def test_an_address_has_only_so_many_guest_names(strict: Server) -> None:
    guest = visitor(strict, "10.0.0.1")
    answers = [
        guest.request("POST", "/api/guest", {"name": f"Minh {number}"}) for number in range(8)
    ]
    assert [answer.status_code for answer in answers] == [201] * 6 + [429] * 2
    assert refusals(answers) == ["too_fast"] * 2
    visitor(strict, "10.0.0.2", "Minh")  # the next house notices nothing


def test_a_host_has_only_so_many_open_races_and_an_address_opens_only_so_many(
    strict: Server,
) -> None:
    answers = []
    for name in ("Anh", "Oksana"):
        guest = visitor(strict, "10.0.1.1", name)
        wish = {"deal": "random"}
        answers += [guest.request("POST", "/api/races", wish) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 201, 429, 429]
    assert refusals(answers) == ["too_many_races", "too_fast", "too_fast"]
    assert "open races" in answers[2].json()["detail"]
    assert "address" in answers[4].json()["detail"]


def test_a_rematch_is_one_of_the_open_races_too(strict: Server) -> None:
    guest = visitor(strict, "10.0.6.1", "Anh")
    code = guest.open_race(seats=2)
    with guest.socket(code) as socket:
        socket.send("start")
        socket.until("go")
        other = guest.open_race("random")
        socket.send("resign")
        socket.until("finished")
        socket.send("rematch", agree=True)
        assert socket.until("fault")["reason"] == "too_many_races"
        guest.request("DELETE", f"/api/races/{other}/seat")
        socket.until("closed", timeout=20)
        socket.send("rematch", agree=True)
        assert socket.until("race", lambda frame: frame.get("next"))


def test_a_page_says_it_in_words(strict: Server) -> None:
    guest = visitor(strict, "10.0.2.1")
    for _ in range(3):
        token = {"csrfmiddlewaretoken": guest.http.cookies["csrftoken"]}
        page = guest.http.post("/alone/", data={**token, "deal": "random"})
    assert page.status_code == 429
    assert "text/html" in page.headers["Content-Type"]


def test_an_address_takes_only_so_many_seats(strict: Server) -> None:
    code = visitor(strict, "10.0.3.1", "Anh").open_race(seats=9)
    guest = visitor(strict, "10.0.3.2", "Oksana")
    path = f"/api/races/{code}/seat"
    answers = [guest.request("POST", path) for _ in range(5)]
    assert refusals(answers) == ["too_fast"] * 2


def sign_in(guest: Guest, name: str, path: str = "/account/sign-in/") -> httpx.Response:
    fields = {"csrfmiddlewaretoken": guest.http.cookies["csrftoken"], "password": "wrong"}
    return guest.http.post(path, data={**fields, "username": name})


def test_an_address_signs_in_only_so_often_whatever_the_names(strict: Server) -> None:
    guest = visitor(strict, "10.0.6.1")
    answers = [sign_in(guest, f"Name {number}").status_code for number in range(6)]
    assert answers == [400] * 5 + [429]
    admin = [sign_in(guest, "admin", "/admin/login/").status_code for _ in range(2)]
    assert admin == [429] * 2


def test_passwords_are_tried_on_a_name_only_so_often_from_wherever(strict: Server) -> None:
    answers = [
        sign_in(visitor(strict, f"10.0.7.{number}"), name).status_code
        for number, name in enumerate(("Halyna", "halyna", " HALYNA ", "Halyna", "Nam"))
    ]
    assert answers == [400, 400, 400, 429, 400]


@pytest.mark.parametrize("last", ["/account/sign-in/", "/admin/login/"])
def test_who_runs_the_site_is_guessed_at_no_oftener_than_anybody(strict: Server, last: str) -> None:
    name, net = ("Larysa", 8) if "admin" in last else ("Kateryna", 9)
    tried = [
        sign_in(visitor(strict, f"10.0.{net}.{number}"), typed, path).status_code
        for number, (typed, path) in enumerate(
            [
                (name, "/admin/login/"),
                (f" {name.upper()} ", "/admin/login/"),
                (name.lower(), "/account/sign-in/"),
                (name, last),
                ("Somebody else", last),
            ]
        )
    ]
    other = 200 if "admin" in last else 400  # the admin's own form says what is wrong with 200
    assert tried == [200, 200, 400, 429, other]


def test_a_stranger_cannot_choose_the_address_that_is_counted(strict: Server) -> None:
    guest = Guest(strict.origin)
    answers = []
    for number in range(8):  # what the trusted proxy saw is the last; the rest is anybody's word
        guest.http.headers["X-Forwarded-For"] = f"10.9.0.{number}, 10.0.4.1"
        answers.append(guest.request("POST", "/api/guest", {"name": f"Minh {number}"}))
    assert refusals(answers) == ["too_fast"] * 2


def test_without_a_trusted_proxy_nobody_is_believed(server: Server) -> None:
    guest = Guest(server.origin)
    guest.http.headers["X-Forwarded-For"] = "10.0.5.1"
    assert guest.request("POST", "/api/guest", {"name": "Minh"}).status_code == 201
