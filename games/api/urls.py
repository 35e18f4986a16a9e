"""Addresses of the small HTTP side."""

from django.urls import path

from games.api import deals, games, guests, races

urlpatterns = [
    path("guest", guests.guest),
    path("races", races.opened),
    path("races/<str:code>", races.race),
    path("races/<str:code>/seat", races.seat),
    path("deals/<str:code>", deals.deal),
    path("deals/<str:code>/leaderboard", deals.leaderboard),
    path("games/<int:game>/replay", games.replay),
]
