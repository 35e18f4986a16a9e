"""How many rows of a large board fall into a stretch of results, so that ranks are not counted."""

from django.db import models


class Tally(models.Model):
    """`count` rows of the board (scope and period as in Best; `column` 0-5, in the order of its
    booleans) have a result in stretch `bucket`: so many times 4,096 ms, or 64 times
    the moves and the undos, 63 at most.

    Kept for the boards over many deals only: the rank of a result is the sum of the stretches
    before its own and a short count within it.
    """

    pk = models.CompositePrimaryKey("scope", "period", "column", "bucket")
    scope = models.BigIntegerField()
    period = models.IntegerField()
    column = models.PositiveSmallIntegerField()
    bucket = models.PositiveIntegerField()
    count = models.IntegerField()

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.count} in {self.bucket}"
