"""Check that a deal's cards are those its code, or its seed and commitment, promise."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import deals
from games.services.denied import Denied


class Command(BaseCommand):
    """`manage.py verify_deal CODE`."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="a deal code such as CR1-S-QKZMWAB")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            deal = deals.find(code=deals.read_code(options["code"]))
        except Denied as denied:
            raise CommandError(denied.detail) from None
        if not deal.revealed:
            message = f"{deal.code} is sealed; its commitment is {deal.commitment}"
            raise CommandError(message)
        if not deals.holds(deal=deal):
            message = f"{deal.code} does NOT hold: the stored cards are not the promised ones"
            raise CommandError(message)
        self.stdout.write(f"{deal.code} holds")
        if deal.seed:
            self.stdout.write(f"seed        {bytes(deal.seed).hex()}")
            self.stdout.write(f"commitment  {deal.commitment}")
        self.stdout.write(f"layout      {deal.layout}")
