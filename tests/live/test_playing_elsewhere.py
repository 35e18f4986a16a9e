"""Who is at a game on a deal is shown other races on the same cards as progress: no frame and no
address gives them a face, a line, the layout or the seed before their own game is over."""

import json
from collections.abc import Iterator

import pytest

from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import GameLog
from tests.live.test_secrecy import CARDS, cards_in
from tests.support.client import Frame, Guest, RaceSocket
from tests.support.lines import legal_line, solved_deal
from tests.support.rooms import NAMES, running
from tests.support.server import Server
from tests.support.stores import add_revealed_deal, shift_start

OPEN, TWIN, SEALED = "CR1-N-QRSTUVW", "CR1-F-QRSTUVW", "CR1-S-QRSTUVW"
SEED, COMMITMENT = "00" * 16, "00" * 32
MOVES = 5
"""Moves that the watched racer plays at a time."""
Two = tuple[Server, Server]


@pytest.fixture(
    params=[
        "one process",
        pytest.param("two processes", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def servers(request: pytest.FixtureRequest) -> Iterator[Two]:
    """Where a race is watched and where its reader plays: in one process on SQLite, in two on
    PostgreSQL."""
    if request.param == "one process":
        server = request.getfixturevalue("free_server")
        yield server, server
    else:
        yield request.getfixturevalue("two_servers")


def at(server: Server, guest: Guest) -> Guest:
    """Give the same session at another process: a cookie is bound to no port."""
    other = Guest(server.origin)
    other.http.cookies = guest.http.cookies
    return other


class Watched:
    """A race that is watched in the first process: one racer plays there, another is in the second
    and waves, so that whatever was told before is known to have been heard."""

    def __init__(self, servers: Two, deal: str, openness: str) -> None:
        self.servers = servers
        self.deal = deal
        if deal == SEALED:
            add_revealed_deal(servers[0], deal[-7:], solved_deal()[0])
        self.layout = solved_deal()[0] if deal == SEALED else layout_of(parse_deal_code(deal))
        self.race = running(servers[0], deal, racers=3, openness=openness)
        self.player = self.race.sockets[0]
        self.waver = at(servers[1], self.race.guests[1]).socket(self.race.code)
        self.waver.until("welcome")
        self.line = legal_line(GameLog.start(self.layout, 3, True), 3 * MOVES)

    def play(self) -> None:
        for code in self.line[:MOVES]:
            assert self.player.act(code)["type"] == "acted"
        del self.line[:MOVES]

    def heard_by(self, socket: RaceSocket) -> None:
        self.waver.send("emote", id="wave")
        socket.until("emote")

    def close(self) -> None:
        for socket in (self.player, self.waver, self.race.sockets[2]):
            socket.send("resign")
        left = set(self.race.racers)
        left -= {frame["racer"] for frame in self.player.frames if frame["type"] == "finished"}
        while left:
            left.discard(self.player.until("finished")["racer"])
        shift_start(self.servers[0], self.race.code, 11_000)

    def addresses(self) -> list[str]:
        """What shows something of the race, its games or its deal."""
        games = self.race.racers[:2]
        pair = f"{games[0]}/compare/{games[1]}"
        alike = parse_deal_code(self.deal).alike
        return [
            *(f"/races/{self.race.code}{end}" for end in ("/", "/replay/")),
            f"/api/races/{self.race.code}",
            *(f"/deals/{code}/" for code in alike),
            *(f"/api/deals/{code}{end}" for code in alike for end in ("", "/leaderboard")),
            *(f"/games/{game}/" for game in games),
            *(f"/api/games/{game}/replay" for game in games),
            *(f"/api/games/{game}/export?format={form}" for game in games for form in FORMS),
            *(f"/games/{pair}/", f"/api/games/{pair}"),
        ]


FORMS = ("json", "text")


def begin(guest: Guest, deal: str) -> RaceSocket:
    """Begin a lone game."""
    socket = guest.socket(guest.open_race(deal))
    socket.until("welcome")
    socket.send("start")
    socket.until("go")
    return socket


def arrive(watched: Watched, own_deal: str) -> tuple[Guest, RaceSocket, RaceSocket, int | None]:
    """Begin a game, then come to watch."""
    reader = Guest(watched.servers[0].origin, "Reader")
    playing = begin(at(watched.servers[1], reader), own_deal)
    watching = reader.socket(watched.race.code)
    watching.until("welcome")
    return reader, watching, playing, None


def stay(watched: Watched, own_deal: str) -> tuple[Guest, RaceSocket, RaceSocket, int | None]:
    """Watch, then begin a game."""
    reader = Guest(watched.servers[0].origin, "Reader")
    watching = reader.socket(watched.race.code)
    watching.until("welcome")
    playing = begin(at(watched.servers[1], reader), own_deal)
    watched.heard_by(watching)
    watching.frames.clear()
    return reader, watching, playing, None


def give_up(watched: Watched, own_deal: str) -> tuple[Guest, RaceSocket, RaceSocket, int | None]:
    """Resign in the race and begin another game on its cards."""
    reader, watching = watched.race.guests[2], watched.race.sockets[2]
    watching.send("resign")
    watching.until("finished")
    playing = begin(at(watched.servers[1], reader), own_deal)
    watched.heard_by(watching)
    watching.frames.clear()
    return reader, watching, playing, watched.race.racers[2]


def tells_nothing(frame: Frame, own: int | None) -> None:
    """Hold a frame to what its reader may know: the own table and log, of the others counts."""
    rest = {name: value for name, value in frame.items() if name not in {"table", "seen"}}
    if frame["type"] == "moved":
        assert all(len(row) == 7 and row[2] is None for row in frame["moves"])
    if frame["type"] == "welcome":
        assert set(frame["logs"]) <= {str(own)}
        assert own is not None or (frame["table"], frame["seen"]) == (None, {})
    if frame["type"] == "closed":
        assert (frame["layout"], frame["seed"]) == (None, None)
    assert cards_in(rest) == []
    assert not CARDS.search(json.dumps(rest))


@pytest.mark.parametrize(
    ("deal", "own_deal", "openness"),
    [(OPEN, OPEN, "cards"), (OPEN, TWIN, "moves"), (SEALED, SEALED, "cards")],
)
@pytest.mark.parametrize("come", [arrive, stay, give_up])
def test_a_reader_at_play_elsewhere_is_told_no_card_and_no_line_by_any_door(
    servers: Two, come: object, deal: str, own_deal: str, openness: str
) -> None:
    watched = Watched(servers, deal, openness)
    watched.play()
    assert callable(come)
    reader, watching, playing, own = come(watched, own_deal)
    watched.play()
    watched.heard_by(watching)
    assert any(frame["type"] == "moved" for frame in watching.frames)
    watching.send("sync")
    watching.until("welcome")
    watched.close()
    watching.until("closed")
    late = reader.socket(watched.race.code)
    late.until("closed")
    for frame in [*watching.frames, *late.frames]:
        tells_nothing(frame, own)
    layout = watched.layout
    runs = [layout[at : at + 6] for at in range(0, len(layout) - 4, 2)]
    for address in watched.addresses():
        said = reader.http.get(address, follow_redirects=True).text.replace(COMMITMENT, "")
        assert [run for run in (*runs, SEED) if run in said] == [], address

    playing.send("resign")
    playing.until("finished")
    shown = late.until("closed", timeout=30)
    assert shown["layout"] == layout
    assert shown["seed"] == (SEED if deal == SEALED else None)
    told = [frame for frame in late.frames if frame["type"] == "welcome"][-1]
    assert len(told["logs"][str(watched.race.racers[0])]) == 2 * 2 * MOVES
    replay = reader.get(f"/api/games/{watched.race.racers[0]}/replay")
    assert replay["layout"] == layout


@pytest.mark.parametrize("name", [None, "Petro"])
def test_who_is_at_no_game_on_the_cards_is_shown_all_that_the_race_is_open_for(
    free_server: Server, name: str | None
) -> None:
    """Also who is at a game on other cards, and whoever races here."""
    watched = Watched((free_server, free_server), OPEN, "cards")
    reader = Guest(free_server.origin, name)
    if name is not None:
        begin(reader, "CR1-N-AAAAAAB")
    watching = reader.socket(watched.race.code)
    watching.until("welcome")
    watched.play()
    for socket in (watching, watched.waver):
        rows: list[list[object]] = []
        while len(rows) < MOVES:
            rows += socket.until("moved")["moves"]
        assert all(len(row) == 8 and row[2] is not None for row in rows)
    watched.close()
    assert watching.until("closed")["layout"] == watched.layout
    assert watched.player.until("closed")["layout"] == watched.layout


def test_who_loses_a_seat_to_a_game_begun_elsewhere_watches_the_race_as_progress(
    servers: Two,
) -> None:
    first, second = servers
    host, other, reader = (Guest(first.origin, name) for name in NAMES[:3])
    code = host.open_race(OPEN, seats=3, openness="cards")
    for guest in (other, reader):
        guest.take_seat(code)
    one, watching = host.socket(code), reader.socket(code)
    you = watching.until("welcome")["you"]
    begin(at(second, reader), OPEN)
    one.send("start")
    watching.until("racer", lambda frame: frame["racer"] == you and frame.get("left"))
    shift_start(first, code, 6_000)
    other.socket(code).until("welcome")  # whoever comes has the race read again
    one.until("go")
    one.act(legal_line(GameLog.start(layout_of(parse_deal_code(OPEN)), 3, True), 1)[0])
    watching.until("moved")
    for frame in watching.frames:
        tells_nothing(frame, None)
