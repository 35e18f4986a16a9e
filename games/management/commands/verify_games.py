"""Replay the log of every stored game and say which ones it doesn't make."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import verifying


class Command(BaseCommand):
    """`manage.py verify_games`."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        count = wrong = 0
        for game, faults in verifying.all_games():
            count += 1
            wrong += bool(faults)
            for fault in faults:
                self.stdout.write(f"game {game.pk} of race {game.race.code}: {fault}")
        if wrong:
            message = f"{wrong} of {count} games differ from their logs"
            raise CommandError(message)
        self.stdout.write(f"{count} games equal their logs")
