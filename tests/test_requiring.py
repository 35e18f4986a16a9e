"""CRESCENT_REQUIRE: what is required is there, and with everything required nothing is skipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needs import NEEDS
from tests.support.server import ROOT

SKIPPING = {
    "by itself": "import pytest\ndef test_it() -> None:\n    pytest.skip('why not')\n",
    "by a mark": "import pytest\n@pytest.mark.skip\ndef test_it() -> None:\n    pass\n",
    "as a file": "import pytest\npytest.skip('why not', allow_module_level=True)\n",
    "for want of Redis": "import pytest\n@pytest.mark.redis\ndef test_it() -> None:\n    pass\n",
}


def run(folder: Path, source: str, required: str, *options: str, there: bool) -> tuple[int, str]:
    """Run a file of tests on a machine that has everything, or nothing."""
    pretend = "".join(f"NEEDS[{name!r}] = (lambda: {there}, 'it')\n" for name in NEEDS)
    conftest = f"from tests.conftest import *\nfrom tests.support.needs import NEEDS\n{pretend}"
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_it.py").write_text(source)
    # What this run tells its own workers is not for that one's.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), str(folder)),
            *("-p", "no:cacheprovider"),
            *options,
        ],
        cwd=ROOT,
        env={**environment, "CRESCENT_REQUIRE": required},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("source", SKIPPING.values(), ids=SKIPPING)
def test_what_is_skipped_is_told_and_no_fault(tmp_path: Path, source: str) -> None:
    status, said = run(tmp_path, source, "", there=False)
    assert (status in {0, 5}, "1 skipped" in said) == (True, True), said


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_missing_is_named_with_its_count(tmp_path: Path, workers: str) -> None:
    status, said = run(tmp_path, SKIPPING["for want of Redis"], "", "-n", workers, there=False)
    assert (status, "\n1 tests skipped: they need it\n" in said) == (0, True), said


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("name", ["by itself", "by a mark", "as a file"])
def test_where_everything_is_required_what_is_skipped_fails(
    tmp_path: Path, name: str, workers: str
) -> None:
    status, said = run(tmp_path, SKIPPING[name], "all", "-n", workers, there=True)
    assert status not in {0, 5}
    assert "skipped, though everything is required" in said


@pytest.mark.parametrize("required", ["all", "redis", "node,redis"])
def test_what_is_required_and_missing_ends_the_run(tmp_path: Path, required: str) -> None:
    status, said = run(tmp_path, SKIPPING["for want of Redis"], required, there=False)
    assert (status, "required and not found" in said) == (4, True)


def test_a_requirement_that_nobody_knows_is_named(tmp_path: Path) -> None:
    status, said = run(tmp_path, SKIPPING["by itself"], "postgress", there=True)
    assert (status, "['postgress']: not known" in said) == (4, True)


def test_everything_that_tests_are_marked_by_is_checked() -> None:
    """A skip that the table doesn't know would go unnoticed on a machine without it."""
    sources = {path: path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}
    own = Path(__file__).resolve()
    skipping = [
        path.name for path, text in sources.items() if "mark.skipif" in text and path != own
    ]
    assert skipping == []
