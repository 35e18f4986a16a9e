"""A player's best on the leaderboards: one row for a game that leads its player's others."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class Best(models.Model):
    """`game` is the player's best on the boards of `scope` and `period` whose column is true.

    `scope` is a deal's id, 0 for all deals, -1 for the deals of the day; `period` is 0 for all
    time, a day's number (services/periods.py) or, below zero, an ISO week's. `time_key` and
    `moves_key` are the result as one number each (services/boards.py): the least is the best,
    equals share a rank. `ended_at` is the moment of the winning move (Unix ms). Only
    services/bests.py and services/rebuilding.py write here.
    """

    pk = models.CompositePrimaryKey("game_id", "scope", "period")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="bests", db_index=False)
    scope = models.BigIntegerField()
    period = models.IntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bests", db_index=False
    )
    time_key = models.BigIntegerField()
    moves_key = models.BigIntegerField()
    ended_at = models.BigIntegerField()
    time_all = models.BooleanField()
    time_first = models.BooleanField()
    time_no_undo = models.BooleanField()
    moves_all = models.BooleanField()
    moves_first = models.BooleanField()
    moves_no_undo = models.BooleanField()

    class Meta:
        indexes = [
            models.Index(name="best_of_player", fields=["player", "scope", "period"]),
            *(
                models.Index(
                    name=f"best_{by}_{games}",
                    fields=["scope", "period", f"{by}_key", "ended_at", "game"],
                    condition=models.Q((f"{by}_{games}", True)),
                )
                for by in ("time", "moves")
                for games in ("all", "first", "no_undo")
            ),
        ]

    def __str__(self) -> str:
        return f"best {self.game_id} of {self.scope} in {self.period}"
