"""Every refusal of the rules, in the order in which they are given when several hold."""

from enum import StrEnum


class Reason(StrEnum):
    """Why an action is refused; the value is the word on the wire (docs/protocol.md, "Reasons")."""

    NOT_AN_ACTION = "not_an_action"  # it can't be read as an action
    GAME_OVER = "game_over"  # the game is finished
    NO_UNDO = "no_undo"  # the race is played without undo
    EMPTY_SOURCE = "empty_source"  # there is no card on the source pile
    BASE_LOCKED = "base_locked"  # the card to move is a foundation's base
    SAME_PLACE = "same_place"  # the source is the target
    EMPTY_PILE = "empty_pile"  # nothing may be put on an empty pile
    PILE_FULL = "pile_full"  # the target pile has 13 cards
    WRONG_SUIT = "wrong_suit"  # the same suit is needed
    WRONG_RANK = "wrong_rank"  # the neighbouring rank (pile) or the next (foundation) is needed
    NO_REDEALS = "no_redeals"  # the redeals are used up
    NOTHING_TO_UNDO = "nothing_to_undo"  # no move since the start or the last redeal is left
