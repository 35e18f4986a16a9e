"""What a person means to play, action after action, however often they are interrupted."""

import re

from games.engine.actions import parse_action
from games.engine.position import play
from tests.e2e.evening import DEAL, RoomPage
from tests.e2e.table import READ, SHOWS, names_of, position_of

GONE = "() => document.querySelectorAll('.dock .left i.gone').length"
SAID = "() => document.querySelector('.dock .line')?.textContent ?? ''"
DRAWN = """() => new Promise((drawn, failed) => {
  const wait = (frames) => frames ? requestAnimationFrame(() => wait(frames - 1)) : drawn();
  wait(20);
  setTimeout(() => failed(new Error('Timeout: no frame is drawn')), 5_000);
})"""


class Line:
    """A line of play on a known deal, and what the table shows after each of its actions.

    Where a table stands is read from its cards: the dock tells its figures a little later.
    """

    def __init__(self, codes: list[str]) -> None:
        self.codes = codes
        player = position_of(DEAL)
        self.shown = [names_of(player.table)]
        for code in codes:
            player = play(player, parse_action(code)).position
            self.shown.append(names_of(player.table))

    def stand(self, room: RoomPage) -> int | None:
        """Return how many of its actions the table shows; None while it shows no such table."""
        names = room.page.evaluate(READ)
        return next((n for n, shown in enumerate(self.shown) if shown == names), None)

    def is_played(self, room: RoomPage) -> bool:
        """Tell whether the table shows all of it."""
        return self.stand(room) == len(self.codes)

    def play_on(self, room: RoomPage, most: int = 1) -> None:
        """Play up to `most` of its next actions from where the table stands."""
        for _ in range(most):
            room.page.evaluate(DRAWN)
            stand = self.stand(room)
            if room.is_over() or stand is None or stand == len(self.codes):
                return
            code, said = self.codes[stand], room.page.evaluate(SAID)
            if code == "**":
                room.press(re.compile("^Redeal"))
            else:
                room.page.keyboard.press("Escape")
                room.play(code)
            # Not before it is drawn, or refused: the next key may mean another card of the pile.
            room.page.wait_for_function(
                f"([shown, said]) => ({SHOWS})(shown) || ({SAID})() !== said",
                arg=[self.shown[stand + 1], said],
                timeout=2_000,
            )


class Redeals:
    """So many redeals, which need no knowledge of the deal."""

    def __init__(self, count: int) -> None:
        self.count = count

    def is_played(self, room: RoomPage) -> bool:
        """Tell whether the dock shows them all."""
        gone: int = room.page.evaluate(GONE)
        return gone >= self.count

    def play_on(self, room: RoomPage, most: int = 1) -> None:
        """Play one of them."""
        room.page.evaluate(DRAWN)
        if not self.is_played(room):
            room.press(re.compile("^Redeal"))
            room.page.evaluate(DRAWN)
