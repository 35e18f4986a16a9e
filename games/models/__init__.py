"""The tables of the database, one a file."""

from games.models.deal import Deal, DealKind
from games.models.game import Game, Outcome
from games.models.logged_action import LoggedAction
from games.models.player import Player
from games.models.race import Openness, Race, StartRule

__all__ = [
    "Deal",
    "DealKind",
    "Game",
    "LoggedAction",
    "Openness",
    "Outcome",
    "Player",
    "Race",
    "StartRule",
]
