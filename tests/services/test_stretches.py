"""Long boards are cut into parts of one length, equal results together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.services import stretches


@given(st.lists(st.integers(5, 60), max_size=300).map(sorted))
def test_a_cut_leaves_nothing_out_and_parts_no_equals(keys: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "MOST", 20)
        parts = stretches.cut(keys, 5)
    assert parts[0][0] == 5
    assert sum(count for _, count in parts) == len(keys)
    ends = [low for low, _ in parts[1:]] + [61]
    for (low, count), end in zip(parts, ends, strict=True):
        inside = [key for key in keys if low <= key < end]
        assert count == len(inside)
        assert count == 0 or inside[0] == low or low == 5
        longest = max((inside.count(key) for key in inside), default=0)
        assert count < 20 + longest


def test_parts_are_of_one_length() -> None:
    parts = stretches.cut(range(1, 1001), 0)
    assert parts == [(0, 334), (335, 334), (669, 332)]
    assert stretches.cut([], 7) == [(7, 0)]
    assert stretches.cut([9] * 2_000, 0) == [(0, 2_000)]
