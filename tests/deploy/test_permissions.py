"""Who may do what: every message of the room and every address of the site."""

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games import protocol
from tests.support.client import Guest, RaceSocket
from tests.support.lines import winning_line
from tests.support.rooms import alone, running
from tests.support.server import Server

WON = "CR1-N-CRESCEN"
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
IN_A_RACE: dict[str, tuple[dict[str, object], tuple[str, str, str, str]]] = {
    # while it runs                   visitor, stranger, racer, host
    "act": ({"seq": 1, "code": "b+"}, ("not_a_racer", "not_a_racer", "", "")),
    "ready": ({"ready": True}, ("not_a_racer", "not_a_racer", "race_started", "race_started")),
    "start": ({}, ("not_a_racer", "not_a_racer", "not_host", "")),  # it has: harmless
    "call_off": ({}, ("not_a_racer", "not_host", "not_host", "race_started")),
    "options": ({"seats": 7}, ("not_a_racer", "not_host", "not_host", "race_started")),
    "host": ({"racer": "RACER"}, ("not_a_racer", "not_host", "not_host", "")),
    "kick": ({"racer": "RACER"}, ("not_a_racer", "not_host", "not_host", "race_started")),
    "leave": ({}, ("not_a_racer", "", "race_started", "race_started")),
    "resign": ({}, ("not_a_racer", "not_a_racer", "", "")),
    "unresign": ({}, ("not_a_racer", "not_a_racer", "", "")),
    "rematch": ({"agree": True}, ("not_a_racer", "not_a_racer", "race_started", "race_started")),
    "emote": ({"id": "wave"}, ("not_a_racer", "not_a_racer", "", "")),
    "ghost": ({"game": 999_999}, ("not_a_racer", "not_host", "not_host", "race_started")),
    "sync": ({}, ("", "", "", "")),
    "ping": ({"sent": 1, "heard": 1}, ("", "", "", "")),
}
ALL = (200, 200, 200, 200)
ADDRESSES: dict[tuple[str, str], tuple[int, int, int, int]] = {
    # RACE is a lobby of the host's with the racer in it, OVER a game of the host's that is over and
    # RUNNING one that isn't; HOST is the host's own page, which is private
    ("GET", "/api/openapi.json"): ALL,
    ("POST", "/api/guest"): (201, 201, 201, 201),
    ("POST", "/api/races"): (403, 201, 201, 201),
    ("POST", "/api/settings"): (403, 403, 403, 403),  # of guests the browser keeps them
    ("GET", "/api/races/RACE"): ALL,
    ("POST", "/api/races/RACE/seat"): (403, 201, 201, 201),
    ("DELETE", "/api/races/RACE/seat"): (403, 204, 204, 204),
    ("GET", "/api/deals/DEAL"): ALL,
    ("GET", "/api/deals/DEAL/leaderboard"): ALL,
    ("GET", "/api/leaderboards"): ALL,
    ("GET", "/api/games/OVER/replay"): ALL,
    ("GET", "/api/games/RUNNING/replay"): (403, 403, 403, 403),
    ("GET", "/api/games/OVER/export"): ALL,
    ("GET", "/api/games/RUNNING/export"): (403, 403, 403, 403),
    ("GET", "/api/games/OVER/compare/OVER"): ALL,
    ("GET", "/api/games/OVER/compare/RUNNING"): (403, 403, 403, 403),
    ("GET", "/"): ALL,
    ("GET", "/join/"): (302, 302, 302, 302),
    ("GET", "/races/"): ALL,
    ("POST", "/races/"): (302, 302, 302, 302),  # whoever opens a race is a guest from then on
    ("GET", "/races/open/"): ALL,
    ("GET", "/races/RACE/"): ALL,
    ("GET", "/races/RACE/replay/"): (403, 403, 403, 403),
    ("GET", "/alone/"): (302, 302, 302, 302),
    ("POST", "/alone/"): (302, 302, 302, 302),
    ("GET", "/deals/DEAL/"): ALL,
    ("GET", "/deals/DEAL/compare/"): (400, 400, 400, 400),  # with no games chosen
    ("GET", "/games/OVER/"): ALL,
    ("GET", "/games/RUNNING/"): (403, 403, 403, 403),
    ("GET", "/games/OVER/compare/OVER/"): ALL,
    ("GET", "/leaderboards/"): ALL,
    ("GET", "/daily/"): ALL,
    ("POST", "/daily/"): (302, 302, 302, 302),
    ("GET", "/daily/TODAY/"): ALL,
    ("GET", "/players/HOST/"): ALL,
    ("POST", "/players/HOST/"): (302, 302, 302, 302),  # changes it for its owner alone: see below
    ("GET", "/rules/"): ALL,
    ("GET", "/language/"): (302, 302, 302, 302),
    ("POST", "/language/"): (302, 302, 302, 302),
    ("GET", "/healthz"): ALL,
    ("GET", "/admin/"): (302, 302, 302, 302),
    ("GET", "/admin/games/player/"): (302, 302, 302, 302),
    # none of the four has an account; what accounts may is in tests/web/test_accounts.py
    ("GET", "/account/"): ALL,
    ("POST", "/account/"): (400, 400, 400, 400),
    ("GET", "/account/sign-in/"): ALL,
    ("POST", "/account/sign-in/"): (400, 400, 400, 400),
    ("GET", "/account/sign-out/"): (302, 302, 302, 302),
    ("POST", "/account/sign-out/"): (302, 302, 302, 302),
    ("GET", "/account/password/"): (302, 302, 302, 302),  # of guests: to where they get one
    ("POST", "/account/password/"): (302, 302, 302, 302),
}


