"""The OpenAPI document: every address is in it, and every answer is as it says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games.api import json, openapi
from games.services.denied import Denial
from tests.api.hostile import attack
from tests.api.readers import Reader
from tests.support.lines import winning_line
from tests.support.rooms import alone
from tests.support.server import ROOT, Server

SECONDS = 12
DEAL = "CR1-N-AAAAAAB"


def _addresses(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, Any]]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield here, pattern.callback
        else:
            yield from _addresses(pattern, here)


SITE = {path: view for path, view in _addresses(get_resolver()) if path.startswith("/api/")}


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            yield from _references(value)
    elif isinstance(node, list):
        for each in node:
            yield from _references(each)


def test_every_address_of_the_site_is_in_the_document_with_all_its_methods(
    visitor: Reader,
) -> None:
    answer = visitor.get("/api/openapi.json")
    assert answer.status_code == 200
    told = answer.json()["paths"]
    assert set(told) == {re.sub(r"<\w+:(\w+)>", r"{\1}", path) for path in SITE}
    for path, methods in told.items():
        refused = visitor.send("PURGE", re.sub(r"\{\w+\}", "1", path))
        allowed = set(refused.headers["Allow"].lower().split(", "))
        assert allowed == {*methods, *({"head"} if "get" in methods else ())}


def test_every_address_is_on_the_page_of_the_wire() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text()
    found = re.findall(r"^\| .*?(/api/[^`? ]+)", page, flags=re.MULTILINE)
    written = {re.sub(r"<\w+>", "*", path) for path in found}
    assert {re.sub(r"<[\w:]+>", "*", path) for path in SITE} == written


def test_what_the_document_refers_to_is_in_it() -> None:
    document = openapi.document()
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(_references(document)) <= names
    operations = [each for methods in document["paths"].values() for each in methods.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    assert all(each["summary"] for each in operations)


def test_every_reason_has_a_status() -> None:
    assert set(json.STATUS) == set(Denial)


def _hold(server: Server, folder: Path) -> None:
    for _ in range(2):  # the games that the document's examples are about
        socket = alone(server, DEAL)
        for code in winning_line(DEAL):
            assert socket.act(code)["type"] == "acted"
        socket.until("closed")
    attack(server.origin, SECONDS, folder)
    said = server.log.read_text()
    assert "Traceback" not in said, said[said.index("Traceback") - 500 :][:4_000]
    assert " ERROR " not in said


def test_every_answer_to_made_up_requests_is_as_the_document_says(
    own_server: Server, tmp_path: Path
) -> None:
    _hold(own_server, tmp_path)


@pytest.mark.postgres
@pytest.mark.redis
def test_it_is_so_on_the_stores_of_a_town_too(
    two_servers: tuple[Server, Server], tmp_path: Path
) -> None:
    _hold(two_servers[0], tmp_path)
