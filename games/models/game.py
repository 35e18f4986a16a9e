"""A game: one player's play in one race. The row is the seat, the counters and the result."""

from django.conf import settings
from django.db import models

from games.models.race import Race


class Outcome(models.TextChoices):
    """How a game ended."""

    WON = "won", "won"
    RESIGNED = "resigned", "resigned"
    EXPIRED = "expired", "expired"


class Game(models.Model):
    """`seq` counts all actions, `moves` the moves that stand, `home` the cards on the foundations
    with the 8 bases (104 is won). `finished_ms` is the time since the race's start; `seen_at` and
    `removed_at` are Unix milliseconds. Of a won game that is `entered` the leaderboards know;
    `followed` says that it repeats a rival's earlier line, `studied` that its player had opened a
    replay of the deal before (services/marks.py)."""

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="games")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="games"
    )
    ready = models.BooleanField(default=False)
    seen_at = models.BigIntegerField(null=True)
    seq = models.PositiveIntegerField(default=0)
    moves = models.PositiveIntegerField(default=0)
    undos = models.PositiveIntegerField(default=0)
    redeals = models.PositiveSmallIntegerField(default=0)
    home = models.PositiveSmallIntegerField(default=8)
    outcome = models.CharField(max_length=8, choices=Outcome, null=True)  # noqa: DJ001
    finished_ms = models.BigIntegerField(null=True)
    first_try = models.BooleanField(default=False)
    removed_at = models.BigIntegerField(null=True)
    entered = models.BooleanField(default=False)
    followed = models.BooleanField(default=False)
    studied = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="game_one_seat_a_player", fields=["race", "player"]),
            models.CheckConstraint(
                name="game_outcome_has_time",
                condition=models.Q(outcome=None, finished_ms=None)
                | models.Q(outcome__isnull=False, finished_ms__isnull=False),
            ),
            models.CheckConstraint(
                name="game_won_is_104_home",
                condition=~models.Q(outcome="won") | models.Q(home=104),
            ),
        ]
        indexes = [
            models.Index(
                name="game_not_entered",
                fields=["race"],
                condition=models.Q(outcome="won", entered=False),
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.pk}"
