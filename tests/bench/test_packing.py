"""Whatever a log holds, every compact form gives it back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.packing import FORMS
from games.engine.actions import ACTIONS

_logs = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 2**40)), max_size=40)


@pytest.mark.parametrize("form", FORMS)
@given(log=_logs)
def test_what_is_packed_is_read_again(form: str, log: list[tuple[str, int]]) -> None:
    pack, unpack = FORMS[form]
    rising = sorted(log, key=lambda action: action[1])
    assert unpack(pack(rising)) == rising
