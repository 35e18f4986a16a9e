"""What an administrator sees: everything to read, little to change, no log to rewrite."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Deal, Game, Player, Race

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnly(ModelAdmin):
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows here."""
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Players, without their passwords."""

    list_display = ("name", "is_guest", "language", "joined_at")
    search_fields = ("name",)
    fields = ("name", "is_guest", "language", "joined_at", "is_active")


@admin.register(Deal)
class DealAdmin(ReadOnly):
    """Deals; the cards of a closed one are nobody's to see, not even here."""

    list_display = ("code", "kind", "commitment", "revealed_at")
    search_fields = ("code",)
    fields = ("code", "kind", "commitment", "created_at", "revealed_at")


@admin.register(Race)
class RaceAdmin(ReadOnly):
    """Races."""

    list_display = ("code", "deal", "host", "seats", "openness", "starts_at", "closed_at")
    search_fields = ("code",)
    list_select_related = ("deal", "host")


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Games."""

    list_display = ("pk", "race", "player", "seq", "home", "moves", "outcome", "finished_ms")
    search_fields = ("race__code",)
    list_select_related = ("race", "player")
