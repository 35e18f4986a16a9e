"""Whatever a process hears while it reads that a race is over, its last frame has every outcome."""

import json
from typing import Any

import pytest

from games import clock
from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import Accepted, Entry
from games.live.connection import Connection
from games.live.hub import Hub, move_of
from games.models import Deal, Game, Player, Race
from games.services.rosters import Room
from tests.support.lines import winning_line

CODE = "CR1-N-AAAAAAB"
LINE = winning_line(CODE)
START = clock.now_ms() - 600_000


def room(seq: int, *, closed: bool) -> Room:
    deal = Deal(pk=1, code=CODE, kind="N", layout=layout_of(parse_deal_code(CODE)), created_at=1)
    player = Player(pk=1, name="Minh")
    race = Race(pk=1, code="RACE", deal=deal, host=player, seats=2, created_at=1)
    race.starts_at, race.time_limit_min, race.version = START, 180, 2 if closed else 1
    race.closed_at = START + 200_000 if closed else None
    game = Game(pk=1, race=race, player=player, seq=seq)
    if closed:
        game.outcome, game.finished_ms, game.home = "won", len(LINE), 104
    return Room(race, (game,))


@pytest.mark.parametrize("mine", [True, False])
async def test_an_end_that_was_read_has_what_was_played_meanwhile(mine: bool) -> None:
    logged = [(seq, seq, code) for seq, code in enumerate(LINE, 1)]
    hub = Hub(room(len(LINE) - 1, closed=False), {1: logged[:-1]})
    frames: list[dict[str, Any]] = []

    async def send(event: dict[str, Any]) -> None:
        frames.append(json.loads(event["text"]))

    watcher = Connection(send, None)
    hub.join(watcher, None)
    asked = hub.tick
    game = hub.game(1)
    assert game is not None
    offered = game.offer(len(LINE), LINE[-1], len(LINE))
    assert isinstance(offered, Accepted)
    if not mine:  # another process has written it and told us while the read was under way
        game.tip = None
        last: Entry = offered.entry
        assert hub.hear_moves([move_of(game, last)])
    hub.absorb(room(len(LINE), closed=True), {1: logged[-1:]}, asked)
    await watcher.flushed()
    kinds = [frame["type"] for frame in frames]
    assert kinds.index("moved") < kinds.index("finished") < kinds.index("closed")
    (row,) = frames[-1]["standings"]
    assert (row["outcome"], row["at"], row["place"]) == ("won", len(LINE), 1)
    assert game.commit(offered.log, [offered.entry]) == []  # what its journal says is no news
