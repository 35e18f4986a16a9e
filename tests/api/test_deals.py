"""/api/deals and /api/games: cards are told to whom they may be, and boards to everybody."""

import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine import deals as engine
from games.engine.log import replay
from games.models import Deal, Game, Player, Race
from games.services import deals, races, replays, settling
from tests.api.readers import Reader, refusal
from tests.services.scenes import (
    DEAL,
    Clock,
    fresh,
    game_of,
    guest,
    open_race,
    play,
    resign,
    run,
    win,
    winning_line,
)
from tests.support.lines import legal_line

LAYOUT = engine.layout_of(engine.parse_deal_code(DEAL))


def of(reader: Reader) -> Player:
    assert reader.player is not None
    return reader.player


# --- A deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [DEAL, DEAL.lower(), "CR1NAAAAAAB", "cr1%20n%20aaaaaab", "CR1%E2%80%93N%E2%80%93AAAAAAB"],
)
def test_an_open_deal_is_told_to_anybody_and_looking_stores_nothing(
    visitor: Reader, typed: str
) -> None:
    answer = visitor.get(f"/api/deals/{typed}")
    assert answer.status_code == 200
    assert answer.json() == {
        "code": DEAL, "kind": "N", "commitment": None, "revealed": True, "layout": LAYOUT,
        "seed": None,
    }  # fmt: skip
    board = visitor.get(f"/api/deals/{typed}/leaderboard")
    assert (board.status_code, board.json()) == (200, {"rows": [], "own": None})
    assert not Deal.objects.exists()


@pytest.mark.parametrize(
    "code", ["nonsense", "CR1-N-AAAAAA", "CR1-S-AAAAAAB", "CR1-N-AAAAAAB%00", "%FF", "x" * 3000]
)
def test_a_deal_that_is_none_is_refused(visitor: Reader, code: str) -> None:
    refusal(visitor.get(f"/api/deals/{code}"), 400, "bad_deal")
    refusal(visitor.get(f"/api/deals/{code}/leaderboard"), 400, "bad_deal")


def test_a_sealed_deal_tells_its_commitment_and_no_card_until_it_is_opened(
    anh: Reader, oksana: Reader, visitor: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), of(oksana), deal="sealed")
    deal, path = race.deal, f"/api/deals/{race.deal.code}"
    closed = {
        "code": deal.code, "kind": "S", "commitment": deal.commitment, "revealed": False,
        "layout": None, "seed": None,
    }  # fmt: skip
    readers = (anh, oksana, visitor)
    assert [reader.get(path).json() for reader in readers] == [closed] * 3
    run(race, clock)
    for player in (of(anh), of(oksana)):
        resign(game_of(race, player), 0)
        assert [reader.get(path).json() for reader in readers] == [closed] * 3
    clock.pass_ms(10_000)
    settling.settle_overdue()
    seed = bytes(deal.seed or b"").hex()
    opened = {**closed, "revealed": True, "layout": deal.layout, "seed": seed}
    assert [reader.get(path).json() for reader in readers] == [opened] * 3
    assert len(seed) == 32
    assert engine.commitment(bytes.fromhex(seed), deal.layout) == deal.commitment


def test_who_is_at_a_deal_is_not_told_its_cards(
    anh: Reader, oksana: Reader, visitor: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), seats_=2)
    assert anh.get(f"/api/deals/{DEAL}").json()["layout"] == LAYOUT
    run(race, clock)
    told = anh.get(f"/api/deals/{DEAL}").json()
    assert (told["revealed"], told["layout"], told["seed"]) == (True, None, None)
    for reader in (oksana, visitor):
        assert reader.get(f"/api/deals/{DEAL}").json()["layout"] == LAYOUT


# --- Its board -------------------------------------------------------------------------------


def won(player: Player, number: int, ms: int, moves: int, undos: int = 0) -> Game:
    deal = deals.choose(wish=DEAL)
    race = Race.objects.create(
        code=f"R{number:06}",
        deal=deal,
        host=player,
        seats=1,
        created_at=0,
        starts_at=0,
        closed_at=1,
    )
    game = Game.objects.create(
        race=race, player=player, outcome="won", finished_ms=ms, moves=moves, undos=undos,
        home=104, redeals=3,
    )  # fmt: skip
    settling.close_if_over(race_id=race.pk)
    return game


def test_a_board_has_a_row_for_each_and_ones_own(
    anh: Reader, oksana: Reader, visitor: Reader
) -> None:
    fast = won(of(anh), 1, 1_000, 120, 4)
    short = won(of(oksana), 2, 2_000, 110)
    rows = [
        {"rank": rank, "player": game.player.name, "player_id": game.player_id,
         "at": game.finished_ms, "moves": game.moves, "undos": game.undos, "redeals": 3,
         "game": game.pk}
        for rank, game in ((1, fast), (2, short))
    ]  # fmt: skip
    for query in ("", "?by=time", "?by=time&page=2"):
        answer = anh.get(f"/api/deals/{DEAL}/leaderboard{query}")
        assert (answer.status_code, answer.json()) == (200, {"rows": rows, "own": rows[0]})
    by_moves = oksana.get(f"/api/deals/{DEAL}/leaderboard?by=moves").json()
    assert [row["player"] for row in by_moves["rows"]] == ["Oksana", "Anh"]
    assert (by_moves["own"]["rank"], by_moves["own"]["game"]) == (1, short.pk)
    assert visitor.get(f"/api/deals/{DEAL}/leaderboard").json()["own"] is None


