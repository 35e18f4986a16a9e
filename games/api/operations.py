"""Operations: what an address does for each method, and what the OpenAPI document says of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse

from games.api import json
from games.services.denied import Denial, Denied

RaceCode = Annotated[
    str, msgspec.Meta(description="The code of a race, in either case", examples=["K7MQXPR"])
]
DealCode = Annotated[
    str, msgspec.Meta(description="The code of a deal", examples=["CR1-N-AAAAAAB"])
]
GameId = Annotated[int, msgspec.Meta(description="The number of a game", ge=0, examples=[1])]

View = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of an address.

    `view` takes the request and what the address captures, and returns what its annotation says:
    a value that is written as JSON with `status`, None where there is nothing to tell (204), or a
    response of its own making. `query` and `body` are the structs that it reads; `files` are the
    media types of its own responses, with what is in them where it is JSON; `denied` are the
    reasons for which it may refuse; `needs_session` says that it is for players alone, `changes`
    that it asks for the token against forged requests.
    """

    view: View
    status: int = 200
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    files: Mapping[str, Any] = field(default_factory=dict)
    denied: tuple[Denial, ...] = ()
    needs_session: bool = False
    changes: bool = False

    def __call__(self, request: HttpRequest, **captured: object) -> HttpResponse:
        """Do it, and write what came of it."""
        try:
            found = self.view(request, **captured)
        except Denied as denied:
            return json.refuse(denied)
        if isinstance(found, HttpResponse):
            return found
        return HttpResponse(status=204) if found is None else json.answer(found, self.status)


class Endpoint:
    """One address: its operations by method (`post=Operation(open_race, …)`). What takes GET takes
    HEAD as well: the answer is the same, and the server keeps its body."""

    def __init__(self, **operations: Operation) -> None:
        self.operations = {method.upper(): each for method, each in operations.items()}

    def __call__(self, request: HttpRequest, **captured: object) -> HttpResponse:
        """Answer a request; 405 for a method that the address doesn't take."""
        method = request.method or ""
        operation = self.operations.get("GET" if method == "HEAD" else method)
        if operation is not None:
            return operation(request, **captured)
        heads = {"HEAD"} if "GET" in self.operations else set[str]()
        allowed = ", ".join(sorted(heads.union(self.operations)))
        response = json.refuse(
            Denied(Denial.BAD_MESSAGE, f"This address takes {allowed}."), status=405
        )
        response.headers["Allow"] = allowed
        return response
