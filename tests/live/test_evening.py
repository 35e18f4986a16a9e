"""An evening: rematches, the tally over them, ghosts, and waving."""

import time

from tests.support.client import Guest, RaceSocket
from tests.support.lines import winning_line
from tests.support.server import Server


def start(*sockets: RaceSocket) -> None:
    sockets[0].send("start")
    for socket in sockets:
        socket.until("go")


def test_a_rematch_takes_along_who_agrees_and_the_tally_counts_both_races(
    free_server: Server,
) -> None:
    anh, oksana = Guest(free_server.origin, "Anh"), Guest(free_server.origin, "Oksana")
    code = anh.open_race("sealed", seats=2, undo=False, time_limit_min=20)
    oksana.take_seat(code)
    with anh.socket(code) as one, oksana.socket(code) as two:
        start(one, two)
        two.send("rematch", agree=True)
        assert two.until("fault")["reason"] == "race_started"
        two.send("resign")
        one.until("finished")
        two.send("rematch", agree=True)
        following = one.until("race", lambda f: f.get("next"))["next"]
        one.act("**")
        one.send("resign")
        one.until("closed", timeout=20)
        one.send("rematch", agree=True)
        one.send("rematch", agree=True)
        one.settled()
    room = anh.get(f"/api/races/{following}")
    assert [row["name"] for row in room["racers"]] == ["Oksana", "Anh"]
    assert (room["race"]["undo"], room["race"]["time_limit_min"]) == (False, 20)
    assert room["deal"]["kind"] == "S"
    tally = {row["player"]: row for row in anh.get(f"/api/races/{code}")["tally"]}
    # Nobody brought a card home, so fewer moves decide, and nobody made one: they share a place,
    # and who shares a place is not left behind.
    assert {name: row["points"] for name, row in tally.items()} == {"Anh": 0, "Oksana": 0}
    with oksana.socket(following) as two, anh.socket(following) as one:
        two.until("welcome")
        one.until("welcome")
        start(two, one)


def test_a_finished_game_runs_along_as_a_ghost_and_shows_no_move(free_server: Server) -> None:
    anh = Guest(free_server.origin, "Anh")
    deal, line = "CR1-N-AAAAAAC", winning_line("CR1-N-AAAAAAC")
    first = anh.open_race(deal)
    with anh.socket(first) as socket:
        start(socket)
        for action in line:
            assert socket.act(action)["type"] == "acted"
        standing = socket.until("closed")["standings"][0]
    assert (standing["outcome"], standing["home"], standing["place"]) == ("won", 104, 1)
    game = standing["racer"]
    second = anh.open_race(deal)
    with anh.socket(second) as socket:
        socket.send("ghost", game=game)
        row = socket.until("racer", lambda f: f["ghost"])
        assert (row["racer"], row["name"], row["home"], row["place"]) == (game, "Anh", 8, None)
        start(socket)
        ended = socket.until("finished", timeout=30)
        assert (ended["racer"], ended["outcome"], ended["place"]) == (game, "won", None)
        moves = [m for f in socket.frames if f["type"] == "moved" for m in f["moves"]]
        assert [m[1] for m in moves] == list(range(1, len(line) + 1))
        assert all(m[0] == game and m[2] is None for m in moves)
        assert moves[-1][4] == 104
        assert socket.act("**")["type"] == "acted"
    with Guest(free_server.origin).socket(second) as watcher:
        rows = watcher.until("welcome")["racers"]
        assert [(r["ghost"], r["home"], r["place"]) for r in rows] == [
            (False, 8, 1),
            (True, 104, None),
        ]


def test_a_ghost_is_a_finished_game_on_the_same_deal_added_by_the_host(free_server: Server) -> None:
    anh, oksana = Guest(free_server.origin, "Anh"), Guest(free_server.origin, "Oksana")
    code = anh.open_race(seats=2)
    racer = oksana.take_seat(code)
    with anh.socket(code) as one, oksana.socket(code) as two:
        for sender, game, reason in (
            (two, racer, "not_host"),
            (one, racer, "bad_option"),
            (one, 10**9, "not_found"),
        ):
            sender.send("ghost", game=game)
            assert sender.until("fault")["reason"] == reason
        start(one, two)
        one.send("ghost", game=racer)
        assert one.until("fault")["reason"] == "race_started"


def test_racers_wave_and_watchers_do_not(server: Server) -> None:
    anh = Guest(server.origin, "Anh")
    code = anh.open_race(seats=2)
    with anh.socket(code) as one, Guest(server.origin).socket(code) as watcher:
        you = one.until("welcome")["you"]
        watcher.until("welcome")
        one.send("emote", id="clap")
        assert watcher.until("emote") == {"type": "emote", "racer": you, "id": "clap"}
        one.send("emote", id="clap")
        assert one.until("fault")["reason"] == "too_fast"
        time.sleep(1)
        one.send("emote", id="<b>hello</b>")
        assert one.until("fault")["reason"] == "bad_message"
        watcher.send("emote", id="clap")
        assert watcher.until("fault")["reason"] == "not_a_racer"
