"""What the services refuse outside the rules of the game, each with its stable reason."""

from enum import StrEnum


class Denial(StrEnum):
    """The reasons of docs/protocol.md besides the rules' own."""

    NOT_FOUND = "not_found"  # HTTP 404: no such race, game or page
    NOT_A_RACER = "not_a_racer"  # the session has no seat in this race
    NOT_STARTED = "not_started"  # the race hasn't started
    NOT_HOST = "not_host"  # only the host may do this
    RACE_STARTED = "race_started"  # too late: the start is set
    RACE_FULL = "race_full"  # every seat is taken
    RACE_CLOSED = "race_closed"  # the race is over
    DEAL_CLOSED = "deal_closed"  # the deal may not be shown or raced on yet
    REMOVED = "removed"  # the host has removed this player
    TOO_FAST = "too_fast"  # over the rate limit
    TOO_MANY_RACES = "too_many_races"  # host of as many open races as one may have
    BAD_MESSAGE = "bad_message"  # can't be read
    BAD_NAME = "bad_name"  # not a name that can be shown
    NAME_TAKEN = "name_taken"  # somebody in the race is called so
    BAD_DEAL = "bad_deal"  # no such deal code
    BAD_OPTION = "bad_option"  # an option out of its range
    STILL_PLAYING = "still_playing"  # the player sits in a race that isn't over
    SIGN_IN = "sign_in"  # say who you are first
    UNAVAILABLE = "unavailable"  # the server can't take it now


class Denied(Exception):
    """A request that is understood and refused.

    `reason` is stable and what programs read; `detail` tells a person, in English, what to do.
    """

    def __init__(self, reason: Denial, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
