"""Pages without a built front end: a manifest made up from its sources, catalogues compiled."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from django.utils import translation
from django.utils.translation import trans_real
from django_vite.core.asset_loader import DjangoViteAssetLoader
from pytest_django import Settings

from tests.web import messages

FRONTEND = messages.ROOT / "frontend"


@pytest.fixture(scope="session", autouse=True)
def _compiled_catalogues() -> None:
    for language in messages.LANGUAGES:
        source = messages.path_of(language)
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            with compiled.open("wb") as file:
                write_mo(file, messages.catalogue(language))
    trans_real._translations.clear()  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Vite would say it has built from the front end's entries."""
    pages = sorted((FRONTEND / "src" / "pages").glob("*.ts"))
    sources = [*pages, FRONTEND / "src" / "table" / "cards.svg"]
    assert pages
    entries = {
        str(path.relative_to(FRONTEND)): {
            "file": f"assets/{path.stem}-AAAAAAAA{path.suffix.replace('.ts', '.js')}",
            "src": str(path.relative_to(FRONTEND)),
            "isEntry": path.suffix == ".ts",
        }
        for path in sources
    }
    path = tmp_path_factory.mktemp("front-end") / "manifest.json"
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture(autouse=True)
def _front_end(manifest: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DJANGO_VITE = {"default": {"dev_mode": False, "manifest_path": manifest}}
    settings.STATIC_ROOT = None
    monkeypatch.setattr(DjangoViteAssetLoader, "_instance", None)


@pytest.fixture(autouse=True)
def _no_language_of_another_test() -> Iterator[None]:
    with translation.override("en"):  # a request leaves its language on the thread
        yield
