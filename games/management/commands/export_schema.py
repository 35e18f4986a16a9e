"""Write the JSON Schema of an exported game, so that nobody types it by hand."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.services import exporting


class Command(BaseCommand):
    """`manage.py export_schema FILE`."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        file.write_text(exporting.schema(), encoding="utf-8")
