"""Addresses of the game: pages, the small HTTP side, health."""

from django.urls import include, path

from games.api.health import healthz
from games.web.urls import urlpatterns as pages

urlpatterns = [
    path("api/", include("games.api.urls")),
    path("healthz", healthz),
    *pages,
]
