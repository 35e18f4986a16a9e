"""Replay an exported game (JSON or plain text) and say whether it holds."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import exported, exporting


class Command(BaseCommand):
    """`manage.py verify_game FILE`."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="an exported game")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            document = exporting.read(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeError) as error:
            message = f"{path} can't be read: {error}"
            raise CommandError(message) from None
        except exporting.Unreadable as error:
            message = f"{path} is no exported game: {error.why}"
            raise CommandError(message) from None
        faults = exported.faults_of(document)
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            message = f"{path} does NOT hold"
            raise CommandError(message)
        result = document.result
        self.stdout.write(
            f"{path} holds: {document.player} on {document.deal.code}, {result.outcome} "
            f"after {result.at} ms with {result.moves} moves"
        )
