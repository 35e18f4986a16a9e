"""The house rules that no linter knows: names, docstrings, the clock, what is generated."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "games"
GENERATED = ROOT / "frontend" / "src" / "net" / "protocol.gen.ts"
SETTINGS = ROOT / "crescent_site" / "settings.py"


def _modules(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _imports(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported, those from the own package left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module


# --- What is generated -----------------------------------------------------------------------


def test_the_typescript_types_are_those_of_the_protocol() -> None:
    call_command("protocol_types", GENERATED, "--check")


def test_types_that_are_not_those_of_the_protocol_are_found_out(tmp_path: Path) -> None:
    other = tmp_path / "protocol.gen.ts"
    other.write_text(GENERATED.read_text().replace("redeals", "redeal"))
    with pytest.raises(CommandError, match="make types"):
        call_command("protocol_types", other, "--check")
    call_command("protocol_types", other)
    assert other.read_text() == GENERATED.read_text()


def test_the_vectors_are_as_the_engine_writes_them() -> None:
    command = [sys.executable, "-m", "tests.vectors.write", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_pages_of_the_docs_that_are_named_are_there() -> None:
    named = {
        page
        for path in (*_modules("games", "crescent_site", "tests", "bench"), *_scripts())
        for page in re.findall(r"[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert "docs/protocol.md" in named
    assert [page for page in sorted(named) if not _is_page(page)] == []


def _scripts() -> list[Path]:
    return sorted((ROOT / "frontend" / "src").rglob("*.ts"))


def _is_page(name: str) -> bool:
    return any((ROOT / folder / name).is_file() for folder in ("", "docs", "docs/decisions"))


# --- Names and docstrings --------------------------------------------------------------------


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    parts = {part for path in _modules("games") for part in path.with_suffix("").parts}
    assert not parts & vague


def test_every_module_says_what_it_is_for() -> None:
    """An empty `__init__.py` needs no words."""
    written = [
        path
        for path in [*_modules("games", "crescent_site", "bench", "tests"), ROOT / "manage.py"]
        if path.read_text(encoding="utf-8").strip()
    ]
    assert written
    assert [_name(path) for path in written if not ast.get_docstring(_tree(path))] == []


# --- Who may know what -----------------------------------------------------------------------


def test_the_engine_imports_the_standard_library_alone() -> None:
    foreign = {
        (_name(path), module)
        for path in _modules("games/engine")
        for module in _imports(_tree(path))
        if module.split(".")[0] not in sys.stdlib_module_names
    }
    assert foreign == set()


def test_the_engine_has_no_input_output_or_chance_of_its_own() -> None:
    outside = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets",
               "socket", "sys", "threading", "time"}  # fmt: skip
    used = {
        (_name(path), module)
        for path in _modules("games/engine")
        for module in _imports(_tree(path))
        if module.split(".")[0] in outside
    }
    assert used == set()


def _reading_the_time(tree: ast.Module) -> list[str]:
    """Everything in a module that reads the time, imports of `time` included."""
    imported = [f"import {module}" for module in _imports(tree) if module == "time"]
    read = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"now", "utcnow", "today", "localtime", "localdate", "time"}
        and ast.unparse(node.value).split(".")[-1] in {"time", "datetime", "date", "timezone"}
    ]
    return imported + read


def test_the_clock_is_the_only_place_that_reads_the_time() -> None:
    readers = {_name(path): _reading_the_time(_tree(path)) for path in _modules("games")}
    assert readers.pop("games/clock.py")
    assert readers.pop("games/models/player.py") == ["timezone.now"]  # Django asks for a default
    assert {name: clocks for name, clocks in readers.items() if clocks} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import time", ["import time"]),
        ("from time import monotonic", ["import time"]),
        ("from datetime import datetime\nx = datetime.now()", ["datetime.now"]),
        ("import datetime\nx = datetime.date.today", ["datetime.date.today"]),
        ("from django.utils import timezone\nf(default=timezone.now)", ["timezone.now"]),
        ("from games import clock\nclock.now_ms()", []),
        ("import datetime\ndatetime.timedelta(days=1)", []),
    ],
)
def test_a_second_clock_would_be_found(source: str, found: list[str]) -> None:
    assert _reading_the_time(ast.parse(source)) == found


# --- The settings ----------------------------------------------------------------------------


def _read_variables() -> set[str]:
    """The environment variables that the settings name where they read them."""
    called = [
        node
        for path in (SETTINGS, SETTINGS.with_name("environment.py"))
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call)
    ]
    reads = [
        node
        for node in called
        if ast.unparse(node.func) == "os.environ.get"
        or ast.unparse(node.func).startswith("environment.")
    ]
    names = {
        node.args[0].value for node in reads if node.args and isinstance(node.args[0], ast.Constant)
    }
    return {name for name in names if isinstance(name, str)}


def test_every_setting_that_the_environment_gives_is_in_the_operations_page() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`[A-Z_]+`[^|]*) \|", page, flags=re.MULTILINE)
    listed = {name for cell in cells for name in re.findall(r"`([A-Z_]+)`", cell)}
    assert _read_variables()
    assert listed == _read_variables()


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        _name(path)
        for path in _modules("games", "crescent_site")
        if re.search(r"os\.(environ|getenv)", path.read_text(encoding="utf-8"))
    }
    # asgi.py says only which settings are meant.
    own = {"settings.py", "environment.py", "asgi.py"}
    assert readers <= {f"crescent_site/{name}" for name in own}