@dataclass
class People:
    """Everybody there is, and how to make a room with two of them in it."""

    all: dict[str, Guest]

    def lobby(self) -> tuple[str, int]:
        """Open a race; return its code and the racer's game."""
        code = self.all["host"].open_race("sealed", seats=4)
        return code, self.all["racer"].take_seat(code)


@pytest.fixture
def people(free_server: Server) -> People:
    names = {"visitor": None, "stranger": "Oksana", "racer": "Minh", "host": "Anh"}
    return People({who: Guest(free_server.origin, name) for who, name in names.items()})


def reason(socket: RaceSocket, message: str, fields: dict[str, object], racer: int) -> str:
    """Send a message and return why it is refused, "" where it isn't."""
    filled = {key: racer if value == "RACER" else value for key, value in fields.items()}
    socket.send(message, **filled)
    said = [
        *socket.settled(),
        *socket.settled(),  # what is answered once it is durable comes after the first pong
    ]
    reasons = [frame["reason"] for frame in said if frame["type"] in {"fault", "refused"}]
    return str(reasons[0]) if reasons else ""


def test_no_message_of_the_protocol_is_left_out() -> None:
    known = {message.__struct_config__.tag for message in protocol.FromClient.__args__}
    assert set(MESSAGES) == set(IN_A_RACE) == known


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_in_the_lobby_does_what_its_sender_may(people: People, message: str) -> None:
    fields, wanted = MESSAGES[message]
    found = []
    for who in WHO:
        code, racer = people.lobby()
        with people.all[who].socket(code) as socket:
            socket.until("welcome")
            found.append(reason(socket, message, fields, racer))
    assert tuple(found) == wanted


@pytest.fixture(scope="module")
def race(free_server: Server) -> Callable[[], tuple[dict[str, RaceSocket], int]]:
    """Start a race of host and racer, with sockets of all; return those and the racer's game."""

    def make() -> tuple[dict[str, RaceSocket], int]:
        started = running(free_server)
        watching = {
            "visitor": Guest(free_server.origin),
            "stranger": Guest(free_server.origin, "Oksana"),
        }
        sockets = {who: guest.socket(started.code) for who, guest in watching.items()}
        for socket in sockets.values():
            socket.until("welcome")
        host, racer = started.sockets
        return {**sockets, "racer": racer, "host": host}, started.racers[1]

    return make


@pytest.mark.parametrize("message", IN_A_RACE)
def test_a_message_in_a_race_does_what_its_sender_may(
    race: Callable[[], tuple[dict[str, RaceSocket], int]], message: str
) -> None:
    fields, wanted = IN_A_RACE[message]
    sockets, racer = race()
    found = [reason(sockets[who], message, fields, racer) for who in WHO]
    assert tuple(found) == wanted


