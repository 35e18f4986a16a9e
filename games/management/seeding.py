"""Made-up players, games and their bests by the million, as rows for COPY."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from games.services import boards, periods
from games.services.boards import ALL_DEALS, COLUMNS, DAYS_DEALS

DAY_MS = periods.DAY_MS
_LETTERS = "34679ACDEFGHJKMNPQRTWXY"

Result = tuple[int, int, int, int]
"""time_key, moves_key, ended_at, game id, as in Best."""

Held = dict[tuple[int, int], list[Result | None]]
"""A player's best result by (scope, period), one for each of COLUMNS."""


@dataclass(slots=True)
class Rows:
    """The rows of one player, one line a row, columns parted by tabs, in the order of HEADS."""

    races: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)
    bests: list[str] = field(default_factory=list)


HEADS = {
    "races": "id, code, deal_id, host_id, seats, openness, undo, start, time_limit_min, listed, "
    "created_at, starts_at, closed_at, version",
    "games": "id, race_id, player_id, ready, seq, moves, undos, redeals, home, outcome, "
    "finished_ms, first_try, entered, followed, studied",
    "attempts": "day_id, player_id, race_id",
    "bests": "game_id, scope, period, player_id, time_key, moves_key, ended_at, "
    + ", ".join(f"{by}_{games}" for by, games in COLUMNS),
}


@dataclass(slots=True)
class World:
    """What is made from: deal ids, of which the last `days` are those of the last days up to
    `today` (a day's number)."""

    deals: int
    days: int
    today: int
    chance: random.Random
    ids: Iterator[int] = field(default_factory=lambda: count(1))

    def games_of(self, player: int, games: int) -> Rows:
        """Make so many games of a player, in the order they were played."""
        chance, rows = self.chance, Rows()
        seen: set[int] = set()
        held: Held = {}
        days = sorted(self.today - chance.randrange(self.days) for _ in range(games))
        for day in days:
            daily = self.deals - (self.today - day)
            is_daily = chance.random() < 0.1 and daily not in seen
            # a few deals are played by very many, most by few
            deal = daily if is_daily else 1 + int(chance.random() ** 2.5 * (self.deals - self.days))
            self._game(rows, held, player, deal, day, first=deal not in seen, daily=is_daily)
            seen.add(deal)
        self._bests(rows, held, player)
        return rows

    def _game(
        self, rows: Rows, held: Held, player: int, deal: int, day: int, *, first: bool, daily: bool
    ) -> None:
        chance, game = self.chance, next(self.ids)
        ms = 150_000 + int(math.exp(chance.gauss(12.6, 0.45)))
        ms = min(ms, 3_590_000)
        moves = 96 + int(abs(chance.gauss(16, 10)))
        undos = 0 if chance.random() < 0.4 else chance.randrange(1, 30)
        starts_at = day * DAY_MS + chance.randrange(DAY_MS - 3_600_000)
        won = chance.random() < 0.75
        code = _code_of(game)
        openness = "progress" if daily else "moves"
        rows.races.append(
            f"{game}\t{code}\t{deal}\t{player}\t1\t{openness}\tt\thost\t60\tf\t{starts_at}\t"
            f"{starts_at}\t{starts_at + ms}\t1\n"
        )
        rows.games.append(
            f"{game}\t{game}\t{player}\tf\t{moves + 2 * undos}\t{moves}\t{undos}\t3\t"
            f"{104 if won else 60}\t{'won' if won else 'resigned'}\t{ms}\t{'t' if first else 'f'}\t"
            f"{'t' if won else 'f'}\tf\tf\n"
        )
        if daily:
            rows.attempts.append(f"{periods.date_of(day).isoformat()}\t{player}\t{game}\n")
        if not won:
            return
        result = (
            boards.time_key(finished_ms=ms, moves=moves),
            boards.moves_key(moves=moves, undos=undos, finished_ms=ms),
            starts_at + ms,
            game,
        )
        may = (True, first, not undos) * 2
        scopes = (deal, ALL_DEALS, DAYS_DEALS) if daily else (deal, ALL_DEALS)
        for scope in scopes:
            for period in periods.holding(day):
                best = held.setdefault((scope, period), [None] * len(COLUMNS))
                for column, old in enumerate(best):
                    if may[column] and (old is None or _better(result, old, column)):
                        best[column] = result

    def _bests(self, rows: Rows, held: Held, player: int) -> None:
        for (scope, period), best in held.items():
            for result in {one for one in best if one is not None}:
                time_key, moves_key, ended_at, game = result
                flags = "\t".join(["t" if one is result else "f" for one in best])
                rows.bests.append(
                    f"{game}\t{scope}\t{period}\t{player}\t{time_key}\t{moves_key}\t{ended_at}\t"
                    f"{flags}\n"
                )


def _better(new: Result, old: Result, column: int) -> bool:
    key = 0 if COLUMNS[column][0] == "time" else 1
    return (new[key], *new[2:]) < (old[key], *old[2:])


def _code_of(number: int) -> str:
    code = ""
    for _ in range(7):
        number, letter = divmod(number, len(_LETTERS))
        code = _LETTERS[letter] + code
    return code
