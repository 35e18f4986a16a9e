"""Settings come from the environment: production is clean, carelessness is named."""

import os
import subprocess
import sys

import pytest

from tests.support.server import ROOT

PRODUCTION = {
    "CRESCENT_SECRET_KEY": "p8Xb3k" * 10,
    "CRESCENT_HOSTS": "race.example.org",
    "CRESCENT_HTTPS": "on",
    "DATABASE_URL": "postgres://crescent:secret@127.0.0.1:1/crescent",
    "REDIS_URL": "redis://127.0.0.1:1/0",
}


def check(*arguments: str, **changed: str) -> tuple[int, str]:
    plain = {k: v for k, v in os.environ.items() if not k.startswith("CRESCENT_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "manage.py", "check", *arguments],
        cwd=ROOT,
        check=False,
        env={**plain, **PRODUCTION, **changed},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_production_settings_are_clean() -> None:
    status, said = check("--deploy", "--fail-level", "WARNING")
    assert (status, "no issues" in said) == (0, True), said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CRESCENT_LIMITS", "off"),
        ("CRESCENT_HOSTS", ""),
        ("CRESCENT_HOSTS", "*"),
        ("CRESCENT_SECRET_KEY", ""),
        ("REDIS_URL", ""),
    ],
)
def test_what_is_for_home_or_for_tests_fails_the_check(
    name: str, value: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = str(tmp_path_factory.mktemp("data"))
    status, said = check("--deploy", **{"CRESCENT_DATA": data, name: value})
    assert status == 1
    assert "crescent.E0" in said
    assert name in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CRESCENT_POOL", "many"),
        ("CRESCENT_LIMITS", "perhaps"),
        ("CRESCENT_RATE_RACES", "20 an hour"),
        ("CRESCENT_PROXIES", "proxy.example.org"),
        ("CRESCENT_LOG", "xml"),
        ("DATABASE_URL", "mysql://localhost/crescent"),
        ("REDIS_URL", "localhost:6379"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_named_at_the_start(name: str, value: str) -> None:
    status, said = check(**{name: value})
    assert status != 0
    assert f"ImproperlyConfigured: {name} must " in said
