"""Deals: fetched by their code, made at random, sealed and revealed."""

import secrets
from collections.abc import Collection, Mapping

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games import clock
from games.engine import deals as engine
from games.models import Deal, DealKind, Game, Player, Race
from games.services.denied import Denial, Denied


def read_code(text: str) -> engine.DealCode:
    """Parse a deal code as a person may type it.

    :raises Denied: bad_deal.
    """
    try:
        return engine.parse_deal_code(text)
    except engine.BadDealCode:
        raise Denied(Denial.BAD_DEAL, "A deal code looks like CR1-N-AAAAAAB.") from None


def find(*, code: engine.DealCode) -> Deal:
    """Return the deal of a code; of an open kind that nobody has played, one that isn't stored.

    :raises Denied: bad_deal, for a sealed code that was never given out.
    """
    deal = Deal.objects.filter(code=str(code)).first()
    if deal is not None:
        return deal
    if code.sealed:
        raise Denied(Denial.BAD_DEAL, "There is no sealed deal of this code.")
    return Deal(
        code=str(code),
        kind=code.kind,
        layout=engine.layout_of(code),
        created_at=clock.now_ms(),
    )


def choose(*, wish: str) -> Deal:
    """Return the stored deal for `wish`: "sealed" (new), "random" (new, kind N), "four" (new,
    Crescent Four) or a code.

    :raises Denied: bad_deal; deal_closed, for a sealed deal that isn't revealed.
    """
    if wish == "sealed":
        return seal()
    if wish == "random":
        return _stored(find(code=engine.DealCode("N", _random_letters())))
    if wish == "four":
        return _stored(find(code=engine.DealCode("F", _random_letters())))
    deal = find(code=read_code(wish))
    if not deal.revealed:
        raise Denied(Denial.DEAL_CLOSED, "This deal is still sealed: a race is on it.")
    return _stored(deal)


def seal() -> Deal:
    """Make a sealed deal: 128 bits of the operating system's, a code that tells nothing."""
    while True:
        seed = secrets.token_bytes(16)
        layout = engine.deal(seed)
        try:
            with transaction.atomic():
                return Deal.objects.create(
                    code=str(engine.DealCode("S", _random_letters())),
                    kind=DealKind.SEALED,
                    layout=layout,
                    seed=seed,
                    commitment=engine.commitment(seed, layout),
                    created_at=clock.now_ms(),
                )
        except IntegrityError:  # these letters are taken: draw again
            continue


def holds(*, deal: Deal) -> bool:
    """Tell whether a deal's cards are those its code or its seed and commitment promise."""
    if deal.kind != DealKind.SEALED:
        return engine.layout_of(engine.parse_deal_code(deal.code)) == deal.layout
    seed = bytes(deal.seed or b"")
    return (
        engine.deal(seed) == deal.layout and engine.commitment(seed, deal.layout) == deal.commitment
    )


def may_see_layout(*, deal: Deal, player: Player | None) -> bool:
    """Tell whether this reader may have the cards: the deal is revealed and they aren't at it."""
    return deal.revealed and not (player and is_playing(deal=deal, player=player))


def is_playing(*, deal: Deal, player: Player, besides_race_id: int | None = None) -> bool:
    """Tell whether `player` has an unfinished game on these cards in a race that has its start
    set: on `deal`, or on the other kind of the same letters."""
    return bool(at_play(deal=deal, players=[player.pk], besides_race_id=besides_race_id))


def at_play(
    *, deal: Deal, players: Collection[int], besides_race_id: int | None = None
) -> set[int]:
    """Return which of these players (by id) have an unfinished game on these cards (see
    `is_playing`) in a race that has its start set."""
    now = clock.now_ms()
    alike = engine.parse_deal_code(deal.code).alike
    return {
        game.player_id
        for game in _unfinished(players).filter(race__deal__code__in=alike)
        if game.race_id != besides_race_id and now < (game.race.expires_at or now)
    }


def at_play_elsewhere(*, readers: Mapping[Race, Collection[int]]) -> dict[int, set[int]]:
    """Return, by the race's id, which of its readers (players by id) are at an unfinished game on
    the same cards in another race. One query, whatever the number of races."""
    now = clock.now_ms()
    alike = {race: engine.parse_deal_code(race.deal.code).alike for race in readers}
    unfinished = _unfinished({pk for players in readers.values() for pk in players})
    at_play = [
        (game.player_id, game.race_id, game.race.deal.code)
        for game in unfinished.select_related("race__deal")
        if now < (game.race.expires_at or now)
    ]
    return {
        race.pk: {
            player
            for player, elsewhere, code in at_play
            if player in players and elsewhere != race.pk and code in alike[race]
        }
        for race, players in readers.items()
    }


def _unfinished(players: Collection[int]) -> QuerySet[Game]:
    return Game.objects.filter(
        player__in=players,
        race__starts_at__isnull=False,
        race__closed_at=None,
        outcome=None,
        removed_at=None,
    ).select_related("race")


def _stored(deal: Deal) -> Deal:
    if deal.pk:
        return deal
    return Deal.objects.get_or_create(
        code=deal.code,
        defaults={"kind": deal.kind, "layout": deal.layout, "created_at": deal.created_at},
    )[0]


def _random_letters() -> str:
    return "".join(secrets.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(7))
