"""Addresses of the pages."""

from django.urls import URLPattern, path

from games.web import (
    accounts,
    boards,
    comparing,
    daily,
    deals,
    games,
    home,
    join,
    language,
    players,
    races,
    rules,
)

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("join/", join.join, name="join"),
    path("races/", races.opened, name="races"),
    path("races/open/", home.open_races, name="open_races"),  # no race code has an O
    path("races/<str:code>/", races.room, name="race"),
    path("races/<str:code>/replay/", races.replay, name="race_replay"),
    path("alone/", races.alone, name="alone"),
    path("deals/<str:code>/", deals.deal, name="deal"),
    path("deals/<str:code>/compare/", deals.compare, name="compare_on_deal"),
    path("games/<int:game>/", games.replay, name="game"),
    path("leaderboards/", boards.boards, name="leaderboards"),
    path("daily/", daily.today, name="daily"),
    path("daily/<str:date>/", daily.on, name="day"),
    path("players/<int:player>/", players.profile, name="player"),
    path("games/<int:game>/compare/<int:other>/", comparing.compare, name="compare"),
    path("account/", accounts.account, name="account"),
    path("account/sign-in/", accounts.sign_in, name="sign_in"),
    path("account/sign-out/", accounts.sign_out, name="sign_out"),
    path("account/password/", accounts.password, name="password"),
    path("rules/", rules.rules, name="rules"),
    path("language/", language.choose, name="language"),
]
