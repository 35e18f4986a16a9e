"""The winning lines that other tests race by."""

import json

import pytest

from games.engine.deals import layout_of, parse_deal_code
from games.engine.log import replay
from tests.support.lines import FACTS

LINES = json.loads((FACTS / "winning-lines.json").read_text())["lines"]


@pytest.mark.parametrize("code", sorted(LINES))
def test_a_known_line_wins_its_deal_or_the_deal_has_changed(code: str) -> None:
    deal = parse_deal_code(code)
    actions = [(action, 0) for action in LINES[code].split()]
    assert replay(layout_of(deal), deal.redeals, True, actions).position.won
