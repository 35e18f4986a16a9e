"""A deal: 96 cards in the order they lie, under a code that deals them again."""

from typing import Literal

from django.db import models
from django.db.models.functions import Length

from games.engine.deals import parse_deal_code

models.CharField.register_lookup(Length)


class DealKind(models.TextChoices):
    """Who can compute the cards, and how many redeals there are."""

    NORMAL = "N", "N: open, 3 redeals"
    FOUR = "F", "F: open, 4 redeals"
    SEALED = "S", "S: sealed, 3 redeals"


class Deal(models.Model):
    """`layout` is 96 cards, two characters each, pile 1 first, bottom to top. A sealed deal has
    the seed its layout comes from, and is closed until `revealed_at` (Unix time in ms)."""

    code = models.CharField(max_length=13, unique=True)
    kind = models.CharField(max_length=1, choices=DealKind)
    layout = models.CharField(max_length=192)
    seed = models.BinaryField(max_length=16, null=True)
    commitment = models.CharField(max_length=64, null=True)  # noqa: DJ001 -- none, not empty
    created_at = models.BigIntegerField()
    revealed_at = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="deal_layout_has_96_cards", condition=models.Q(layout__length=192)
            ),
            models.CheckConstraint(
                name="deal_sealed_has_seed",
                condition=models.Q(kind="S", seed__isnull=False, commitment__isnull=False)
                | models.Q(~models.Q(kind="S"), seed=None, commitment=None),
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def revealed(self) -> bool:
        """Whether everybody may see its cards: open kinds always, a sealed one once opened."""
        return self.kind != DealKind.SEALED or self.revealed_at is not None

    @property
    def redeals(self) -> Literal[3, 4]:
        """How many redeals a game on it has."""
        return parse_deal_code(self.code).redeals
