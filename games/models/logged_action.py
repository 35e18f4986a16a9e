"""A logged action: the truth of a game is the list of these."""

from django.db import models

from games.models.game import Game


class LoggedAction(models.Model):
    """Action `seq` (from 1) of a game, `at_ms` after the race's start, two characters of code.

    Rows are only ever inserted, by services/recording.py: saving an instance would overwrite
    silently, as models with a composite key do.
    """

    pk = models.CompositePrimaryKey("game_id", "seq")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="actions", db_index=False)
    seq = models.PositiveIntegerField()
    at_ms = models.BigIntegerField()
    code = models.CharField(max_length=2)

    class Meta:
        constraints = [
            models.CheckConstraint(name="action_seq_from_1", condition=models.Q(seq__gte=1)),
        ]

    def __str__(self) -> str:
        return self.code
