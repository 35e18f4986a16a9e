"""What a socket may ask of the services: one request a message."""

from collections.abc import Callable
from functools import partial

from games import protocol
from games.models import Player
from games.services import ghosts, races, rematches, seats, settling
from games.services.denied import Denial, Denied

Request = Callable[[], object]


def request(message: protocol.FromClient, player: Player, code: str) -> Request:
    """Return the service call that `player` asks for in the room of race `code`.

    :raises Denied: bad_message, for a message that asks nothing of a service.
    """
    match message:
        case protocol.Ready(ready=ready):
            return partial(seats.set_ready, code=code, player=player, ready=ready)
        case protocol.Leave():
            return partial(seats.leave, code=code, player=player)
        case protocol.Unresign():
            return partial(settling.take_back_resignation, code=code, player=player)
        case protocol.Rematch(agree=agree):
            return partial(
                rematches.agree if agree else rematches.decline, code=code, player=player
            )
    return _request_of_host(message, player, code)


def _request_of_host(message: protocol.FromClient, host: Player, code: str) -> Request:
    match message:
        case protocol.Start():
            return partial(races.start, code=code, player=host)
        case protocol.CallOff():
            return partial(races.call_off, code=code, host=host)
        case protocol.Options():
            return partial(races.change_options, code=code, host=host, changes=message.changes())
        case protocol.Host(racer=racer):
            return partial(seats.hand_on, code=code, host=host, racer=racer)
        case protocol.Kick(racer=racer):
            return partial(seats.kick, code=code, host=host, racer=racer)
        case protocol.Ghost(game=game):
            return partial(ghosts.add, code=code, host=host, game_id=game)
    raise Denied(Denial.BAD_MESSAGE, "This asks for nothing.")
