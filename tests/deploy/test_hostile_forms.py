"""Whatever is sent to a page or posted by a form, the answer is one of the site's own and no 500."""

import re
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.client import Guest
from tests.support.server import Server

FORMS = ("/races/", "/alone/", "/language/", "/daily/", "/players/ME/", "/races/RACE/", "/join/",
         "/account/", "/account/sign-in/", "/account/password/")  # fmt: skip
PAGES = (
    *("/", "/join/", "/races/", "/races/open/", "/races/RACE/", "/races/RACE/replay/", "/rules/"),
    *("/deals/CR1-N-AAAAAAB/", "/games/1/", "/leaderboards/", "/daily/", "/players/ME/"),
    *("/games/1/compare/1/", "/races/X/", "/deals/X/", "/daily/X/"),
    *("/account/", "/account/sign-in/", "/account/sign-out/", "/account/password/"),
)
FIELDS = ("name", "seats", "deal", "code", "openness", "start", "time_limit_min", "undo", "listed",
          "ghosts", "language", "next", "private", "by", "period", "games", "scope", "page", "format",
          "username", "password", "old_password", "new_password1", "new_password2",
          "csrfmiddlewaretoken", "")  # fmt: skip
SANE = {"name": "Anh", "seats": "4", "deal": "sealed", "openness": "moves", "start": "host",
        "time_limit_min": "60", "language": "vi", "private": "yes"}  # fmt: skip
NASTY = ("\x00", "A\x00B", "\ud800", "\u202e", "٤", "²", "9" * 400, "-1", "1e9", "CR1-S-AAAAAAB", "CR1-N-AAAAAAB",
         "%00", "../../etc/passwd", "<script>alert(1)</script>", "{{7*7}}", "' OR 1=1 --", "2026-W54",
         "9999-12-31", "0000-00-00", "10000-01-01", "all", "x" * 70_000, "\ufdfa" * 7_000, "//evil.example", "player", "/\r\n/evil.example", "\r\nSet-Cookie: a=b")  # fmt: skip
STATUSES = {200, 302, 400, 403, 404, 405, 413, 429}

_values = st.sampled_from(NASTY) | st.text(max_size=40)
_bodies = st.dictionaries(st.sampled_from(FIELDS), _values, max_size=6)
_types = st.sampled_from(
    [
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=utf-16",
        "application/x-www-form-urlencoded; charset=nonsense",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/json",
        "text/plain",
        "",
    ]
)


@pytest.fixture(params=["sqlite", "postgres"])
def hardened(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server on either database that leaves no stack trace in its log."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("two_servers")[0]
    else:
        server = request.getfixturevalue("free_server")
    before = server.log.stat().st_size
    yield server
    with server.log.open() as log:
        log.seek(before)
        said = log.read()
    assert not re.search(r"Traceback| ERROR | CRITICAL ", said), said[-4_000:]


EITHER = pytest.mark.parametrize(
    "hardened",
    ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.redis])],
    indirect=True,
)
fuzzing = settings(
    max_examples=100,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _judge(answer: httpx.Response, what: object) -> None:
    assert answer.status_code in STATUSES, (answer.status_code, what)
    assert "evil" not in answer.headers.get("Location", ""), what
    assert "a" not in answer.cookies, what
    assert "<script>alert" not in answer.text, what
    assert ">49<" not in answer.text, what


class Attacker:
    """A guest of a server, host of a race there, who sends what no form would."""

    def __init__(self, server: Server) -> None:
        self.guest = Guest(server.origin, "Mallory")
        self.race = self.guest.open_race(seats=4)

    def path(self, pattern: str) -> str:
        """Fill in what is the attacker's own."""
        return pattern.replace("RACE", self.race).replace("ME", str(self.guest.player))

    def post(self, path: str, body: bytes | Iterator[bytes], kind: str) -> httpx.Response:
        """Post a body with a good token, so that it is read."""
        headers = {"X-CSRFToken": self.guest.http.cookies["csrftoken"], "Content-Type": kind}
        return self.guest.http.post(self.path(path), content=body, headers=headers)


@EITHER
def test_no_form_is_answered_by_a_fault_of_the_server(hardened: Server) -> None:
    attacker = Attacker(hardened)
    done: set[int] = set()

    @fuzzing
    @given(st.sampled_from(FORMS), _bodies, st.sampled_from(sorted(SANE)), st.booleans())
    def fuzz(path: str, wild: dict[str, str], dropped: str, sane: bool) -> None:
        fields = {**(SANE if sane else {}), **wild}
        if dropped not in wild:
            fields.pop(dropped, None)
        pairs = [(name, _encoded(value)) for name, value in fields.items()]
        body = b"&".join(
            name.encode() + b"=" + b"".join(b"%%%02x" % byte for byte in value)
            for name, value in pairs
        )
        answer = attacker.post(path, body, "application/x-www-form-urlencoded")
        done.add(answer.status_code)
        _judge(answer, (path, fields))

    fuzz()
    assert {302, 400} <= done  # some of it was taken, some was not


@EITHER
def test_no_body_of_any_kind_is_a_fault_of_the_server(hardened: Server) -> None:
    attacker = Attacker(hardened)

    @fuzzing
    @given(st.sampled_from(FORMS), st.binary(max_size=200), _types)
    def fuzz(path: str, body: bytes, kind: str) -> None:
        _judge(attacker.post(path, body, kind), (path, body, kind))
        part = b'--x\r\nContent-Disposition: form-data; name="name"; filename="f"\r\n\r\n'
        _judge(attacker.post(path, part + body + b"\r\n--x--\r\n", kind), (path, body, kind))

    fuzz()


@EITHER
@pytest.mark.parametrize("path", ["/account/", "/account/sign-in/", "/admin/login/", "/races/"])
def test_a_name_of_megabytes_is_not_read(hardened: Server, path: str) -> None:
    attacker = Attacker(hardened)
    name = b"%EF%B7%BA" * 250_000  # each becomes eighteen letters by NFKC
    body = b"name=%b&username=%b&password=x" % (name, name)
    kind = "application/x-www-form-urlencoded"
    in_parts = iter([body[:9], body[9:]])  # which don't tell their length
    for sent in (body, in_parts):
        assert attacker.post(path, sent, kind).status_code == 413


@EITHER
def test_a_file_of_megabytes_is_not_read(hardened: Server) -> None:
    attacker = Attacker(hardened)
    head = b'--x\r\nContent-Disposition: form-data; name="name"; filename="f"\r\n\r\n'
    for size in (1_000, 70_000, 4_000_000):
        body = head + b"y" * size + b"\r\n--x--\r\n"
        for path in ("/account/sign-in/", "/admin/login/", "/races/"):
            answer = attacker.post(path, body, "multipart/form-data; boundary=x")
            assert (answer.status_code == 413) is (size > 65_536), (path, size)


@EITHER
def test_no_address_of_a_page_is_a_fault_of_the_server(hardened: Server) -> None:
    attacker = Attacker(hardened)

    @fuzzing
    @given(st.sampled_from(PAGES), _bodies, st.sampled_from(NASTY[:-1]) | st.text(max_size=8))
    def fuzz(path: str, query: dict[str, str], odd: str) -> None:
        quoted = "".join(f"%{byte:02x}" for byte in _encoded(odd)[:2_000])
        filled = attacker.path(path).replace("/X/", f"/{quoted}/")
        asked = "&".join(
            name + "=" + "".join(f"%{byte:02x}" for byte in _encoded(value)[:500])
            for name, value in query.items()
        )
        _judge(attacker.guest.http.get(f"{filled}?{asked}"), (filled, query))

    fuzz()
