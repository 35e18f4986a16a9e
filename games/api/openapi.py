"""/api/openapi.json: the JSON side as an OpenAPI document, made from the operations themselves."""

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from http import HTTPStatus
from typing import Any, get_args, get_type_hints

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, get_resolver

from games.api import json
from games.api.operations import Endpoint, Operation
from games.services.denied import Denial

PREFIX = "/api/"
_REF = "#/components/schemas/{name}"
_CAPTURED = re.compile(r"<\w+:(\w+)>")
_SESSION = {"session": {"type": "apiKey", "in": "cookie", "name": "sessionid"}}
_TOKEN = {
    "token": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRFToken",
        "description": "The value of the cookie csrftoken, which every page sets",
    },
    "token_cookie": {"type": "apiKey", "in": "cookie", "name": "csrftoken"},
}
Schema = dict[str, Any]


def show_document(request: HttpRequest) -> HttpResponse:
    """Describe all of this in an OpenAPI document."""
    return json.answer(document())


@cache
def document() -> Schema:
    """Make the document of all addresses that games/api/urls.py lists."""
    patterns = list(_patterns())
    _, components = msgspec.json.schema_components(
        [shape for _, endpoint in patterns for shape in _shapes(endpoint)], ref_template=_REF
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Crescent Race",
            "version": "1",
            "description": "The JSON side of the service; a race itself is played by WebSocket.",
        },
        "paths": {
            PREFIX + _CAPTURED.sub(r"{\1}", address): {
                method.lower(): _describe(address, operation)
                for method, operation in endpoint.operations.items()
            }
            for address, endpoint in patterns
        },
        "components": {"schemas": components, "securitySchemes": {**_SESSION, **_TOKEN}},
    }


def _patterns() -> Iterator[tuple[str, Endpoint]]:
    for pattern in get_resolver("games.api.urls").url_patterns:
        assert isinstance(pattern, URLPattern)
        assert isinstance(pattern.callback, Endpoint), f"{pattern.pattern} has no operations"
        yield str(pattern.pattern), pattern.callback


def _shapes(endpoint: Endpoint) -> Iterator[Any]:
    for operation in endpoint.operations.values():
        answers = [shape for _, shape in _contents(operation)]
        yield from (shape for shape in [operation.body, *answers] if shape is not None)


def _contents(operation: Operation) -> Iterator[tuple[str, Any]]:
    """What a good answer may be: its media type, and what is in it where that is JSON."""
    told = get_type_hints(operation.view)["return"]
    for shape in get_args(told) or (told,):
        if shape not in {HttpResponse, type(None)}:
            yield "application/json", shape
    yield from operation.files.items()


def _describe(address: str, operation: Operation) -> Schema:
    words = inspect.getdoc(operation.view) or ""
    head, _, rest = words.partition("\n\n")
    captured = _CAPTURED.findall(address)
    described: Schema = {
        "operationId": getattr(operation.view, "__name__", ""),
        "summary": head.replace("\n", " ").rstrip("."),
        "parameters": [*_in_path(operation, captured), *_in_query(operation)],
        "responses": {
            str(operation.status): _answer(operation),
            **_refusals(operation, captured=bool(captured)),
        },
        "security": _security(operation),
    }
    if rest:
        described["description"] = rest
    if operation.body is not None:
        content = {"application/json": {"schema": _schema(operation.body)}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _in_path(operation: Operation, captured: Iterable[str]) -> Iterator[Schema]:
    hints = get_type_hints(operation.view, include_extras=True)
    for name in captured:
        yield _parameter("path", name, _schema(hints[name]), required=True)


def _in_query(operation: Operation) -> Iterator[Schema]:
    if operation.query is None:
        return
    for field in msgspec.structs.fields(operation.query):
        schema = _schema(field.type)
        if not field.required:
            schema["default"] = field.default
        yield _parameter("query", field.encode_name, schema, required=field.required)


def _parameter(place: str, name: str, schema: Schema, *, required: bool) -> Schema:
    described = {"name": name, "in": place, "required": required}
    for key in ("description", "examples"):
        if key in schema:
            found = schema.pop(key)
            named = {str(value): {"value": value} for value in found} if key == "examples" else None
            described[key] = named or found
    return {**described, "schema": schema}


def _answer(operation: Operation) -> Schema:
    described: Schema = {"description": HTTPStatus(operation.status).phrase}
    content = {
        kind: {"schema": {"type": "string"} if shape is None else _schema(shape)}
        for kind, shape in _contents(operation)
    }
    return {**described, "content": content} if content else described


def _refusals(operation: Operation, *, captured: bool) -> Schema:
    """The refusals of an operation, by status, each with all the reasons that it may have."""
    found: dict[int, set[Denial]] = {}
    for reason in operation.denied:
        found.setdefault(json.STATUS[reason], set()).add(reason)
    found.setdefault(400, set()).add(Denial.BAD_MESSAGE)  # what nobody can read
    if operation.body is not None:  # what is too large to be read
        found.setdefault(413, set()).add(Denial.BAD_MESSAGE)
    if captured:  # what is captured may be so strange that there is no such address
        found.setdefault(404, set()).add(Denial.NOT_FOUND)
    if operation.needs_session:
        found.setdefault(403, set()).add(Denial.SIGN_IN)
    if operation.changes:  # without the token
        found.setdefault(403, set()).add(Denial.BAD_MESSAGE)
    return {str(status): _refusal(status, reasons) for status, reasons in sorted(found.items())}


def _refusal(status: int, reasons: set[Denial]) -> Schema:
    schema = {
        "type": "object",
        "required": ["reason", "detail"],
        "properties": {
            "reason": {"enum": sorted(reasons)},
            "detail": {"type": "string", "description": "What a person can do, in English"},
        },
        "additionalProperties": False,
    }
    content = {"application/json": {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    token: dict[str, list[str]] = {name: [] for name in _TOKEN} if operation.changes else {}
    session: dict[str, list[str]] = {"session": []}
    signed_in = {**session, **token}
    return [signed_in] if operation.needs_session else [token, signed_in]


def _schema(shape: Any) -> Schema:
    (schema,), _ = msgspec.json.schema_components([shape], ref_template=_REF)
    return schema


openapi = Endpoint(get=Operation(show_document, files={"application/json": dict[str, Any]}))
