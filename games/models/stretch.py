"""A stretch of a long leaderboard, so that a rank is a short sum and a short count."""

from django.db import models


class Stretch(models.Model):
    """`count` rows of a board have a key (`time_key` or `moves_key` of Best) from `low` up to the
    `low` of the next stretch. `scope` and `period` are as in Best, `column` is 0-5, the place of
    the board's column among those of Best.

    The stretches of a board hold all its rows; a board without any is short. Only
    services/stretches.py writes here.
    """

    pk = models.CompositePrimaryKey("scope", "period", "column", "low")
    scope = models.BigIntegerField()
    period = models.IntegerField()
    column = models.PositiveSmallIntegerField()
    low = models.BigIntegerField()
    count = models.IntegerField()

    class Meta:
        verbose_name_plural = "stretches"

    def __str__(self) -> str:
        return f"{self.count} from {self.low}"
