"""The tables of the database, one a file."""

from games.models.best import Best
from games.models.day import Attempt, Day
from games.models.deal import Deal, DealKind
from games.models.game import Game, Outcome
from games.models.logged_action import LoggedAction
from games.models.player import Player
from games.models.race import Openness, Race, StartRule
from games.models.stretch import Stretch
from games.models.study import Study

__all__ = [
    "Attempt",
    "Best",
    "Day",
    "Deal",
    "DealKind",
    "Game",
    "LoggedAction",
    "Openness",
    "Outcome",
    "Player",
    "Race",
    "StartRule",
    "Stretch",
    "Study",
]
