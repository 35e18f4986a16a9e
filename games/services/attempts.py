"""Attempts: what is special about the lone race that a player's counted game of a day is."""

from games import clock
from games.models import Attempt, Player, Race
from games.services import periods
from games.services.denied import Denial, Denied


def check_seat(*, race: Race, player: Player) -> None:
    """Refuse a seat in somebody else's game of the day.

    :raises Denied: deal_closed.
    """
    if Attempt.objects.filter(race=race).exclude(player=player).exists():
        raise Denied(Denial.DEAL_CLOSED, "This is somebody else's game of the day.")


def check_start(*, race: Race) -> None:
    """Refuse to start a game of the day once its day is over.

    :raises Denied: race_closed.
    """
    attempt = Attempt.objects.filter(race=race).first()
    if attempt is not None:
        ends_at = periods.starts_at(periods.number_of(attempt.day_id) + 1)
        if clock.now_ms() >= ends_at:
            raise Denied(Denial.RACE_CLOSED, "The day of this deal is over.")


def check_options(*, race: Race) -> None:
    """Refuse to play a game of the day otherwise than everybody does.

    :raises Denied: bad_option.
    """
    if Attempt.objects.filter(race=race).exists():
        raise Denied(Denial.BAD_OPTION, "The deal of the day is played the same way by all.")
