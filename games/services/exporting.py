"""Exports: a game as a document that any program can check, as JSON and as plain text
(docs/game-export.md)."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from games.engine import deals as engine
from games.models import Player
from games.services import replays
from games.services.denied import Denial, Denied

FORMAT = "crescent-game-1"
_SAFE = {"\\": "\\\\", '"': '\\"', "\n": " ", "\r": " "}
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_LINE = re.compile(r"\s*(\d{1,7})\s+(\S\S)\s+(\d{1,4}):(\d\d)\.(\d{3})\s*")

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Code = Annotated[str, msgspec.Meta(pattern=r"^(?:[a-p][a-p+-]|[SHDC][+-]|\*\*|<<)$")]
DealCode = Annotated[str, msgspec.Meta(pattern="^CR1-[NFS]-[A-Z]{7}$")]
Layout = Annotated[str, msgspec.Meta(pattern="^(?:[A2-9TJQK][SHDC]){96}$")]
Seed = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
Commitment = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """The deal: `seed` (hex) and `commitment` of a sealed one, null otherwise."""

    code: DealCode
    redeals: Literal[3, 4]
    seed: Seed | None
    commitment: Commitment | None


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """How it ended: `at` in ms since the start; `redeals` used; `home` of 104."""

    outcome: Literal["won", "resigned", "expired"]
    at: Count
    moves: Count
    undos: Count
    redeals: Count
    home: Count


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """An exported game. `actions` are (code, at in ms since the start), `started_at` is Unix ms."""

    format: Literal["crescent-game-1"]
    deal: Deal
    layout: Layout
    undo: bool
    player: str
    race: str
    game: Count
    started_at: Count
    actions: list[tuple[Code, Count]]
    result: Result


@dataclass(frozen=True, slots=True)
class Unreadable(Exception):
    """A text that is no exported game; `why` says where it stops making sense."""

    why: str


def of_game(*, game_id: int, reader: Player | None) -> Document:
    """Export a game, once everybody may see its cards.

    :raises Denied: not_found; deal_closed, while it is too early, also for its own player.
    """
    found = replays.of_game(game_id=game_id, reader=reader)
    game, deal = found.game, found.deal
    if not found.is_open or game.outcome is None:
        raise Denied(Denial.DEAL_CLOSED, "This game can be exported once its deal is open.")
    return Document(
        format="crescent-game-1",
        deal=Deal(
            code=deal.code,
            redeals=deal.redeals,
            seed=bytes(deal.seed).hex() if deal.seed else None,
            commitment=deal.commitment,
        ),
        layout=found.layout,
        undo=game.race.undo,
        player=game.player.name,
        race=game.race.code,
        game=game.pk,
        started_at=game.race.starts_at or 0,
        actions=found.actions,
        result=Result(
            outcome=msgspec.convert(game.outcome, Literal["won", "resigned", "expired"]),
            at=game.finished_ms or 0,
            moves=game.moves,
            undos=game.undos,
            redeals=game.redeals,
            home=game.home,
        ),
    )


def to_json(document: Document) -> str:
    """Write a document as JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def to_text(document: Document) -> str:
    """Write a document in plain text: a head of tags, then one numbered action a line."""
    deal, result = document.deal, document.result
    tags = {
        "Format": document.format,
        "Deal": deal.code,
        "Redeals": deal.redeals,
        "Seed": deal.seed,
        "Commitment": deal.commitment,
        "Layout": document.layout,
        "Undo": "yes" if document.undo else "no",
        "Player": document.player,
        "Race": document.race,
        "Game": document.game,
        "StartedAt": document.started_at,
        "Outcome": result.outcome,
        "EndedAt": result.at,
        "Moves": result.moves,
        "Undos": result.undos,
        "RedealsUsed": result.redeals,
        "Home": result.home,
    }
    head = [f'[{name} "{_quote(value)}"]' for name, value in tags.items() if value is not None]
    body = [
        f"{seq:4} {code} {at // 60_000}:{at // 1000 % 60:02}.{at % 1000:03}"
        for seq, (code, at) in enumerate(document.actions, start=1)
    ]
    return "\n".join([*head, "", *body, ""])


def schema() -> str:
    """Write the JSON Schema (2020-12) of a document; docs/game-export.schema.json is it."""
    form = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An exported game of Crescent",
        **msgspec.json.schema(Document),
    }
    return msgspec.json.format(msgspec.json.encode(form), indent=1).decode() + "\n"


def read(text: str) -> Document:
    """Read an exported game, JSON or plain text.

    :raises Unreadable: if it is neither.
    """
    try:
        if text.lstrip().startswith("{"):
            return msgspec.json.decode(text, type=Document)
        return _read_text(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None


def _read_text(text: str) -> Document:
    tags: dict[str, str] = {}
    actions: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        tag, action = _TAG.fullmatch(line.strip()), _LINE.fullmatch(line)
        if tag and tag[1] in tags:
            raise Unreadable(f"line {number} gives {tag[1]} a second time")
        if tag and not actions:
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif action and int(action[1]) == len(actions) + 1 and int(action[4]) < 60:
            minutes, seconds, ms = int(action[3]), int(action[4]), int(action[5])
            actions.append((action[2], 60_000 * minutes + 1000 * seconds + ms))
        elif line.strip():
            raise Unreadable(f"line {number} is neither a tag nor action {len(actions) + 1}")
    try:
        given = {
            "format": tags["Format"],
            "deal": {
                "code": tags["Deal"],
                "redeals": int(tags["Redeals"]),
                "seed": tags.get("Seed"),
                "commitment": tags.get("Commitment"),
            },
            "layout": tags["Layout"],
            "undo": {"yes": True, "no": False}[tags["Undo"]],
            "player": tags["Player"],
            "race": tags["Race"],
            "game": int(tags["Game"]),
            "started_at": int(tags["StartedAt"]),
            "actions": actions,
            "result": {
                "outcome": tags["Outcome"],
                "at": int(tags["EndedAt"]),
                "moves": int(tags["Moves"]),
                "undos": int(tags["Undos"]),
                "redeals": int(tags["RedealsUsed"]),
                "home": int(tags["Home"]),
            },
        }
    except (KeyError, ValueError) as error:
        raise Unreadable(f"a tag is missing or wrong: {error}") from None
    return msgspec.convert(given, Document)


def _quote(value: object) -> str:
    return "".join(_SAFE.get(character, character) for character in str(value))


def code_of(document: Document) -> engine.DealCode:
    """Return the deal code of a document.

    :raises Unreadable: if it isn't one.
    """
    try:
        return engine.parse_deal_code(document.deal.code)
    except engine.BadDealCode:
        raise Unreadable(f"{document.deal.code!r} is no deal code") from None
