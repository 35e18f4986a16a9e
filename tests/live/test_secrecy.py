"""Every byte that reaches each side of a race, searched for what that side may not know yet."""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.engine import deals as engine
from games.engine.log import Accepted, GameLog, replay
from games.engine.rules import legal_actions
from tests.support.client import Frame, Guest, RaceSocket
from tests.support.rooms import Running, running
from tests.support.server import Server
from tests.support.stores import deal_of, shift_start

CARD = re.compile(r'["\'>]([A23456789TJQK][SHDC])["\'<]')
"""A card by itself, as JSON or as a page has it."""
CARDS = re.compile(r"(?:[A23456789TJQK?][SHDC?]){5,}")
"""Several cards in one string, as a layout has them."""


class Listener:
    """One side of the race: everything that its session and its socket were given."""

    def __init__(self, guest: Guest, socket: RaceSocket) -> None:
        self.guest, self.socket = guest, socket
        self.pages: list[tuple[str, str]] = []

    def read(self, *addresses: str) -> None:
        for address in addresses:
            answer = self.guest.http.get(address, follow_redirects=True)
            headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
            self.pages.append((address, headers + "\n\n" + answer.text))

    def texts(self) -> Iterator[str]:
        yield from self.guest.bodies
        yield from (text for _, text in self.pages)
        yield from self.socket.raw


def every_address(race: Running, deal: str) -> list[str]:
    games = [
        address
        for racer in race.racers
        for address in (f"/api/games/{racer}/replay", f"/games/{racer}/")
    ]
    return [
        "/",
        "/races/",
        f"/races/{race.code}/",
        f"/races/{race.code}/replay/",
        f"/api/races/{race.code}",
        f"/api/deals/{deal}/leaderboard?by=time",
        f"/api/deals/{deal}/leaderboard?by=moves",
        *games,
    ]


def cards_in(value: Any) -> list[str]:
    return CARD.findall(json.dumps(value))


def play_blindly(socket: RaceSocket, log: GameLog, count: int) -> GameLog:
    """Play moves, undos and redeals, as the model finds them legal."""
    for number in range(count):
        code = blind_choice(log, number)
        offered = log.offer(log.seq + 1, code, 0)
        assert isinstance(offered, Accepted)
        assert socket.act(code)["type"] == "acted"
        log = offered.log
    return log


def blind_choice(log: GameLog, number: int) -> str:
    """Choose the next action by its number; a sealed deal may be blocked after a few moves."""
    moves = [action.code for action in legal_actions(log.table) if action.is_move]
    redeal_due = number in {9, 15} or not moves
    if log.table.undo and (number % 7 == 5 or (redeal_due and not log.table.redeals_left)):
        return "<<"
    return "**" if redeal_due else moves[number % len(moves)]


def check_own_faces(frames: list[Frame], start: GameLog, codes: str) -> None:
    """Hold what a racer was shown of the own table against the plain log, card by card."""
    log = start
    for frame in frames:
        if frame["type"] == "acted":
            offered = log.offer(frame["seq"], frame["code"], 0)
            assert isinstance(offered, Accepted)
            log = offered.log
            assert frame.get("shown", {}) == offered.entry.shown
        table = frame.get("table")
        if table is not None:
            assert table["tops"] == {
                pile: top
                for pile, top in zip("abcdefghijklmnop", log.table.tops, strict=True)
                if top is not None
            }
            assert [*table["up"].values(), *table["down"].values()] == [
                *log.table.up,
                *log.table.down,
            ]
        if frame["type"] == "welcome" and frame["seen"]:
            assert frame["seen"] == {str(slot): card for slot, card in log.faces.items()}
    assert log.codes == codes


