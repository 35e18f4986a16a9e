"""A replay as it is served, stepped by a reader who knows nothing but the rules on paper, equals
the engine at every position."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from games.engine.actions import UNDO
from games.engine.log import Accepted, GameLog
from games.engine.rules import legal_actions
from games.models import Game
from games.services import replays, settling
from tests.api.readers import Reader
from tests.services.scenes import Clock, game_of, guest, open_race, play, resign, run, winning_line

pytestmark = pytest.mark.django_db

SUITS = "SHDC"


@dataclass
class OnPaper:
    """A game laid out from a served replay. `seen` are the slots that have been on top."""

    layout: str
    piles: list[list[int]] = field(default_factory=list)
    up: dict[str, list[str]] = field(default_factory=lambda: {s: [f"A{s}"] for s in SUITS})
    down: dict[str, list[str]] = field(default_factory=lambda: {s: [f"K{s}"] for s in SUITS})
    history: list[str] = field(default_factory=list)
    moves: int = 0
    redeals: int = 0
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.piles = [list(range(6 * pile, 6 * pile + 6)) for pile in range(16)]
        self._look()

    def card(self, slot: int) -> str:
        """Read a card off the layout."""
        return self.layout[2 * slot : 2 * slot + 2]

    def play(self, code: str) -> None:
        """Do what an action says."""
        if code == "**":
            self.piles = [pile[1:] + pile[:1] for pile in self.piles]
            self.history.clear()
            self.redeals += 1
        elif code == "<<":
            self._take_back(self.history.pop())
            self.moves -= 1
        else:
            self.history.append(self._move(code))
            self.moves += 1
        self._look()

    def _move(self, code: str) -> str:
        """Move a card; return the code with the suit of the card, for taking it back."""
        source, target = code[0], code[1]
        if source in SUITS:
            ends = (self.down, self.up) if target == "+" else (self.up, self.down)
            ends[1][source].append(ends[0][source].pop())
            return code + source
        slot = self._pile(source).pop()
        suit = self.card(slot)[1]
        if target in "+-":
            (self.up if target == "+" else self.down)[suit].append(self.card(slot))
            return f"{code}{suit}{slot}"
        self._pile(target).append(slot)
        return code

    def _take_back(self, played: str) -> None:
        source, target, suit, slot = played[0], played[1], played[2:3], played[3:]
        if source in SUITS:
            ends = (self.down, self.up) if target == "+" else (self.up, self.down)
            ends[0][suit].append(ends[1][suit].pop())
        elif target in "+-":
            (self.up if target == "+" else self.down)[suit].pop()
            self._pile(source).append(int(slot))
        else:
            self._pile(source).append(self._pile(target).pop())

    def _pile(self, letter: str) -> list[int]:
        return self.piles[ord(letter) - ord("a")]

    def _look(self) -> None:
        self.seen |= {pile[-1] for pile in self.piles if pile}

    def table(self) -> dict[str, Any]:
        """Tell what lies on the table."""
        home = sum(len(cards) for way in (self.up, self.down) for cards in way.values())
        return {
            "tops": tuple(self.card(pile[-1]) if pile else None for pile in self.piles),
            "heights": tuple(len(pile) for pile in self.piles),
            "up": tuple(self.up[suit][-1] for suit in SUITS),
            "down": tuple(self.down[suit][-1] for suit in SUITS),
            "moves": self.moves,
            "home": home,
        }


def _told(log: GameLog) -> dict[str, Any]:
    table = log.table._asdict()
    return {name: table[name] for name in ("tops", "heights", "up", "down", "moves", "home")}


def _line(start: GameLog, kind: str, seed: int) -> list[str]:
    """Return a legal line: at random with undos and redeals, or one that wins after detours."""
    chance, log, codes = random.Random(seed), start, list[str]()
    known = list(winning_line()) if kind == "won" else []
    length = 0 if known else chance.randrange(40, 160)
    while known or len(codes) < length:
        moves = [action.code for action in legal_actions(log.table) if action.is_move]
        if len(known) > 1 and moves and chance.random() < 0.15:
            played = [chance.choice(moves), UNDO.code]
        else:
            played = [known.pop(0) if known else _anything(log, moves, chance)]
        for code in played:
            offered = log.offer(log.seq + 1, code, 0)
            assert isinstance(offered, Accepted), code
            log = offered.log
        codes += played
    return codes


def _anything(log: GameLog, moves: list[str], chance: random.Random) -> str:
    if log.table.redeals_left and (not moves or chance.random() < 0.03):
        return "**"
    if log.table.undo and (not moves or chance.random() < 0.2):
        return UNDO.code
    return chance.choice(moves)


def _finished(clock: Clock, deal: str, kind: str, seed: int) -> tuple[Game, list[GameLog]]:
    """Store a finished game; return it with the engine's log after 0, 1, 2 … actions."""
    player = guest()
    race = run(open_race(player, deal=deal), clock)
    game = game_of(race, player)
    logs = [replays.log_of(game)]
    codes = _line(logs[0], kind, seed)
    for seq, code in enumerate(codes, start=1):
        offered = logs[-1].offer(seq, code, 0)
        assert isinstance(offered, Accepted)
        logs.append(offered.log)
    game = play(game, codes)
    assert (game.outcome == "won") is (kind == "won")
    if game.outcome is None:
        game = resign(game, 3_000_000)
    return game, logs


CASES = [
    *[("CR1-N-AAAAAAB", "random", seed) for seed in range(10)],
    *[("CR1-F-AAAAAAB", "random", seed) for seed in range(10, 16)],
    *[("sealed", "random", seed) for seed in range(16, 20)],
    *[("CR1-N-AAAAAAB", "won", seed) for seed in range(20, 26)],
]


@pytest.mark.parametrize(("deal", "kind", "seed"), CASES)
def test_a_served_replay_equals_the_engine_at_every_position(
    visitor: Reader, clock: Clock, deal: str, kind: str, seed: int
) -> None:
    game, logs = _finished(clock, deal, kind, seed)
    early = Reader(game.player).get(f"/api/games/{game.pk}/replay").json()
    clock.pass_ms(4_000_000)
    settling.settle_overdue()
    open_to_all = visitor.get(f"/api/games/{game.pk}/replay").json()
    assert "".join(code for code, _ in open_to_all["actions"]) == logs[-1].codes
    for served in (early, open_to_all):
        paper, known = OnPaper(served["layout"]), set[int]()
        for step, log in enumerate(logs):
            if step:
                paper.play(served["actions"][step - 1][0])
            assert paper.table() == _told(log), step
            assert paper.redeals == log.redeals
            known |= {slot for slot, since in enumerate(served["uncovered"]) if since == step}
            assert known == paper.seen == set(log.faces), step
    withheld = [slot for slot in range(96) if early["layout"][2 * slot] == "?"]
    assert withheld == [slot for slot, since in enumerate(early["uncovered"]) if since is None]


def test_the_generated_games_have_undos_redeals_and_all_kinds_of_moves(clock: Clock) -> None:
    played = set[str]()
    for number, (deal, kind, seed) in enumerate(CASES):
        player = guest(f"Player {number}")
        race = run(open_race(player, deal=deal), clock)
        played |= set(_line(replays.log_of(game_of(race, player)), kind, seed))
    assert {"**", "<<"} <= played
    assert {code[1] for code in played if code[0] in SUITS} == {"+", "-"}
    assert {code[1] for code in played if code[0].islower()} >= {"+", "-", "a", "p"}
