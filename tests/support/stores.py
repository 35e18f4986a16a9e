"""What a test does behind a running server's back: Django's ORM in a process of its own, on the
server's database."""

import json
from typing import Any

from tests.support.server import Server

_PROLOGUE = """
import json, sys
from django.db.models import F
from games.models import Deal, Game, LoggedAction, Race
given = json.loads({given!r})
"""


def orm(server: Server, code: str, **given: object) -> Any:
    """Run `code`, which finds `given` by that name and leaves its answer in `answer`."""
    script = _PROLOGUE.format(given=json.dumps(given)) + code + "\nprint(json.dumps(answer))\n"
    return json.loads(server.manage("shell", "--verbosity", "0", "--command", script))


def add_revealed_deal(server: Server, letters: str, layout: str) -> str:
    """Store a deal of this very layout, a sealed one that has been opened; return its code."""
    code: str = orm(
        server,
        "answer = Deal.objects.get_or_create(code='CR1-S-' + given['letters'], defaults=dict("
        "kind='S', layout=given['layout'], seed=bytes(16), commitment='0' * 64, created_at=1,"
        "revealed_at=1))[0].code",
        letters=letters,
        layout=layout,
    )
    return code


def shift_start(server: Server, race: str, earlier_ms: int) -> None:
    """Let a race have started so much earlier, as if that time had passed."""
    changed = orm(
        server,
        "answer = Race.objects.filter(code=given['race']).update("
        "starts_at=F('starts_at') - given['by'], created_at=F('created_at') - given['by'],"
        "version=F('version') + 1)",
        race=race,
        by=earlier_ms,
    )
    assert changed == 1


def stored_games(server: Server, race: str) -> dict[int, dict[str, Any]]:
    """Read the games of a race by id: the row's columns, and `log`, its [seq, at, code] rows."""
    rows = orm(
        server,
        "answer = [{**game, 'log': [list(row) for row in LoggedAction.objects"
        ".filter(game=game['id']).order_by('seq').values_list('seq', 'at_ms', 'code')]}"
        " for game in Game.objects.filter(race__code=given['race']).order_by('pk').values()]",
        race=race,
    )
    return {row["id"]: row for row in rows}


def deal_of(server: Server, race: str) -> dict[str, Any]:
    """Read what a race is played on, its secrets included: code, layout, seed (hex or null)."""
    found: dict[str, Any] = orm(
        server,
        "deal = Deal.objects.get(races__code=given['race'])\n"
        "answer = {'code': deal.code, 'layout': deal.layout,"
        "'seed': deal.seed and bytes(deal.seed).hex(), 'commitment': deal.commitment}",
        race=race,
    )
    return found
