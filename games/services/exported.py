"""Checking an exported game: its cards are those of its deal, its actions are legal, its result is
what they come to. Nothing is asked of the database."""

from itertools import pairwise

from games.engine import deals, log
from games.engine.errors import EngineError
from games.services import exporting
from games.services.exporting import Document, Unreadable


def faults_of(document: Document) -> list[str]:
    """Tell in what an exported game doesn't hold; nothing where it does."""
    try:
        code = exporting.code_of(document)
    except Unreadable as error:
        return [error.why]
    faults = _faults_of_cards(document, code)
    if document.deal.redeals != code.redeals:
        faults.append(f"deals of kind {code.kind} have {code.redeals} redeals")
    times = [at for _, at in document.actions]
    if any(later < earlier for earlier, later in pairwise(times)):
        faults.append("its times go back")
    try:
        played = log.replay(document.layout, code.redeals, document.undo, document.actions)
    except EngineError as error:
        return [*faults, str(error)]
    return faults + _faults_of_result(document, played)


def _faults_of_cards(document: Document, code: deals.DealCode) -> list[str]:
    deal = document.deal
    if not code.sealed:
        same = deals.layout_of(code) == document.layout
        return [] if same else [f"the cards are not those of {code}"]
    try:
        seed = bytes.fromhex(deal.seed or "")
    except ValueError:
        return ["the seed is not hexadecimal"]
    if len(seed) != deals.SEED_BYTES or deals.deal(seed) != document.layout:
        return ["the cards are not those of the seed"]
    if deals.commitment(seed, document.layout) != deal.commitment:
        return ["the fingerprint is not that of the seed and the cards"]
    return []


def _faults_of_result(document: Document, played: log.GameLog) -> list[str]:
    result, table = document.result, played.table
    replayed = {
        "moves": table.moves,
        "undos": played.undos,
        "redeals": played.redeals,
        "home": table.home,
    }
    faults = [
        f"{name} is given as {getattr(result, name)}, the actions make it {value}"
        for name, value in replayed.items()
        if getattr(result, name) != value
    ]
    if played.position.won != (result.outcome == "won"):
        faults.append(f"the outcome is given as {result.outcome}, with {table.home} cards home")
    if result.outcome == "won" and result.at != played.at_ms:
        faults.append(f"it ended at {result.at} ms, the last move was at {played.at_ms}")
    if result.at < played.at_ms:
        faults.append("it goes on after its end")
    return faults
