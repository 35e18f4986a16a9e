"""Schemathesis on a server's OpenAPI document: made-up requests, and every answer held against it.

As a program (`python -m tests.api.hostile ORIGIN SECONDS`) it does it for as long as one likes.
schemathesis imports this module too, for the session and the repair below.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import schemathesis

from tests.support.client import Guest
from tests.support.server import ROOT

NOT_CHECKED = "positive_data_acceptance,use_after_free"
"""What a document can't say: a name or a deal code may be refused though it is a string, and 34.0
is no whole number here. A seat given up is a race still read."""


def attack(origin: str, seconds: int, folder: Path) -> str:
    """Send what schemathesis makes up for so long; return what it says.

    :raises AssertionError: for an answer that the document doesn't promise, a 500 above all.
    """
    command = [
        *(sys.executable, "-W", "ignore", "-m", "schemathesis.cli", "run"),
        f"{origin}/api/openapi.json",
        *("--max-time", str(seconds), "--checks", "all", "--exclude-checks", NOT_CHECKED),
        *("--phases", "examples,coverage,fuzzing,stateful", "--continue-on-failure"),
    ]
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "tests.api.hostile",
        "CRESCENT_TEST_ORIGIN": origin,
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, schema: dict[str, Any]) -> None:
    """Write tuples as lists of either: schemathesis 4.32 doesn't understand its own form of one
    that is in a list."""
    _loosen(schema)


def _loosen(node: Any) -> None:
    if isinstance(node, list):
        for each in node:
            _loosen(each)
    elif isinstance(node, dict):
        if "prefixItems" in node:
            node["items"] = {"anyOf": node.pop("prefixItems")}
        for each in node.values():
            _loosen(each)


@cache
def _session() -> dict[str, str]:
    guest = Guest(os.environ["CRESCENT_TEST_ORIGIN"], "Fuzzer")
    return dict(guest.http.cookies)


@schemathesis.auth()
class Session:
    """Somebody's session, with its token."""

    def get(
        self, case: "schemathesis.Case[Any]", context: schemathesis.AuthContext
    ) -> dict[str, str]:
        """Become a guest, once."""
        return _session()

    def set(
        self,
        case: "schemathesis.Case[Any]",
        data: dict[str, str],
        context: schemathesis.AuthContext,
    ) -> None:
        """Send the cookies and the token along."""
        case.headers["X-CSRFToken"] = data["csrftoken"]
        case.cookies.update(data)


if __name__ == "__main__":
    print(attack(sys.argv[1], int(sys.argv[2]), Path.cwd()))
