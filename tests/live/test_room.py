"""The room: lobby, countdown, start and the roster, over real sockets."""

import time

import pytest

from tests.support.client import Guest
from tests.support.server import Server


def test_everyone_starts_on_the_same_second_and_sees_no_card_before(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one, rival.socket(code) as two:
        assert one.until("welcome")["table"] is None
        two.until("welcome")
        one.send("start")
        starts_at = one.until("race", lambda f: f.get("starts_at"))["starts_at"]
        first, second = one.until("go"), two.until("go")
    assert first["now"] >= starts_at
    assert first["table"] == second["table"]
    assert first["table"]["heights"] == dict.fromkeys("abcdefghijklmnop", 6)
    before = [text for socket in (one, two) for text in socket.raw if '"go"' not in text]
    assert not any('"tops"' in text for text in before)


def test_a_race_with_one_seat_starts_at_once(server: Server) -> None:
    alone = Guest(server.origin, "Minh")
    with alone.socket(alone.open_race()) as socket:
        socket.until("welcome")
        began = time.monotonic()
        socket.send("start")
        socket.until("go")
        assert time.monotonic() - began < 2


def test_a_watcher_has_no_say_and_no_table(server: Server) -> None:
    host, watcher = Guest(server.origin, "Anh"), Guest(server.origin)
    code = host.open_race(seats=1)
    with host.socket(code) as one, watcher.socket(code) as two:
        welcome = two.until("welcome")
        assert (welcome["you"], welcome["table"], welcome["seq"]) == (None, None, 0)
        for message in ("start", "resign", "leave", "unresign"):
            two.send(message)
            assert two.until("fault")["reason"] == "not_a_racer"
        two.send("act", seq=1, code="ab")
        assert two.until("refused")["reason"] == "not_a_racer"
        one.send("start")
        assert two.until("go")["table"] is None


def test_only_the_host_starts_and_only_in_the_lobby_is_anyone_made_ready(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one, rival.socket(code) as two:
        two.send("start")
        assert two.until("fault")["reason"] == "not_host"
        two.send("ready", ready=True)
        assert one.until("racer", lambda f: f["ready"])["name"] == "Oksana"
        one.send("start")
        one.send("start")
        starts = two.until("race", lambda f: f.get("starts_at"))["starts_at"]
        two.send("ready", ready=False)
        assert two.until("fault")["reason"] == "race_started"
        assert two.until("go")["now"] >= starts
        assert one.until("go")
        assert not [frame for frame in one.frames if frame["type"] == "fault"]


def test_all_ready_starts_the_race_without_the_host(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=3, start="all_ready")
    with host.socket(code) as one:
        one.send("ready", ready=True)
        assert not [f for f in one.settled() if f["type"] == "race" and f.get("starts_at")]
        rival.take_seat(code)
        with rival.socket(code) as two:
            two.send("ready", ready=True)
            assert one.until("race", lambda f: f.get("starts_at"))
            assert two.until("go")


def test_the_start_can_be_called_off_before_zero(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one, rival.socket(code) as two:
        two.send("ready", ready=True)
        one.send("start")
        two.until("race", lambda f: f.get("starts_at"))
        one.send("call_off")
        assert two.until("race", lambda f: "starts_at" in f)["starts_at"] is None
        rows = [f for f in two.frames if f["type"] == "racer" and f["name"] == "Oksana"]
        assert rows[-1]["ready"] is False
        time.sleep(5.5)
        assert "go" not in {frame["type"] for frame in two.settled()}
        two.send("act", seq=1, code="ab")
        assert two.until("refused")["reason"] == "not_started"


def test_the_host_who_leaves_hands_the_room_to_the_longest_present(server: Server) -> None:
    host, second, third = (Guest(server.origin, name) for name in ("Anh", "Oksana", "Minh"))
    code = host.open_race(seats=3)
    heir = second.take_seat(code)
    third.take_seat(code)
    with host.socket(code) as one, third.socket(code) as three:
        three.until("welcome")
        one.until("welcome")
        one.send("leave")
        assert three.until("racer", lambda f: f.get("left"))["name"] == "Anh"
        assert three.until("race", lambda f: "host" in f)["host"] == heir
        one.send("start")
        assert one.until("fault")["reason"] == "not_a_racer"


def test_who_is_removed_is_closed_and_stays_out(server: Server) -> None:
    host, rude = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=3)
    racer = rude.take_seat(code)
    with host.socket(code) as one, rude.socket(code) as two:
        two.until("welcome")
        one.send("kick", racer=racer)
        assert two.closed() == 4403
        assert one.until("racer", lambda f: f.get("left"))["racer"] == racer
    answer = rude.request("POST", f"/api/races/{code}/seat")
    assert (answer.status_code, answer.json()["reason"]) == (403, "removed")
    with rude.socket(code) as again:
        assert again.closed() == 4403


def test_changed_options_are_seen_by_all_and_ready_marks_fall(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one, rival.socket(code) as two:
        two.send("ready", ready=True)
        two.until("racer", lambda f: f["ready"])
        one.send("options", undo=False, openness="cards", time_limit_min=10)
        changed = two.until("race", lambda f: "openness" in f)
        assert (changed["undo"], changed["openness"], changed["time_limit_min"]) == (
            False,
            "cards",
            10,
        )
        assert any(f["type"] == "racer" and not f["ready"] for f in two.frames)
        for wrong in ({"seats": 1}, {"seats": 51}, {"time_limit_min": 9}):
            one.send("options", **wrong)
            assert one.until("fault")["reason"] == "bad_option"
        two.send("options", seats=9)
        assert two.until("fault")["reason"] == "not_host"


@pytest.mark.parametrize("code", ["ZZZZZZZ", "nothing", "a%20b"])
def test_a_wrong_code_is_closed_as_no_such_race(server: Server, code: str) -> None:
    with Guest(server.origin, "Anh").socket(code) as socket:
        assert socket.closed() == 4404


def test_two_tabs_of_one_player_the_newer_plays_and_the_older_is_told(server: Server) -> None:
    alone = Guest(server.origin, "Minh")
    code = alone.open_race()
    with alone.socket(code) as older:
        older.send("start")
        older.until("go")
        with alone.socket(code) as newer:
            assert older.closed() == 4409
            newer.until("welcome", lambda f: f["table"] is not None)
            assert newer.act("b+")["type"] == "acted"


def test_who_is_cut_off_shows_as_such_and_keeps_seat_and_clock(server: Server) -> None:
    host, rival = Guest(server.origin, "Anh"), Guest(server.origin, "Oksana")
    code = host.open_race(seats=2)
    rival.take_seat(code)
    with host.socket(code) as one:
        two = rival.socket(code)
        two.until("welcome")
        one.send("start")
        two.until("go")
        two.act("b+")
        two.cut()
        assert one.until("racer", lambda f: f["name"] == "Oksana" and not f["online"])
        time.sleep(0.3)
        with rival.socket(code) as again:
            welcome = again.until("welcome")
            assert (welcome["seq"], welcome["table"]["home"]) == (1, 9)
            assert one.until("racer", lambda f: f["name"] == "Oksana" and f["online"])
            again.seq = welcome["seq"]
            assert again.act("**")["at"] >= 300
