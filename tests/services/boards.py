"""Games by the thousand for the boards, and the boards as a plain script makes them."""

import datetime
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.models import Attempt, Day, Deal, Game, LoggedAction, Openness, Player, Race

DAY_MS = 24 * 3600 * 1000
START_MS = 1_766_793_600_000  # 2025-12-27 00:00 UTC, so that weeks and years border each other
LINE = ("ab", "bc", "cd", "de") * 12


@dataclass
class World:
    """What was made: players and deals."""

    players: list[Player]
    deals: list[Deal]
    days: dict[int, Day]


def make(games: int, seed: int, *, players: int = 40, deals: int = 9) -> World:
    """Make so many games, most of them won, with ties, undos, day borders, open cards, games of
    the day and followers."""
    chance = random.Random(seed)
    people = [Player.objects.create(name=f"Player {n}") for n in range(players)]
    dealt = [
        Deal.objects.create(
            code=f"CR1-N-BOARD{chr(65 + n)}{chr(65 + seed % 26)}",
            kind="N",
            layout="AS" * 96,
            created_at=1,
        )
        for n in range(deals)
    ]
    epoch = datetime.date(1970, 1, 1)
    days = {}
    for number in range(3):
        date = epoch + datetime.timedelta(days=START_MS // DAY_MS + number)
        days[number] = Day.objects.create(date=date, deal=dealt[number])
    world = World(people, dealt, days)
    seen: set[tuple[int, int]] = set()
    attempted: set[tuple[int, int]] = set()
    for number in range(games):
        _race(world, chance, number, seen, attempted)
    return world


def _race(
    world: World,
    chance: random.Random,
    number: int,
    seen: set[tuple[int, int]],
    attempted: set[tuple[int, int]],
) -> None:
    place = chance.randrange(len(world.deals))
    deal = world.deals[place]
    racers = chance.sample(world.players, chance.choice((1, 1, 1, 2)))
    day = chance.randrange(12)
    starts_at = START_MS + day * DAY_MS + chance.randrange(DAY_MS // 1000) * 1000
    if chance.random() < 0.2:  # so close to midnight that the game ends on the other side
        starts_at = START_MS + day * DAY_MS - chance.choice((299_999, 300_000, 300_001))
    openness = chance.choice((Openness.MOVES, Openness.MOVES, Openness.CARDS, Openness.PROGRESS))
    daily = place in world.days and len(racers) == 1 and (place, racers[0].pk) not in attempted
    if daily:
        attempted.add((place, racers[0].pk))
        openness = Openness.PROGRESS
        starts_at = START_MS + (place + 1) * DAY_MS - chance.randrange(1, 400_000)
    race = Race.objects.create(
        code=f"B{number:06}",
        deal=deal,
        host=racers[0],
        seats=len(racers),
        openness=openness,
        created_at=starts_at,
        starts_at=starts_at,
    )
    if daily:
        Attempt.objects.create(day=world.days[place], player=racers[0], race=race)
    follows = len(racers) == 2 and chance.random() < 0.3
    for seat, player in enumerate(racers):
        _game(chance, race, player, seat if follows else None, seen)


def _game(
    chance: random.Random, race: Race, player: Player, follower: int | None, seen: set[Any]
) -> None:
    won = chance.random() < 0.85
    finished_ms = chance.choice((300_000, 300_000, 16_384, 16_383, 32_768, 999_000))
    finished_ms += chance.choice((0, 0, 1, 17_000))
    codes = LINE[: chance.choice((29, 30, 40))] if follower is not None else ()
    game = Game.objects.create(
        race=race,
        player=player,
        seq=len(codes),
        moves=chance.choice((100, 100, 101, 104, 130)),
        undos=chance.choice((0, 0, 1, 5, 63, 70)),
        home=104 if won else 50,
        outcome="won" if won else "resigned",
        finished_ms=finished_ms,
        first_try=(player.pk, race.deal_id) not in seen,
    )
    seen.add((player.pk, race.deal_id))
    LoggedAction.objects.bulk_create(
        LoggedAction(game=game, seq=seq, at_ms=100 * seq + 7 * (follower or 0), code=code)
        for seq, code in enumerate(codes, start=1)
    )


Result = tuple[int, ...]


def all_games() -> list[Game]:
    """Read every game that may be on a board at all, from the rows and the logs."""
    games = Game.objects.filter(outcome="won").exclude(race__openness="cards")
    return [game for game in games.select_related("race__attempt") if not _followed(game)]


def plain_board(
    played: list[Game],
    *,
    counts: Callable[[Game, datetime.datetime, datetime.date | None], bool],
    games: str,
    by: str,
) -> list[tuple[int, int, int]]:
    """Make a board as (rank, player, game) from all games, with no regard for how long it takes."""
    rows: list[tuple[Result, Result, Game]] = []
    for game in played:
        race = game.race
        if (games == "first" and not game.first_try) or (games == "no_undo" and game.undos):
            continue
        assert race.starts_at is not None
        assert game.finished_ms is not None
        ended_at = race.starts_at + game.finished_ms
        moment = datetime.datetime.fromtimestamp(ended_at / 1000, tz=datetime.UTC)
        attempt = getattr(race, "attempt", None)
        if not counts(game, moment, attempt.day_id if attempt else None):
            continue
        result: Result = (game.finished_ms, game.moves)
        if by == "moves":
            result = (game.moves, game.undos, game.finished_ms)
        rows.append((result, (*result, ended_at, game.pk), game))
    best: dict[int, tuple[Result, Result, Game]] = {}
    for row in sorted(rows, key=lambda row: row[1]):
        best.setdefault(row[2].player_id, row)
    ordered = list(best.values())
    results = [row[0] for row in ordered]
    return [(1 + results.index(row[0]), row[2].player_id, row[2].pk) for row in ordered]


def _followed(game: Game) -> bool:
    """Whether a rival of the same race had played 30 of this game's actions running before."""
    if not game.seq:
        return False
    own = list(game.actions.order_by("seq").values_list("code", "at_ms"))
    for rival in Game.objects.filter(race=game.race).exclude(pk=game.pk):
        theirs = list(rival.actions.order_by("seq").values_list("code", "at_ms"))
        for i in range(len(own) - 29):
            for j in range(len(theirs) - 29):
                pairs = list(zip(own[i : i + 30], theirs[j : j + 30], strict=True))
                if all(a[0] == b[0] and a[1] > b[1] for a, b in pairs):
                    return True
    return False
