"""The application's entry in Django's list."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Races of Crescent solitaire."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let `manage.py check --deploy` look at our own settings, and sessions be marked."""
        from games.management import checks  # noqa: F401
        from games.services import sessions  # noqa: F401