@pytest.mark.parametrize("openness", ["progress", "moves", "cards"])
@pytest.mark.parametrize("kind", ["S", "N"])
def test_nobody_is_told_a_card_that_the_own_table_has_not_shown(
    free_server: Server, kind: str, openness: str
) -> None:
    wish = "sealed" if kind == "S" else "CR1-N-ABCDEFG"
    race = running(free_server, wish, openness=openness)
    deal = deal_of(free_server, race.code)
    layout: str = deal["layout"]
    start = GameLog.start(layout, 3, True)
    stranger = Guest(free_server.origin)
    watching = stranger.socket(race.code)
    watching.until("welcome")
    one, two = (Listener(g, s) for g, s in zip(race.guests, race.sockets, strict=True))
    watcher = Listener(stranger, watching)
    everybody = (one, two, watcher)
    addresses = every_address(race, deal["code"])
    about_deal = [f"/api/deals/{deal['code']}", f"/deals/{deal['code']}/"]

    logs = [play_blindly(one.socket, start, 24), play_blindly(two.socket, start, 12)]
    for side in everybody:
        side.read(*addresses)
        side.socket.send("sync")
        side.socket.until("welcome")
    for side in everybody if kind == "S" else (one, two):
        side.read(*about_deal)  # of an open deal anybody but its players may ask the cards
    two.socket.send("resign")
    watching.until("finished")
    two.read(*addresses)
    if kind == "S":
        two.read(*about_deal)
    two.socket.settled()
    with two.guest.socket(race.code) as again:  # which takes the seat over
        again.until("welcome")
        two.socket.frames += again.frames
        two.socket.raw += again.raw
    for side in everybody:
        if side is not two:
            side.socket.settled()

    # --- While the race runs -------------------------------------------------------------------
    seed = bytes.fromhex(deal["seed"]) if deal["seed"] else None
    for side in everybody:
        for text in side.texts():
            assert layout not in text
            for secret in spellings(seed) if seed else ():
                assert secret not in text
    for side, log in zip((one, two), logs, strict=True):
        check_own_faces(side.socket.frames, start, log.codes)
    for side in everybody:
        own = {one: [logs[0]], two: [logs[1]]}.get(side, [])
        for frame in side.socket.frames:
            check_frame(frame, openness, race, logs)
            if openness != "cards" and not own:
                assert cards_in(frame) == []
        known = {slot: card for log in own for slot, card in log.faces.items()}
        for address, text in side.pages:
            check_page(address, text, known)
    own_replays = [text for address, text in two.pages if address.endswith("/replay")]
    assert any(len(cards) == 192 for text in own_replays for cards in CARDS.findall(text))
    if openness == "progress":
        for side in everybody:
            assert all(
                row[2] is None
                for f in side.socket.frames
                if f["type"] == "moved"
                for row in f["moves"]
            )

    # --- After the close -----------------------------------------------------------------------
    one.socket.send("resign")
    one.socket.until("finished")
    shift_start(free_server, race.code, 11_000)
    for side in (one, watcher):
        closed = side.socket.until("closed")
        assert (closed["layout"], closed["seed"]) == (layout, deal["seed"])
    shown = watcher.guest.get(f"/api/deals/{deal['code']}")
    assert (shown["revealed"], shown["layout"]) == (True, layout)
    if kind == "S":
        assert seed is not None
        assert engine.deal(seed) == layout
        promised = [f["deal"]["commitment"] for f in one.socket.frames if f["type"] == "welcome"]
        assert set(promised) == {engine.commitment(seed, layout)} == {shown["commitment"]}
    for racer, log in zip(race.racers, logs, strict=True):
        seen = watcher.guest.get(f"/api/games/{racer}/replay")
        assert seen["layout"] == layout
        actions = [(code, at) for code, at in seen["actions"]]
        assert replay(layout, 3, True, actions).codes == log.codes


def spellings(seed: bytes) -> list[str]:
    """Write a seed in the ways in which it might slip out."""
    return [
        seed.hex(),
        seed.hex().upper(),
        base64.b64encode(seed).decode().rstrip("="),
        base64.urlsafe_b64encode(seed).decode().rstrip("="),
        str(list(seed)),
        str(int.from_bytes(seed, "big")),
    ]


def check_frame(frame: Frame, openness: str, race: Running, logs: list[GameLog]) -> None:
    """See that cards stand in a frame only where its kind has them."""
    rest = {name: value for name, value in frame.items() if name not in {"table", "seen", "shown"}}
    if openness == "cards":
        faces = {str(slot): card for log in logs for slot, card in log.faces.items()}
        assert rest.pop("faces", {}).items() <= faces.items()
        for racer, seq, *_, shown in rest.pop("moves", []) if frame["type"] == "moved" else []:
            assert shown == logs[race.racers.index(racer)].entry(seq).shown
    assert cards_in(rest) == []
    assert not CARDS.search(json.dumps(rest))


def check_page(address: str, text: str, known: Mapping[int, str]) -> None:
    """See that a page or an answer has no card but, of an own finished game, the own ones."""
    found = CARDS.findall(text)
    if "/replay" in address or "/games/" in address:
        for cards in found:
            if len(cards) == 192:
                slots = {slot: cards[2 * slot : 2 * slot + 2] for slot in range(96)}
                assert {slot: card for slot, card in slots.items() if card != "??"} == known
                text = text.replace(cards, "")
        found = CARDS.findall(text)
    assert found == [], address
    assert CARD.findall(text) == [], address
