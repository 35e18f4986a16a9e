"""A day (UTC) and its sealed deal; the one counted game that each player has on it."""

from django.conf import settings
from django.db import models

from games.models.deal import Deal
from games.models.race import Race


class Day(models.Model):
    """The deal of the day `date`; there is exactly one."""

    date = models.DateField(primary_key=True)
    deal = models.OneToOneField(Deal, on_delete=models.PROTECT, related_name="day")

    def __str__(self) -> str:
        return self.date.isoformat()


class Attempt(models.Model):
    """A player's counted game of a day: the lone race it is played in."""

    day = models.ForeignKey(Day, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts"
    )
    race = models.OneToOneField(Race, on_delete=models.CASCADE, related_name="attempt")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="attempt_one_a_day", fields=["day", "player"]),
        ]

    def __str__(self) -> str:
        return f"attempt at {self.day_id}"
