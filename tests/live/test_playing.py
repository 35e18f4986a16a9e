"""Playing over real sockets: answers and announcements, resends, reasons, ends of games."""

import time
from itertools import pairwise

import pytest

from games.engine.log import Accepted, GameLog
from tests.support.client import Frame, Guest, RaceSocket
from tests.support.lines import legal_line, solved_deal
from tests.support.rooms import alone, log_of, running
from tests.support.server import Server
from tests.support.stores import add_revealed_deal, shift_start, stored_games

DEAL = "CR1-N-AAAAAAB"
FULL_PILE = ("CR1-N-AAAAANU", ["dh", "dh", "kh", "nh", "oh", "dg", "dh", "lh"])
"""A deal and eight moves after which pile h has 13 cards."""


def types(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


def win(socket: RaceSocket, line: tuple[str, ...]) -> list[Frame]:
    """Play a whole line, sent ahead of the answers; return those."""
    for seq, code in enumerate(line, 1):
        socket.send("act", seq=seq, code=code)
    return [socket.until("acted") for _ in line]


# --- Answers ---------------------------------------------------------------------------------


def test_the_mover_is_answered_before_anybody_hears_of_the_move(free_server: Server) -> None:
    race = running(free_server)
    one, two = race.sockets
    one.send("act", seq=1, code="b+")
    acted = one.receive()
    assert (acted["type"], acted["seq"], acted["code"], acted["moves"]) == ("acted", 1, "b+", 1)
    assert list(acted["shown"]) == ["b"]
    row = [race.racers[0], 1, "b+", acted["at"], 9, 1, 0]
    assert one.until("moved")["moves"] == [row]
    assert two.until("moved")["moves"] == [row]
    assert "acted" not in types(two.settled())


def test_a_resend_is_answered_as_before_and_announced_to_nobody(free_server: Server) -> None:
    race = running(free_server)
    one, two = race.sockets
    first = [one.act(code) for code in ("b+", "<<", "b+", "**")]
    assert types(first) == ["acted"] * 4
    assert first[1]["table"]["home"] == 8
    assert "shown" not in first[1]
    one.settled()
    two.until("moved", lambda f: f["moves"][-1][1] == 4)
    again = [one.act(frame["code"], frame["seq"]) for frame in first]
    assert again == first
    assert types(one.settled() + two.settled()) == []


def test_an_undo_answered_again_much_later_has_the_table_of_its_own_moment(
    free_server: Server,
) -> None:
    socket = alone(free_server)
    socket.act("b+")
    undone = socket.act("<<")
    for code in legal_line(log_of(DEAL), 150, seed=5):
        assert socket.act(code)["type"] == "acted"
    assert socket.act("<<", 2) == undone


def test_another_code_under_an_old_seq_is_stale_and_a_jump_is_a_gap(free_server: Server) -> None:
    socket = alone(free_server)
    socket.act("b+")
    for seq, code in ((1, "**"), (1, "??"), (0, "b+"), (-7, "b+")):
        refused = socket.act(code, seq)
        assert (refused["reason"], refused["expected"]) == ("stale", 2)
    for seq in (3, 1_000_000, 2**63, 10**40):
        refused = socket.act("**", seq)
        assert (refused["reason"], refused["expected"]) == ("gap", 2)
    assert socket.act("**", 2)["type"] == "acted"


def test_actions_sent_ahead_are_judged_in_order_around_an_illegal_one(free_server: Server) -> None:
    race = running(free_server)
    one, two = race.sockets
    line = legal_line(log_of(DEAL), 60)
    for seq, code in enumerate(line[:30], 1):
        one.send("act", seq=seq, code=code)
    one.send("act", seq=31, code="aa")
    for seq, code in enumerate(line[31:], 32):
        one.send("act", seq=seq, code=code)
    for seq, code in enumerate(line[:30], 1):
        acted = one.until("acted")
        assert (acted["seq"], acted["code"]) == (seq, code)
    wrong = one.until("refused")
    assert (wrong["seq"], wrong["reason"], wrong["expected"]) == (31, "same_place", 31)
    for seq in range(32, 61):
        gap = one.until("refused")
        assert (gap["seq"], gap["reason"], gap["expected"]) == (seq, "gap", 31)
    one.seq = 30
    for code in line[30:]:
        assert one.act(code)["type"] == "acted"
    heard = list[list[object]]()
    while len(heard) < 60:
        heard += two.until("moved")["moves"]
    assert [(row[1], row[2]) for row in heard] == list(enumerate(line, 1))
    game = stored_games(free_server, race.code)[race.racers[0]]
    assert [(seq, code) for seq, _, code in game["log"]] == list(enumerate(line, 1))


def test_each_answer_says_what_the_engine_says(free_server: Server) -> None:
    """The model of a race is the plain log: what it accepts and shows, the wire does."""
    log = log_of(DEAL)
    socket = alone(free_server)
    for code in legal_line(log, 120, seed=3):
        offered = log.offer(log.seq + 1, code, 0)
        assert isinstance(offered, Accepted)
        log = offered.log
        acted = socket.act(code)
        assert acted["moves"] == offered.entry.moves
        if code == "<<":
            assert acted["table"]["undo"] == log.table.undo
        else:
            assert acted["shown"] == offered.entry.shown
    socket.send("sync")
    welcome = socket.until("welcome")
    assert welcome["seq"] == 120
    assert welcome["logs"] == {str(welcome["you"]): log.codes}
    assert welcome["seen"] == {str(slot): card for slot, card in log.faces.items()}
    assert welcome["table"]["home"] == log.table.home
    times = [frame["at"] for frame in socket.frames if frame["type"] == "acted"]
    assert all(before <= after for before, after in pairwise(times))


# --- Reasons ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["", "a", "abc", "zz", "A+", "aS", "+a", "😀", "a\u0000", "* *"])
def test_what_is_no_action_is_called_so_and_not_a_bad_message(server: Server, code: str) -> None:
    assert alone(server).act(code)["reason"] == "not_an_action"


def reasons(socket: RaceSocket, codes: dict[str, str]) -> dict[str, str]:
    return {code: socket.act(code).get("reason", "acted") for code in codes}


def test_every_reason_of_a_game_that_begins_reaches_the_player(free_server: Server) -> None:
    wanted = {
        "<<": "nothing_to_undo",
        "aa": "same_place",
        "S-": "base_locked",
        "S+": "base_locked",
        "a+": "wrong_rank",
        "ab": "wrong_suit",
    }
    socket = alone(free_server)
    tops = next(frame for frame in socket.frames if frame["type"] == "go")["table"]["tops"]
    same_suit = next(
        a + b
        for a in tops
        for b in tops
        if a != b
        and tops[a][1] == tops[b][1]
        and abs("A23456789TJQK".index(tops[a][0]) - "A23456789TJQK".index(tops[b][0]))
        in range(2, 12)
    )
    wanted[same_suit] = "wrong_rank"
    assert reasons(socket, wanted) == wanted
    assert socket.act("b+")["seq"] == 1
    assert reasons(socket, {"**": "", "<<": ""}) == {"**": "acted", "<<": "nothing_to_undo"}


def test_a_full_pile_takes_no_card(free_server: Server) -> None:
    deal, line = FULL_PILE
    socket = alone(free_server, deal)
    log = log_of(deal)
    for code in line:
        assert socket.act(code)["type"] == "acted"
        log = log.offer(log.seq + 1, code, 0).log  # type: ignore[union-attr]
    assert log.table.heights[7] == 13
    assert socket.act("ah")["reason"] == "pile_full"


def test_undo_is_refused_where_the_race_is_played_without(free_server: Server) -> None:
    socket = alone(free_server, undo=False)
    assert socket.act("<<")["reason"] == "no_undo"
    socket.act("b+")
    assert socket.act("<<")["reason"] == "no_undo"
    assert socket.act("**")["seq"] == 2


def test_a_won_game_takes_nothing_more_and_its_last_reasons_are_given(free_server: Server) -> None:
    layout, line = solved_deal()
    socket = alone(free_server, add_revealed_deal(free_server, "SOLVEDA", layout))
    log = GameLog.start(layout, 3, True)
    for code in line[:-1]:
        assert socket.act(code)["type"] == "acted"
        log = log.offer(log.seq + 1, code, 0).log  # type: ignore[union-attr]
    tops = dict(zip("abcdefghijklmnop", log.table.tops, strict=True))
    empty = [pile for pile, top in tops.items() if top is None]
    (last,) = [pile for pile, top in tops.items() if top is not None]
    wanted = {
        f"{empty[0]}{empty[1]}": "empty_source",
        f"{empty[0]}+": "empty_source",
        f"{last}{empty[0]}": "empty_pile",
        "**": "no_redeals",
    }
    assert reasons(socket, wanted) == wanted
    assert socket.act(line[-1])["type"] == "acted"
    wanted = {"a+": "game_over", "**": "game_over", "<<": "game_over", "zz": "not_an_action"}
    assert reasons(socket, wanted) == wanted


def test_nothing_is_played_before_zero(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one:
        for send in ("sync", "start"):  # in the lobby, then in the countdown
            assert one.act("b+", 1) == {
                "type": "refused",
                "seq": 1,
                "reason": "not_started",
                "expected": 1,
            }
            one.send("resign")
            assert one.until("fault")["reason"] == "not_started"
            one.send(send)
            one.until("welcome" if send == "sync" else "race")
        one.until("go")
        assert one.act("b+", 1)["type"] == "acted"


# --- Ends ------------------------------------------------------------------------------------


def test_a_won_race_has_places_and_ends_for_everybody(free_server: Server) -> None:
    layout, line = solved_deal()
    deal = add_revealed_deal(free_server, "SOLVEDA", layout)
    race = running(free_server, deal, racers=3)
    one, two, three = race.sockets
    first, second, third = race.racers
    answers = win(one, line)
    ended = two.until("finished")
    assert (ended["racer"], ended["outcome"], ended["place"]) == (first, "won", 1)
    assert (ended["at"], ended["moves"]) == (answers[-1]["at"], answers[-1]["moves"])
    answers = win(two, line)
    three.until("finished", lambda f: f["racer"] == second)
    three.act(line[0])
    three.send("resign")
    resigned = one.until("finished", lambda f: f["racer"] == third)
    assert (resigned["outcome"], resigned["place"]) == ("resigned", 3)
    assert "closed" not in types(one.settled())  # ten seconds for second thoughts
    shift_start(free_server, race.code, 11_000)
    closed = one.until("closed")
    assert [row["racer"] for row in closed["standings"]] == race.racers
    assert [row["place"] for row in closed["standings"]] == [1, 2, 3]
    assert [row["outcome"] for row in closed["standings"]] == ["won", "won", "resigned"]
    assert closed["layout"] == layout
    for socket in (two, three):
        assert socket.until("closed") == closed
    for racer, address in closed["replays"].items():
        assert race.guests[0].http.get(address).status_code == 200
        replay = race.guests[2].get(f"/api/games/{racer}/replay")
        assert replay["layout"] == layout
        played = line if int(racer) != third else line[:1]
        assert [code for code, _ in replay["actions"]] == list(played)
    with race.guests[2].socket(race.code) as late:
        assert late.until("welcome")["race"]["closed_at"]
        assert late.until("closed") == closed
        late.send("start")
        assert late.until("fault")["reason"] == "not_host"
        assert late.act("a-", 2)["reason"] == "game_over"
        late.send("unresign")
        assert late.until("fault")["reason"] == "race_closed"
    answer = Guest(free_server.origin, "Late").request("POST", f"/api/races/{race.code}/seat")
    assert (answer.status_code, answer.json()["reason"]) == (409, "race_closed")
    assert not free_server.manage("verify_games").startswith("0 games")


def test_equal_milliseconds_share_a_place_and_the_next_is_skipped(free_server: Server) -> None:
    """As nobody can aim at a millisecond, whatever times come must have the places of them."""
    layout, line = solved_deal(7)
    race = running(free_server, add_revealed_deal(free_server, "SOLVEDB", layout), racers=3)
    for socket in race.sockets:
        for seq, code in enumerate(line[:-1], 1):
            socket.send("act", seq=seq, code=code)
    for socket in race.sockets:
        socket.until("acted", lambda f: f["seq"] == len(line) - 1)
    for socket in race.sockets:
        socket.send("act", seq=len(line), code=line[-1])
    rows = race.sockets[0].until("closed")["standings"]
    times = [row["at"] for row in rows]
    assert times == sorted(times)
    assert [row["place"] for row in rows] == [1 + times.index(at) for at in times]
    assert types(race.sockets[0].frames).count("closed") == 1
    assert types(race.sockets[0].frames).count("finished") == 3


def test_who_resigns_may_think_again_for_ten_seconds(free_server: Server) -> None:
    race = running(free_server)
    one, two = race.sockets
    one.act("b+")
    one.send("resign")
    assert two.until("finished")["outcome"] == "resigned"
    assert one.act("**", 2)["reason"] == "game_over"
    assert one.act("b+", 1)["type"] == "acted"  # a resend is answered all the same
    one.send("resign")  # harmless when repeated
    one.send("unresign")
    back = two.until("racer", lambda f: f["racer"] == race.racers[0])
    assert (back["outcome"], back["at"]) == (None, None)
    one.send("unresign")
    assert one.act("**", 2)["type"] == "acted"
    assert two.until("moved", lambda f: f["moves"][-1][1] == 2)
    assert "fault" not in types(one.frames)
    one.send("resign")
    two.until("finished")
    shift_start(free_server, race.code, 10_500)
    one.send("unresign")
    assert one.until("fault")["reason"] == "race_closed"
    two.send("unresign")  # who has not resigned has nothing to take back
    assert "fault" not in types(two.settled())
    assert stored_games(free_server, race.code)[race.racers[0]]["outcome"] == "resigned"


def test_what_a_socket_says_in_one_breath_is_done_in_its_order(free_server: Server) -> None:
    race = running(free_server)
    one, two = race.sockets
    for seq in (1, 2, 3):
        one.send("resign")
        one.send("unresign")
        assert one.act("**", seq)["type"] == "acted"
    assert stored_games(free_server, race.code)[race.racers[0]]["outcome"] is None
    one.send("resign")
    one.send("rematch", agree=True)
    assert one.until("race", lambda frame: "next" in frame)["next"]
    assert not {"fault", "refused"} & set(types(one.frames))
    two.until("finished")


def test_a_race_out_of_time_expires_by_itself_for_all(free_server: Server) -> None:
    race = running(free_server, time_limit_min=10)
    one, two = race.sockets
    one.act("b+")
    shift_start(free_server, race.code, 10 * 60_000)
    watcher = Guest(free_server.origin).socket(race.code)  # whoever comes has it read again
    watcher.until("welcome")
    began = time.monotonic()
    one.send("resign")  # late, though not settled yet
    assert two.act("b+", 1)["reason"] == "game_over"
    for racer in race.racers:
        ended = watcher.until("finished")
        assert (ended["racer"], ended["outcome"], ended["at"]) == (racer, "expired", 600_000)
    rows = two.until("closed")["standings"]
    assert time.monotonic() - began < 7
    assert [(row["racer"], row["place"], row["home"]) for row in rows] == [
        (race.racers[0], 1, 9),
        (race.racers[1], 2, 8),
    ]
    assert one.act("**", 2)["reason"] == "game_over"
