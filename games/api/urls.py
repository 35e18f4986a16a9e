"""Addresses of the small HTTP side."""

from django.urls import path

from games.api import boards, deals, games, guests, openapi, preferences, races

urlpatterns = [
    path("openapi.json", openapi.openapi),
    path("guest", guests.guest),
    path("settings", preferences.settings),
    path("races", races.opened),
    path("races/<str:code>", races.race),
    path("races/<str:code>/seat", races.seat),
    path("deals/<str:code>", deals.deal),
    path("deals/<str:code>/leaderboard", deals.leaderboard),
    path("leaderboards", boards.board, name="api_leaderboards"),
    path("games/<int:game>/replay", games.replay),
    path("games/<int:game>/export", games.export, name="api_export"),
    path("games/<int:game>/compare/<int:other>", games.compare),
]