def of_site(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    """Every address of the site but those within the admin, as it is written."""
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield here
        elif here != "/admin/":
            yield from of_site(pattern, here)


def test_no_address_of_the_site_is_left_out() -> None:
    def wild(path: str) -> str:
        return re.sub(r"<[\w:]+>|\b[A-Z]{4,}\b", "*", path)

    listed = {wild(path) for _, path in ADDRESSES if not path.startswith("/admin/")}
    assert listed == {wild(path) for path in of_site(get_resolver())}


def finished(guest: Guest, deal: str) -> int:
    """Let somebody win a game alone; return its number."""
    code = guest.open_race(deal)
    with guest.socket(code) as socket:
        socket.send("start")
        socket.until("go")
        for each in winning_line(deal):
            assert socket.act(each)["type"] == "acted"
        socket.until("closed")
        return int(socket.frames[0]["you"])


BODIES = {
    "/api/races": {"deal": "random"},
    "/api/guest": {"name": "WHO"},
    "/api/settings": {"theme": "dark"},
}
FIELDS = {
    "/races/": {"name": "WHO", "seats": "2", "deal": "random", "openness": "moves",
                "start": "host", "time_limit_min": "60"},
    "/alone/": {"deal": "random"},
    "/language/": {"language": "uk"},
    "/players/HOST/": {"private": "no"},
}  # fmt: skip


def test_an_address_answers_whom_it_may(people: People, free_server: Server) -> None:
    host = people.all["host"]
    names = {
        "DEAL": WON,
        "OVER": str(finished(host, WON)),
        "RUNNING": str(alone(free_server).frames[0]["you"]),
        "HOST": str(host.player),
        "TODAY": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    set_private(host, private=True)
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for method, path in ADDRESSES:
        statuses = []
        for who in WHO:
            names["RACE"], _ = people.lobby()
            filled = re.sub(r"\b[A-Z]{4,}\b", lambda match: names[match[0]], path)
            # A visitor who is given a name stays a visitor to the next address.
            guest = people.all[who] if who != "visitor" else Guest(free_server.origin)
            names["WHO"] = who.capitalize()
            if method == "POST" and not path.startswith("/api/"):
                token = {"csrfmiddlewaretoken": guest.http.cookies["csrftoken"]}
                form = {
                    name: names.get(value, value) for name, value in FIELDS.get(path, {}).items()
                }
                answer = guest.http.post(filled, data={**form, **token})
            else:
                body = {
                    name: names.get(value, value) for name, value in BODIES.get(path, {}).items()
                }
                answer = guest.request(method, filled, body or None)
            statuses.append(answer.status_code)
        found[method, path] = tuple(statuses)
    assert found == ADDRESSES


def set_private(guest: Guest, *, private: bool, of: int | None = None) -> None:
    """Send the form of a player's page, one's own or another's."""
    token = {"csrfmiddlewaretoken": guest.http.cookies["csrftoken"]}
    path = f"/players/{of or guest.player}/"
    guest.http.post(path, data={**token, "private": "yes" if private else "no"})


def test_a_private_page_is_its_owners_and_so_is_the_choice(people: People) -> None:
    host = people.all["host"]
    finished(host, WON)
    path = f"/players/{host.player}/"
    played = f"/deals/{WON}/"
    set_private(host, private=True)
    for who in ("visitor", "stranger", "racer"):
        set_private(people.all[who], private=False, of=host.player)
        assert played not in people.all[who].http.get(path).text
    assert played in host.http.get(path).text


PASSWORD = "p8Xb3k-wq"


@pytest.fixture(scope="module", autouse=True)
def _warden(free_server: Server) -> None:
    """There is one account, which is the administrator's too."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(free_server._environment, "DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        free_server.manage("createsuperuser", "--noinput", "--name_key", "warden")


def sign_in(
    server: Server, name: str, password: str, path: str = "/account/sign-in/", **more: str
) -> httpx.Response:
    """Send the form of an address where one signs in."""
    browser = Guest(server.origin).http
    browser.get(path)
    fields = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], **more}
    return browser.post(path, data={**fields, "username": name, "password": password})


@pytest.mark.parametrize("path", ["/account/sign-in/", "/admin/login/"])
def test_nobody_learns_who_has_an_account(free_server: Server, path: str) -> None:
    told = [sign_in(free_server, name, "x", path) for name in ("warden", "nobody")]
    shown = [re.sub(r'value="[^"]*"', "", answer.text) for answer in told]
    assert shown[0] == shown[1]
    assert told[0].status_code == told[1].status_code
    assert set(told[0].headers) == set(told[1].headers)
    assert sign_in(free_server, "warden", PASSWORD, path).status_code == 302


CHANGING = sorted({path for method, path in ADDRESSES if method != "GET"})


@pytest.mark.parametrize("path", CHANGING)
def test_nothing_is_changed_without_a_token(free_server: Server, path: str) -> None:
    guest = Guest(free_server.origin, "Linh")
    filled = path.replace("RACE", "AAAAAAA").replace("HOST", "1")
    assert guest.http.post(filled, json={"deal": "random"}).status_code == 403


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
        guest.http.get("/account/sign-in/", params={"next": aim}),
        sign_in(free_server, "warden", PASSWORD, next=aim),
    ]
    for answer in answers:
        assert "evil" not in answer.headers.get("Location", "")
        assert "javascript:" not in answer.headers.get("Location", "")
