"""A race: seats, options and a time, around one deal."""

from django.conf import settings
from django.db import models

from games.models.deal import Deal

EXPIRY_GRACE_MS = 5_000


class Openness(models.TextChoices):
    """What racers and watchers see of each other while the race runs."""

    PROGRESS = "progress", "counts and times"
    MOVES = "moves", "moves, no faces"
    CARDS = "cards", "everything"


class StartRule(models.TextChoices):
    """Who starts the race."""

    HOST = "host", "the host"
    ALL_READY = "all_ready", "all are ready"


class Race(models.Model):
    """Times are Unix milliseconds. The state (lobby, countdown, running, closed) is derived from
    them and the clock. `version` rises with every change of the race or its roster."""

    code = models.CharField(max_length=8, unique=True)
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="races")
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_races"
    )
    seats = models.PositiveSmallIntegerField()
    openness = models.CharField(max_length=8, choices=Openness, default=Openness.MOVES)
    undo = models.BooleanField(default=True)
    start = models.CharField(max_length=9, choices=StartRule, default=StartRule.HOST)
    time_limit_min = models.PositiveSmallIntegerField(default=60)
    listed = models.BooleanField(default=False)
    created_at = models.BigIntegerField()
    starts_at = models.BigIntegerField(null=True)
    closed_at = models.BigIntegerField(null=True)
    version = models.PositiveIntegerField(default=1)
    next = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="previous"
    )

    ghosts = models.ManyToManyField("games.Game", related_name="haunted_races", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="race_seats_1_to_50", condition=models.Q(seats__gte=1, seats__lte=50)
            ),
            models.CheckConstraint(
                name="race_closed_after_start",
                condition=models.Q(closed_at=None)
                | models.Q(starts_at=None)
                | models.Q(closed_at__gte=models.F("starts_at")),
            ),
        ]
        indexes = [
            models.Index(
                name="race_unclosed", fields=["starts_at"], condition=models.Q(closed_at=None)
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def watchable(self) -> bool:
        """Whether everybody may see its games with all cards: it is over and its deal revealed."""
        return self.closed_at is not None and self.deal.revealed

    @property
    def limit_ms(self) -> int:
        """The time limit in milliseconds."""
        return self.time_limit_min * 60_000

    @property
    def expires_at(self) -> int | None:
        """When whoever has not finished is out of time, grace for late frames included."""
        return None if self.starts_at is None else self.starts_at + self.limit_ms + EXPIRY_GRACE_MS
