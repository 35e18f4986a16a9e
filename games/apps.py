"""The application's entry in Django's list."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Races of Crescent solitaire."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
