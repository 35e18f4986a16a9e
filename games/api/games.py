"""/api/games: a finished game, to be watched again."""

from django.http import HttpRequest, HttpResponse

from games.api import json
from games.services import replays


def show_replay(request: HttpRequest, game: int) -> HttpResponse:
    """Give a game's layout and actions, once this reader may have them."""
    found = replays.of_game(game_id=game, reader=json.player_of(request))
    return json.answer(
        {
            "game": found.game.pk,
            "deal": found.deal.code,
            "player": found.game.player.name,
            "layout": found.layout,
            "actions": found.actions,
            "outcome": found.game.outcome,
            "at": found.game.finished_ms,
        }
    )


replay = json.endpoint(get=show_replay)
