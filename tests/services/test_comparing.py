"""Two games of a deal compared: by the cards as they lie, whichever copy of a card it is."""

import pytest

from games.engine.deals import deal
from games.engine.log import Accepted, GameLog
from games.models import Game
from games.services import comparing, replays, settling
from games.services.comparing import Common
from games.services.denied import Denial
from tests.services.scenes import (
    Clock,
    denied,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    winning_line,
)
from tests.support.lines import legal_line

pytestmark = pytest.mark.django_db


def _played(clock: Clock, codes: list[str], name: str = "Anh", at: int = 1_000) -> Game:
    player = guest(name)
    race = run(open_race(player), clock)
    game = play(game_of(race, player), codes, from_ms=at)
    if game.outcome is None:
        game = resign(game, at + 1_000 * len(codes) + 1)
    clock.pass_ms(3_600_000)
    settling.settle_overdue()
    return game


def test_the_same_line_never_parts_and_time_is_lost_where_it_was(clock: Clock) -> None:
    line = list(winning_line())
    first, second = _played(clock, line), _played(clock, line, "Nam", at=4_000)
    found = comparing.of_games(game_id=first.pk, other_id=second.pk, reader=None)
    assert found.parted is None
    assert found.nexts == (None, None)
    assert len(found.common) >= len(set(line))
    assert [one.lost for one in found.losses] == [-3_000]
    assert found.common[-1].seqs == (len(line), len(line))


def test_lines_part_where_the_cards_first_lie_otherwise(clock: Clock) -> None:
    line = list(winning_line())
    at = next(n for n in range(5, len(line)) if "**" not in line[n - 1 : n + 1])
    other = [*line[:at], "<<", *line[at - 1 :]]
    first, second = _played(clock, line), _played(clock, other, "Nam")
    found = comparing.of_games(game_id=first.pk, other_id=second.pk, reader=None)
    assert found.parted == at
    nexts = [one and (one.seq, one.code) for one in found.nexts]
    assert nexts == [(at + 1, line[at]), (at + 1, "<<")]
    assert sum(one.lost for one in found.common) == -2_000
    assert [one.lost for one in found.losses] == [-2_000]
    assert found.common[-1].seqs == (len(line), len(line) + 2)


@pytest.mark.parametrize("seed", range(4))
def test_common_positions_are_equal_and_rise_on_both_sides(clock: Clock, seed: int) -> None:
    start = replays.log_of(_played(clock, []))
    shared = legal_line(start, 12, seed=seed)
    for code in shared:
        offered = start.offer(start.seq + 1, code, 0)
        assert isinstance(offered, Accepted)
        start = offered.log
    lines = [[*shared, *legal_line(start, 40, seed=seed + n)] for n in (10, 20)]
    games = [_played(clock, line, f"Player {n}") for n, line in enumerate(lines)]
    found = comparing.of_games(game_id=games[0].pk, other_id=games[1].pk, reader=None)
    keys = [comparing.keys_of(one) for one in found.games]
    before: Common | None = None
    for one in found.common:
        assert keys[0][one.seqs[0]] == keys[1][one.seqs[1]]
        assert before is None or all(a < b for a, b in zip(before.seqs, one.seqs, strict=True))
        before = one
    assert found.parted is not None
    assert found.parted >= len(shared)
    assert keys[0][: found.parted + 1] == keys[1][: found.parted + 1]
    assert keys[0][found.parted + 1] != keys[1][found.parted + 1]


def test_copies_of_a_card_are_alike() -> None:
    cards = GameLog.start(deal(b"any"), 3, True).origin
    swapped = cards._replace(piles=(cards.piles[1], cards.piles[0], *cards.piles[2:]))
    assert comparing._key(cards) != comparing._key(swapped)
    twin = _twin_slots(cards.cards)
    piles = tuple(
        bytes(twin[1] if s == twin[0] else twin[0] if s == twin[1] else s for s in pile)
        for pile in cards.piles
    )
    assert comparing._key(cards._replace(piles=piles)) == comparing._key(cards)


def _twin_slots(cards: tuple[str, ...]) -> tuple[int, int]:
    for slot, card in enumerate(cards):
        if card in cards[slot + 1 :]:
            return slot, cards.index(card, slot + 1)
    raise AssertionError


def test_games_of_two_deals_are_not_compared_nor_any_too_early(clock: Clock) -> None:
    first = _played(clock, [])
    player = guest("Nam")
    race = run(open_race(player, deal="sealed"), clock)
    running = game_of(race, player)
    early = (first.pk, running.pk)
    denied(
        Denial.DEAL_CLOSED,
        lambda: comparing.of_games(game_id=early[0], other_id=early[1], reader=None),
    )
    resign(running, 1_000)
    clock.pass_ms(60_000)
    settling.settle_overdue()
    denied(
        Denial.BAD_OPTION,
        lambda: comparing.of_games(game_id=early[0], other_id=early[1], reader=None),
    )