@pytest.mark.parametrize("by", ["", "Time", "speed", "moves'", "%00", "time%20", "by"])
def test_a_board_by_anything_else_is_refused(visitor: Reader, by: str) -> None:
    refusal(visitor.get(f"/api/deals/{DEAL}/leaderboard?by={by}"), 400, "bad_option")


# --- A replay --------------------------------------------------------------------------------


def test_a_replay_is_what_a_game_is_made_of(anh: Reader, visitor: Reader, clock: Clock) -> None:
    race = run(open_race(of(anh)), clock)
    game = win(game_of(race, of(anh)))
    path = f"/api/games/{game.pk}/replay"
    refusal(visitor.get(path), 403, "deal_closed")
    clock.pass_ms(game.finished_ms or 0)
    assert settling.close_if_over(race_id=race.pk)
    for reader in (anh, visitor):
        answer = reader.get(path)
        assert answer.status_code == 200
        assert answer.json() == {
            "game": game.pk, "deal": DEAL, "player": "Anh", "layout": LAYOUT, "outcome": "won",
            "actions": [[code, 1_000 * at] for at, code in enumerate(winning_line(), start=1)],
            "uncovered": _uncovered(), "at": game.finished_ms,
        }  # fmt: skip


def _uncovered() -> list[int | None]:
    """Tell of each slot of the deal after how many actions of the winning line it is on top."""
    seen: dict[int, int] = {}
    for count in range(len(winning_line()) + 1):
        actions = [(code, 0) for code in winning_line()[:count]]
        for slot in replay(LAYOUT, 3, True, actions).faces:
            seen.setdefault(slot, count)
    return [seen.get(slot) for slot in range(96)]


def test_a_running_game_and_one_that_does_not_exist_are_not_replayed(
    anh: Reader, oksana: Reader, visitor: Reader, clock: Clock
) -> None:
    race = open_race(of(anh), of(oksana), deal="sealed")
    path = f"/api/games/{game_of(race, of(anh)).pk}/replay"
    refusal(anh.get(path), 404, "not_found")
    run(race, clock)
    for reader in (anh, oksana, visitor):
        refusal(reader.get(path), 403, "deal_closed")
    resign(game_of(race, of(anh)), 5)
    early = anh.get(path)
    assert early.status_code == 200
    assert early.json()["layout"].count("??") == 80
    for reader in (oksana, visitor):
        refusal(reader.get(path), 403, "deal_closed")


@pytest.mark.parametrize(
    "game", ["0", "999999", "9223372036854775807", "9223372036854775808", "9" * 60]
)
def test_a_number_of_no_game_is_not_found(visitor: Reader, game: str) -> None:
    refusal(visitor.get(f"/api/games/{game}/replay"), 404, "not_found")


# --- Nothing of a closed deal ----------------------------------------------------------------


def _pieces(layout: str) -> list[str]:
    """Every run of three cards: what no answer has by chance."""
    return [layout[at : at + 6] for at in range(0, len(layout) - 4, 2)]


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    openness=st.sampled_from(["progress", "moves", "cards"]),
    stage=st.sampled_from(["lobby", "countdown", "running", "one is out", "all are out"]),
    length=st.integers(0, 60),
    seed=st.integers(0, 10**6),
)
def test_no_answer_about_a_closed_deal_has_its_layout_or_seed(
    db: None, clock: Clock, openness: str, stage: str, length: int, seed: int
) -> None:
    with transaction.atomic():
        anh, oksana = guest("Anh"), guest("Oksana")
        race = open_race(anh, oksana, deal="sealed", openness=openness)
        if stage != "lobby":
            races.start(code=race.code, player=anh)
        if stage not in {"lobby", "countdown"}:
            clock.ms = fresh(race).starts_at or 0
            _play_on(race, anh, length, seed)
        if stage in {"one is out", "all are out"}:
            resign(game_of(race, anh), 100_000)
        if stage == "all are out":
            resign(game_of(race, oksana), 100_000)
        deal = Deal.objects.get(pk=race.deal_id)
        secrets = [deal.layout, bytes(deal.seed or b"").hex(), *_pieces(deal.layout)]
        for player in (anh, oksana, guest("Third"), None):
            own, reader = _own_address(race, player), Reader(player)
            for path in _addresses(race):
                answer = reader.get(path)
                told = answer.content.decode() + json.dumps(dict(answer.headers))
                assert secrets[0] not in told
                assert secrets[1] not in told
                if not path.startswith(own):
                    assert not [piece for piece in secrets[2:] if piece in told], path
                    assert "layout" not in told or answer.json().get("layout") is None
        opener = Reader(guest("Opener"))
        refusal(opener.post("/api/races", {"deal": deal.code}), 403, "deal_closed")
        transaction.set_rollback(True)


def _play_on(race: Race, player: Player, length: int, seed: int) -> None:
    game = game_of(race, player)
    play(game, legal_line(replays.log_of(game), length, seed))


def _own_address(race: Race, player: Player | None) -> str:
    """Where one's own game is, of which one may know the faces that one has seen."""
    own = Game.objects.filter(race=race, player=player).first() if player else None
    return f"/api/games/{own.pk}/" if own else "nowhere"


def _addresses(race: Race) -> list[str]:
    games = Game.objects.filter(race=race).values_list("pk", flat=True)
    deal = race.deal.code
    return [
        f"/api/races/{race.code}",
        f"/api/deals/{deal}",
        f"/api/deals/{deal}/leaderboard",
        f"/api/deals/{deal}/leaderboard?by=moves",
        *(f"/api/games/{game}/replay" for game in games),
    ]
