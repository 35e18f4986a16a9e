"""Who may do what: every message of the room and every address that changes something."""

from dataclasses import dataclass

import pytest

from tests.support.client import Guest
from tests.support.server import Server

WHO = ("visitor", "stranger", "racer", "host")
MESSAGES: dict[str, tuple[dict[str, object], tuple[str, str, str, str]]] = {
    # in the lobby                    visitor, stranger, racer, host
    "act": ({"seq": 1, "code": "b+"}, ("not_a_racer", "not_a_racer", "not_started", "not_started")),
    "ready": ({"ready": True}, ("not_a_racer", "not_a_racer", "", "")),
    "start": ({}, ("not_a_racer", "not_a_racer", "not_host", "")),
    "call_off": ({}, ("not_a_racer", "not_host", "not_host", "")),
    "options": ({"seats": 7}, ("not_a_racer", "not_host", "not_host", "")),
    "host": ({"racer": "RACER"}, ("not_a_racer", "not_host", "not_host", "")),
    "kick": ({"racer": "RACER"}, ("not_a_racer", "not_host", "not_host", "")),
    "leave": ({}, ("not_a_racer", "", "", "")),  # who has no seat has left it
    "resign": ({}, ("not_a_racer", "not_a_racer", "not_started", "not_started")),
    "unresign": ({}, ("not_a_racer", "not_a_racer", "", "")),  # who hasn't: harmless
    "rematch": ({"agree": True}, ("not_a_racer", "not_a_racer", "not_started", "not_started")),
    "emote": ({"id": "wave"}, ("not_a_racer", "not_a_racer", "", "")),
    "ghost": ({"game": 999_999}, ("not_a_racer", "not_host", "not_host", "not_found")),
    "sync": ({}, ("", "", "", "")),
    "ping": ({"sent": 1, "heard": 1}, ("", "", "", "")),
}
ADDRESSES: dict[tuple[str, str], tuple[int, int, int, int]] = {
    ("POST", "/api/races"): (403, 201, 201, 201),
    ("POST", "/api/races/CODE/seat"): (403, 201, 201, 201),
    ("DELETE", "/api/races/CODE/seat"): (403, 204, 204, 204),
    ("GET", "/api/races/CODE"): (200, 200, 200, 200),
    ("POST", "/api/settings"): (403, 403, 403, 403),  # of guests the browser keeps them
    ("GET", "/api/games/RACER/replay"): (404, 404, 404, 404),
    ("GET", "/admin/"): (302, 302, 302, 302),
    ("GET", "/account/"): (200, 200, 200, 200),
    ("GET", "/account/password/"): (302, 302, 302, 302),  # of guests: to where they get one
    ("POST", "/account/sign-out/"): (302, 302, 302, 302),
    ("POST", "/account/sign-in/"): (400, 400, 400, 400),
}


@dataclass
class Lobby:
    """Everybody there is, and how to make a lobby with two of them in it."""

    people: dict[str, Guest]

    def open(self) -> tuple[str, int]:
        code = self.people["host"].open_race("sealed", seats=4)
        return code, self.people["racer"].take_seat(code)


@pytest.fixture
def lobby(free_server: Server) -> Lobby:
    names = {"visitor": None, "stranger": "Oksana", "racer": "Minh", "host": "Anh"}
    return Lobby({who: Guest(free_server.origin, name) for who, name in names.items()})


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_does_what_its_sender_may(lobby: Lobby, message: str) -> None:
    fields, wanted = MESSAGES[message]
    found = []
    for who in WHO:
        code, racer = lobby.open()
        with lobby.people[who].socket(code) as socket:
            socket.until("welcome")
            filled = {key: racer if value == "RACER" else value for key, value in fields.items()}
            socket.send(message, **filled)
            said = socket.settled()
            reasons = [frame["reason"] for frame in said if frame["type"] in {"fault", "refused"}]
            found.append(reasons[0] if reasons else "")
    assert tuple(found) == wanted


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_answers_whom_it_may(lobby: Lobby, address: tuple[str, str]) -> None:
    method, path = address
    found = []
    for who in WHO:
        code, racer = lobby.open()
        filled = path.replace("CODE", code).replace("RACER", str(racer))
        body = {"/api/races": {"deal": "random"}, "/api/settings": {"theme": "dark"}}.get(path)
        found.append(lobby.people[who].request(method, filled, body).status_code)
    assert tuple(found) == ADDRESSES[address]


FORMS = ("/language/", "/alone/", "/races/", "/account/", "/account/sign-in/")
ACCOUNT_FORMS = ("/account/sign-out/", "/account/password/")


@pytest.mark.parametrize(
    "path", ["/api/guest", "/api/settings", "/api/races", *FORMS, *ACCOUNT_FORMS]
)
def test_nothing_is_changed_without_a_token(free_server: Server, path: str) -> None:
    guest = Guest(free_server.origin, "Linh")
    assert guest.http.post(path, json={"deal": "random"}).status_code == 403


def test_an_account_keeps_its_own_choices_and_changes_nobody_elses(free_server: Server) -> None:
    accounts = []
    for name in ("Iryna", "Quân"):
        accounts.append(Guest(free_server.origin, name))
        token = {"csrfmiddlewaretoken": accounts[-1].http.cookies["csrftoken"]}
        wish = {"name": name, "new_password1": "ten of clubs", "new_password2": "ten of clubs"}
        assert accounts[-1].http.post("/account/", data={**token, **wish}).status_code == 302
    iryna, quan = accounts
    assert iryna.request("POST", "/api/settings", {"theme": "dark"}).json() == {"theme": "dark"}
    assert quan.request("POST", "/api/settings", {}).json() == {}
    assert ' data-theme="dark"' in iryna.http.get("/").text
    assert " data-theme=" not in quan.http.get("/").text


@pytest.mark.parametrize(
    "aim", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_elsewhere(free_server: Server, aim: str) -> None:
    guest = Guest(free_server.origin, "Linh")
    token = {"csrfmiddlewaretoken": guest.http.cookies["csrftoken"]}
    answers = [
        guest.http.post("/language/", data={**token, "language": "uk", "next": aim}),
        guest.http.get("/join/", params={"code": aim, "next": aim}),
        guest.http.get("/", params={"next": aim}, headers={"Referer": aim}),
    ]
    for answer in answers:
        assert "evil" not in answer.headers.get("Location", "")
        assert "javascript:" not in answer.headers.get("Location", "")
