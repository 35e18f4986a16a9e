"""Games by the thousand for the boards, and the boards as a plain script makes them."""

import datetime
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.models import (
    Attempt,
    Best,
    Day,
    Deal,
    Game,
    LoggedAction,
    Openness,
    Player,
    Race,
    Stretch,
    Study,
)
from games.services import boards, stretches
from games.services.boards import ALL_DEALS, COLUMNS, DAYS_DEALS

DAY_MS = 24 * 3600 * 1000
START_MS = 1_766_793_600_000  # 2025-12-27 00:00 UTC, so that weeks and years border each other
LINE = ("ab", "bc", "cd", "de") * 12
DAILY = 3
"""So many of the deals, the first, are those of a day."""


@dataclass
class World:
    """Players and deals, and what is to be stored of the games on them."""

    players: list[Player]
    deals: list[Deal]
    days: list[Day]
    races: list[Race] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    actions: list[LoggedAction] = field(default_factory=list)
    attempts: dict[tuple[int, int], Attempt] = field(default_factory=dict)


def make(races: int, seed: int, *, players: int = 40, deals: int = 9) -> World:
    """Make so many races, most of their games won, with ties, undos, day borders, open cards, games
    of the day, followers, racers who were removed, and players who had studied a deal."""
    chance = random.Random(seed)
    people = [Player(name=f"Player {n}") for n in range(players)]
    dealt = [
        Deal(
            code=f"CR1-N-BOARD{chr(65 + n)}{chr(65 + seed % 26)}",
            kind="N",
            layout="AS" * 96,
            created_at=1,
        )
        for n in range(deals)
    ]
    Player.objects.bulk_create(people)
    Deal.objects.bulk_create(dealt)
    first = datetime.date(1970, 1, 1) + datetime.timedelta(days=START_MS // DAY_MS)
    days = [
        Day(date=first + datetime.timedelta(days=n), deal=deal)
        for n, deal in enumerate(dealt[:DAILY])
    ]
    Day.objects.bulk_create(days)
    world = World(people, dealt, days)
    for number in range(races):
        _race(world, chance, number)
    for (player, deal), games in _by_player_and_deal(world.games).items():
        games[0].first_try = True
        ended_at = ended_at_of(chance.choice(games))
        if chance.random() < 0.2:
            at = ended_at + chance.choice((-600_000, -1, 0, 1))
            Study.objects.create(player_id=player, deal_id=deal, at=at)
    Race.objects.bulk_create(world.races)
    Game.objects.bulk_create(world.games)
    LoggedAction.objects.bulk_create(world.actions)
    Attempt.objects.bulk_create(world.attempts.values())
    return world


def ended_at_of(game: Game) -> int:
    """Return when a finished game ended (Unix, milliseconds)."""
    assert game.race.starts_at is not None
    assert game.finished_ms is not None
    return game.race.starts_at + game.finished_ms


def _by_player_and_deal(games: Iterable[Game]) -> dict[tuple[int, int], list[Game]]:
    """Put together a player's games on a deal, in the order in which they began."""
    found: defaultdict[tuple[int, int], list[Game]] = defaultdict(list)
    for game in sorted(games, key=lambda game: game.race.starts_at or 0):
        if game.removed_at is None:
            found[game.player_id, game.race.deal_id].append(game)
    return found


def _race(world: World, chance: random.Random, number: int) -> None:
    place = chance.randrange(len(world.deals))
    racers = chance.sample(world.players, chance.choice((1, 1, 1, 2)))
    day = chance.randrange(12)
    starts_at = START_MS + day * DAY_MS + chance.randrange(DAY_MS // 1000) * 1000
    if chance.random() < 0.2:  # so close to midnight that the game ends on the other side
        starts_at = START_MS + day * DAY_MS - chance.choice((299_999, 300_000, 300_001))
    openness = chance.choice((Openness.MOVES, Openness.MOVES, Openness.CARDS, Openness.PROGRESS))
    attempt = (place, racers[0].pk)
    daily = place < DAILY and len(racers) == 1 and attempt not in world.attempts
    if daily:
        openness = Openness.PROGRESS
        starts_at = START_MS + (place + 1) * DAY_MS - chance.randrange(1, 400_000)
    race = Race(
        code=f"B{number:06}",
        deal=world.deals[place],
        host=racers[0],
        seats=len(racers),
        openness=openness,
        created_at=starts_at,
        starts_at=starts_at,
    )
    world.races.append(race)
    if daily:
        world.attempts[attempt] = Attempt(day=world.days[place], player=racers[0], race=race)
    follows = len(racers) == 2 and chance.random() < 0.3
    for seat, player in enumerate(racers):
        _game(world, chance, race, player, seat if follows else None)


def _game(
    world: World, chance: random.Random, race: Race, player: Player, follower: int | None
) -> None:
    won = chance.random() < 0.85
    finished_ms = chance.choice((300_000, 300_000, 16_384, 16_383, 32_768, 999_000))
    finished_ms += chance.choice((0, 0, 1, 17_000))
    codes = LINE[: chance.choice((29, 30, 40))] if follower is not None else ()
    game = Game(
        race=race,
        player=player,
        seq=len(codes),
        moves=chance.choice((100, 100, 101, 104, 130)),
        undos=chance.choice((0, 0, 1, 5, 63, 70)),
        home=104 if won else 50,
        outcome="won" if won else "resigned",
        finished_ms=finished_ms,
        removed_at=1 if chance.random() < 0.02 else None,
    )
    world.games.append(game)
    world.actions += [
        LoggedAction(game=game, seq=seq, at_ms=100 * seq + 7 * (follower or 0), code=code)
        for seq, code in enumerate(codes, start=1)
    ]


Result = tuple[int, ...]
Line = tuple[int, int, int]
"""A row of a board: rank, player, game."""


@dataclass(frozen=True)
class Played:
    """A game that may be on the boards: its results, and whose, where and when it was."""

    game: int
    player: int
    results: dict[str, Result]
    ended_at: int
    kinds: frozenset[str]
    pairs: frozenset[tuple[int, str]]


def all_played() -> list[Played]:
    """Read all games that may be on a board, from what is stored of races, games and actions."""
    games = list(Game.objects.select_related("race__attempt").order_by("pk"))
    studies = {(one.player_id, one.deal_id): one.at for one in Study.objects.all()}
    first = {one[0].pk for one in _by_player_and_deal(games).values()}
    followers = _followers()
    found = []
    for game in games:
        if game.outcome != "won" or game.removed_at or game.race.openness == "cards":
            continue
        if game.pk in followers:
            continue
        assert game.finished_ms is not None
        ended_at = ended_at_of(game)
        kinds = {"all"}
        studied_at = studies.get((game.player_id, game.race.deal_id), ended_at)
        if game.pk in first and studied_at >= ended_at:
            kinds.add("first")
        if game.undos == 0:
            kinds.add("no_undo")
        results = {
            "time": (game.finished_ms, game.moves),
            "moves": (game.moves, game.undos, game.finished_ms),
        }
        found.append(
            Played(
                game=game.pk,
                player=game.player_id,
                results=results,
                ended_at=ended_at,
                kinds=frozenset(kinds),
                pairs=frozenset(_pairs(game, ended_at)),
            )
        )
    return found


def _pairs(game: Game, ended_at: int) -> Iterable[tuple[int, str]]:
    moment = datetime.datetime.fromtimestamp(ended_at / 1000, tz=datetime.UTC)
    for scope in (ALL_DEALS, game.race.deal_id):
        yield from ((scope, text) for text in _texts(moment.date()))
    if hasattr(game.race, "attempt"):
        yield from ((DAYS_DEALS, text) for text in _texts(game.race.attempt.day_id))


def _texts(date: datetime.date) -> tuple[str, str, str]:
    year, week, _ = date.isocalendar()
    return ("all", date.isoformat(), f"{year}-W{week:02}")


def _followers() -> set[int]:
    """Find the games that have played 30 actions running after a rival of their race."""
    lines: defaultdict[int, dict[int, list[tuple[str, int]]]] = defaultdict(dict)
    actions = LoggedAction.objects.filter(game__removed_at=None).select_related("game")
    for action in actions.order_by("game_id", "seq"):
        lines[action.game.race_id].setdefault(action.game_id, []).append(
            (action.code, action.at_ms)
        )
    return {
        pk
        for race in lines.values()
        for pk, own in race.items()
        if any(_follows(own, theirs) for other, theirs in race.items() if other != pk)
    }


def _follows(own: list[tuple[str, int]], theirs: list[tuple[str, int]]) -> bool:
    for i in range(len(own) - 29):
        for j in range(len(theirs) - 29):
            pairs = zip(own[i : i + 30], theirs[j : j + 30], strict=True)
            if all(a[0] == b[0] and a[1] > b[1] for a, b in pairs):
                return True
    return False


def plain_board(played: list[Played], *, games: str, by: str) -> list[Line]:
    """Make a board of the games of one scope and period, one row a player."""
    order = sorted(
        (one for one in played if games in one.kinds),
        key=lambda one: (one.results[by], one.ended_at, one.game),
    )
    best: dict[int, Played] = {}
    for one in order:
        best.setdefault(one.player, one)
    ranks: dict[Result, int] = {}
    for place, one in enumerate(best.values(), start=1):
        ranks.setdefault(one.results[by], place)
    return [(ranks[one.results[by]], one.player, one.game) for one in best.values()]


def check_stretches() -> int:
    """Check that stretches hold all rows of the boards they belong to, and that every long board
    has them. Return how many cuts there are."""
    by_pair: defaultdict[tuple[int, int], defaultdict[int, list[Stretch]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for one in Stretch.objects.order_by("low"):
        by_pair[one.scope, one.period][one.column].append(one)
    cuts = 0
    for pair, columns in by_pair.items():
        assert set(columns) == set(range(len(COLUMNS)))
        for board in boards.of_pair(*pair):
            cut = columns[board.number]
            keys = list(boards.rows_of(board).values_list(board.key, flat=True))
            lows = [one.low for one in cut]
            assert lows[0] == 0
            for one, end in zip(cut, [*lows[1:], 2**63], strict=True):
                inside = [key for key in keys if one.low <= key < end]
                assert one.count == len(inside)
                assert one.count <= stretches.MOST + max(Counter(inside).values(), default=0)
            cuts += len(cut) - 1
    rows = Best.objects.filter(time_all=True).values_list("scope", "period")
    players = Counter(rows)
    assert {pair for pair, number in players.items() if number > stretches.MOST} <= set(by_pair)
    return cuts
