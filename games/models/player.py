"""A person who plays: a guest under a name, or an account."""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.utils import timezone


class PlayerManager(BaseUserManager["Player"]):
    """Makes players; `createsuperuser` comes through here."""

    def create_superuser(self, name_key: str, password: str | None = None) -> "Player":
        """Create the account of an administrator, whose name is also what they sign in with."""
        player = self.model(
            name=name_key,
            name_key=name_key.casefold(),
            is_guest=False,
            is_staff=True,
            is_superuser=True,
        )
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """The user model. `name_key` (NFKC, case-folded) is null for guests, so names of accounts
    are unique and guests may be called alike, except within one race; `look` and `look_capital`
    are what an account's name looks like (services/names.py), so that none looks like another's.
    `preferences` are an account's choices (services/preferences.py); a guest's are in the browser.
    The page of a private player is theirs alone; what they won stands on the boards under their
    name all the same."""

    name = models.CharField(max_length=96)
    name_key = models.CharField(max_length=192, unique=True, null=True, blank=True)
    look = models.CharField(max_length=192, null=True, editable=False)  # noqa: DJ001
    look_capital = models.CharField(max_length=192, null=True, editable=False)  # noqa: DJ001
    is_guest = models.BooleanField(default=True)
    language = models.CharField(max_length=8, default="", blank=True)
    preferences = models.JSONField(default=dict, db_default={}, blank=True)
    is_private = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[PlayerManager] = PlayerManager()

    USERNAME_FIELD = "name_key"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="player_guest_has_no_key",
                condition=models.Q(is_guest=True, name_key=None)
                | models.Q(is_guest=False, name_key__isnull=False),
            ),
            models.UniqueConstraint(name="player_look_is_their_own", fields=["look"]),
            models.UniqueConstraint(
                name="player_look_in_capitals_is_their_own", fields=["look_capital"]
            ),
        ]
        indexes = [
            models.Index(
                name="player_runs_the_site", fields=["id"], condition=models.Q(is_staff=True)
            ),
        ]

    def __str__(self) -> str:
        return self.name
