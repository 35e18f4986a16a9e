"""The log of a game: the order of refusals, resends, time, what was seen, and replays."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from games.engine.actions import ACTIONS, UNDO
from games.engine.cards import PILES, Card
from games.engine.deals import BadLayout, deal
from games.engine.log import (
    Accepted,
    BadLog,
    Entry,
    GameLog,
    Refused,
    Repeated,
    SeqReason,
    replay,
)
from games.engine.position import Position, play
from games.engine.reasons import Reason
from games.engine.rules import legal_actions, refusal
from games.engine.table import Table

from .facts import SOLVED
from .games import dealt, random_choice

LAYOUT = deal(bytes(16))


def accepted(log: GameLog, code: str, at_ms: int = 0) -> GameLog:
    """Offer a legal action as the next one."""
    offered = log.offer(log.seq + 1, code, at_ms)
    assert isinstance(offered, Accepted), offered
    return offered.log


def some_game(length: int, seed: int = 1, undo_allowed: bool = True) -> GameLog:
    """A random game of up to so many actions; it goes to and fro where nothing else is left."""
    log = GameLog.start(LAYOUT, 3, undo_allowed)
    chance = random.Random(seed)
    while log.seq < length:
        action = random_choice(log.position, chance, 0.1 if undo_allowed else 0.0)
        if action is None:
            action = UNDO
        log = accepted(log, action.code, log.seq * 1000)
    return log


def solved_log(count: int | None = None, undo_allowed: bool = True) -> GameLog:
    """The first actions of a solution, all of them by default."""
    codes = SOLVED[0]["actions"].split()[:count]
    return replay(SOLVED[0]["layout"], 3, undo_allowed, ((code, 0) for code in codes))


def test_new_log_is_empty_and_has_seen_the_sixteen_tops() -> None:
    log = GameLog.start(LAYOUT, 4, False)
    assert (log.seq, log.codes, log.entries, log.undos, log.redeals, log.at_ms) == (
        0,
        "",
        (),
        0,
        0,
        0,
    )
    assert log.table == Position.of(LAYOUT, 4).table
    assert log.faces == {slot: LAYOUT[2 * slot : 2 * slot + 2] for slot in range(5, 96, 6)}
    assert not log.over


def test_entry_tells_the_counts_after_the_action() -> None:
    log = solved_log()
    position = Position.of(SOLVED[0]["layout"], 3)
    for seq, code in enumerate(SOLVED[0]["actions"].split(), 1):
        position, shown = play(position, ACTIONS[code])
        table = position.table
        assert log.entry(seq) == Entry(
            seq, code, 0, table.moves, table.home, 3 - table.redeals_left, shown
        )
        assert log.table_at(seq) == table
    assert log.position == position
    assert log.codes == SOLVED[0]["actions"].replace(" ", "")


@pytest.mark.parametrize("seq", [0, -1, 2**70, 17])
def test_there_is_no_entry_outside_the_log(seq: int) -> None:
    log = solved_log(16)
    for ask in (log.entry, log.table_at):
        if seq == 0 and ask == log.table_at:
            continue
        with pytest.raises(IndexError, match="no entry"):
            ask(seq)
    assert log.table_at(0) == log.origin.table


def test_resend_is_repeated_and_changes_nothing() -> None:
    log = some_game(200)
    for entry in log.entries:
        assert log.offer(entry.seq, entry.code, 10**9) == Repeated(entry)


def test_old_seq_with_another_code_is_stale_before_all_other_reasons() -> None:
    log = solved_log()
    for code in ("ab", "nonsense", "", "<<"):
        for seq in (1, 0, -5):
            assert log.offer(seq, code, 0) == Refused(SeqReason.STALE, log.seq + 1)


def test_jump_is_a_gap_before_all_other_reasons() -> None:
    for log in (GameLog.start(LAYOUT, 3, False), solved_log(), solved_log(9).close()):
        for code in ("ab", "nonsense", "<<"):
            for ahead in (2, 3, 2**60):
                assert log.offer(log.seq + ahead, code, 0) == Refused(SeqReason.GAP, log.seq + 1)


def test_reasons_of_the_log_come_in_their_order() -> None:
    def reason(log: GameLog, code: str) -> Any:
        offered = log.offer(log.seq + 1, code, 0)
        assert isinstance(offered, Refused)
        assert offered.expected == log.seq + 1
        return offered.reason

    for over in (solved_log(), solved_log(undo_allowed=False), solved_log(5, False).close()):
        assert reason(over, "??") is Reason.NOT_AN_ACTION
        for code in ("<<", "**", "ab", "aa", "S+"):
            assert reason(over, code) is Reason.GAME_OVER
    without = solved_log(5, undo_allowed=False)
    assert reason(without, "<<") is Reason.NO_UNDO
    # Before nothing_to_undo, too.
    assert reason(GameLog.start(LAYOUT, 3, False), "<<") is Reason.NO_UNDO
    assert reason(GameLog.start(LAYOUT, 3, True), "<<") is Reason.NOTHING_TO_UNDO
    assert reason(without, "aa") is Reason.SAME_PLACE
    assert reason(without, "aA") is Reason.NOT_AN_ACTION
    assert reason(without, "\ud800") is Reason.NOT_AN_ACTION


def test_closed_log_takes_nothing_repeats_and_can_be_reopened() -> None:
    log = solved_log(9)
    closed = log.close()
    assert closed.over
    assert not log.over
    assert closed.offer(9, closed.entry(9).code, 0) == Repeated(log.entry(9))
    assert closed.reopen() == log
    assert solved_log().reopen().over


def test_time_never_falls_and_starts_at_zero() -> None:
    codes = SOLVED[0]["actions"].split()[:6]
    given_ms = [-7, 5, 3, 9, 0, 11]
    log = replay(SOLVED[0]["layout"], 3, True, zip(codes, given_ms, strict=True))
    assert [entry.at_ms for entry in log.entries] == [0, 5, 5, 9, 9, 11]
    assert log.at_ms == 11


def test_log_is_a_value_that_can_branch() -> None:
    log = solved_log(70)
    one, *others = [action.code for action in legal_actions(log.table) if action.is_move]
    left = accepted(log, one)
    right = accepted(log, others[0])
    assert (log.seq, left.seq, right.seq) == (70, 71, 71)
    assert left.codes[:-2] == right.codes[:-2] == log.codes
    assert (left.entry(71).code, right.entry(71).code) == (one, others[0])


@given(st.integers(0, 2**32), st.integers(0, 300))
@settings(max_examples=40)
def test_replaying_a_log_gives_the_same_log(seed: int, length: int) -> None:
    log = some_game(length, seed)
    again = replay(LAYOUT, 3, True, [(entry.code, entry.at_ms) for entry in log.entries])
    assert again == log
    assert [again.entry(seq) for seq in range(1, log.seq + 1)] == list(again.entries)


def test_replay_names_the_seq_that_the_rules_refuse() -> None:
    codes = SOLVED[0]["actions"].split()
    for code, reason in (("aa", "same_place"), ("zz", "not_an_action")):
        wrong = [*codes[:70], code, *codes[70:]]
        with pytest.raises(BadLog, match=f"action 71 of the log, '{code}'.*{reason}") as caught:
            replay(SOLVED[0]["layout"], 3, True, ((code, 0) for code in wrong))
        assert (caught.value.seq, caught.value.code) == (71, code)
        assert caught.value.reason == reason
    with pytest.raises(BadLog, match=r"action 102 .*game_over"):
        replay(SOLVED[0]["layout"], 3, True, ((code, 0) for code in [*codes, *["<<"] * 20]))
    with pytest.raises(BadLayout):
        replay("", 3, True, [])


def test_tables_of_undos_can_be_told_again_anywhere_in_a_long_log() -> None:
    log = GameLog.start(LAYOUT, 3, True)
    tables: list[Table] = []
    chance = random.Random(5)
    while log.seq < 700:
        action = random_choice(log.position, chance, 0.4)
        log = accepted(log, (action or UNDO).code)
        tables.append(log.table)
    assert log.undos == log.codes.count("<<") > 150
    for seq, table in enumerate(tables, 1):
        assert log.table_at(seq) == table


def test_ten_thousand_actions_are_as_quick_each_as_a_few() -> None:
    log = solved_log(40)
    code = SOLVED[0]["actions"].split()[40]
    for _ in range(4980):
        log = accepted(accepted(log, code), "<<")
    assert log.seq == 10_000
    assert log.undos == 4980
    # What is kept for one more action is bounded: a short tail, and few blocks.
    assert len(log.tail.entries) <= 64
    assert len(log.blocks) <= 160
    assert log.table_at(9_999) == log.table_at(41)


class Racer(RuleBasedStateMachine):
    """A client that forgets, repeats and invents; a plain model says what must be answered."""

    def __init__(self) -> None:
        super().__init__()
        self.log = GameLog.start(LAYOUT, 3, True)
        self.position = Position.of(LAYOUT, 3)
        self.codes: list[str] = []
        self.uncovered: set[int] = set()
        self.closed = False

    @initialize(
        number=st.integers(0, 50), redeals=st.sampled_from([3, 4]), undo_allowed=st.booleans()
    )
    def deal(self, number: int, redeals: int, undo_allowed: bool) -> None:
        self.position = dealt(number, redeals)
        self.log = GameLog.start(self.position.layout, redeals, undo_allowed)
        self.look()

    def look(self) -> None:
        self.uncovered |= {pile[-1] for pile in self.position.piles if pile}

    def send(self, code: str) -> None:
        offered = self.log.offer(len(self.codes) + 1, code, 0)
        action = ACTIONS.get(code)
        if action is None:
            expected: Reason | None = Reason.NOT_AN_ACTION
        elif self.closed or self.position.won:
            expected = Reason.GAME_OVER
        elif action is UNDO and not self.log.undo_allowed:
            expected = Reason.NO_UNDO
        else:
            expected = refusal(self.position.table, action)
        if expected is not None or action is None:
            assert offered == Refused(expected or Reason.NOT_AN_ACTION, len(self.codes) + 1)
            return
        assert isinstance(offered, Accepted)
        self.position, shown = play(self.position, action)
        assert offered.entry.shown == shown
        assert offered.entry.seq == offered.log.seq
        self.log = offered.log
        self.codes.append(code)
        self.look()

    @rule(chance=st.randoms(use_true_random=False))
    def play_well(self, chance: random.Random) -> None:
        action = random_choice(self.position, chance)
        if action is not None:
            self.send(action.code)

    @rule(code=st.sampled_from(list(ACTIONS)))
    def play_anything(self, code: str) -> None:
        self.send(code)

    @rule()
    def undo(self) -> None:
        self.send("<<")

    @rule()
    def redeal(self) -> None:
        self.send("**")

    @rule(code=st.text(max_size=3))
    def send_nonsense(self, code: str) -> None:
        self.send(code)

    @precondition(lambda self: self.codes)
    @rule(data=st.data())
    def resend(self, data: st.DataObject) -> None:
        seq = data.draw(st.integers(1, len(self.codes)))
        offered = self.log.offer(seq, self.codes[seq - 1], 99)
        assert isinstance(offered, Repeated)
        assert (offered.entry.seq, offered.entry.code) == (seq, self.codes[seq - 1])

    @rule(seq=st.integers(-3, 60), code=st.sampled_from(list(ACTIONS)))
    def send_out_of_turn(self, seq: int, code: str) -> None:
        expected = len(self.codes) + 1
        if seq == expected:
            return
        offered = self.log.offer(seq, code, 0)
        if 1 <= seq < expected and self.codes[seq - 1] == code:
            assert isinstance(offered, Repeated)
        else:
            reason = SeqReason.STALE if seq < expected else SeqReason.GAP
            assert offered == Refused(reason, expected)

    @rule(closed=st.booleans())
    def close_or_reopen(self, closed: bool) -> None:
        self.closed = closed
        self.log = self.log.close() if closed else self.log.reopen()

    @invariant()
    def log_and_model_agree(self) -> None:
        assert self.log.position == self.position
        assert self.log.seq == len(self.codes)
        assert self.log.codes == "".join(self.codes)
        assert self.log.undos == self.codes.count("<<")
        assert self.log.redeals == self.codes.count("**")
        assert self.log.over == (self.closed or self.position.won)
        assert self.log.faces.keys() == self.uncovered

    @invariant()
    def tops_have_all_been_seen(self) -> None:
        for pile, top in zip(PILES, self.log.table.tops, strict=True):
            slots = self.position.piles[PILES.index(pile)]
            assert top == (self.log.faces[slots[-1]] if slots else None)

    def teardown(self) -> None:
        again = replay(
            self.log.origin.layout,
            self.log.origin.table.redeals_left,
            self.log.undo_allowed,
            ((code, 0) for code in self.codes),
        )
        assert again == self.log.reopen()


Racer.TestCase.settings = settings(max_examples=60, stateful_step_count=60)
TestRacer = Racer.TestCase


def test_log_may_start_anywhere() -> None:
    origin = solved_log(30).position
    log = GameLog.at(origin)
    assert log.table == origin.table
    assert accepted(log, "**").redeals == 1
    assert Card("AS") in origin.cards
