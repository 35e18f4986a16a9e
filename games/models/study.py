"""That a player has been shown all cards of a deal, by a replay or an export."""

from django.conf import settings
from django.db import models

from games.models.deal import Deal


class Study(models.Model):
    """`at` is the first time (Unix ms) that this player opened a replay of this deal."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="studies",
        db_index=False,
    )
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="studies")
    at = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="study_once_a_deal", fields=["player", "deal"]),
        ]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return f"study of {self.deal_id}"
