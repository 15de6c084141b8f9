"""Rows and entries find each other, whatever is appended, corrected or resized, at a cost that does not grow."""

from itertools import accumulate

import pytest
from hypothesis import given, strategies as st

from decode_ui.transcript.layout import Extent, Layout, Place

OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["append", "measure", "change", "gap"]), st.integers(0, 10**6), st.integers(0, 40)),
    max_size=60,
)


def filled(count: int) -> Layout:
    layout = Layout(80)
    for number in range(count):
        layout.append(Extent(1 + number % 5, 100), 1)
    return layout


@given(OPERATIONS, st.integers(1, 120))
def test_heights_tops_and_rows_agree(operations: list[tuple[str, int, int]], width: int) -> None:
    layout = Layout(80)
    for name, which, rows in operations:
        index = which % len(layout) if len(layout) else 0
        match name if len(layout) else "append":
            case "append":
                layout.append(Extent(rows, rows * 30), which % 2)
            case "measure":
                layout.measure(index, rows)
            case "change":
                layout.change(index, Extent(rows), which % 2)
            case _:
                layout.set_gap(index, which % 2)
    for _ in range(2):
        heights = [layout.height(index) for index in range(len(layout))]
        tops = [0, *accumulate(heights)]
        assert [layout.top(index) for index in range(len(layout) + 1)] == tops
        assert layout.total == tops[-1]
        rows_of = [Place(i, row) for i, height in enumerate(heights) for row in range(height)]
        assert [layout.find(row) for row in range(layout.total)] == rows_of
        layout.resize(width)


def test_a_correction_tells_by_how_much_it_moved_what_follows() -> None:
    layout = filled(3)
    before = layout.top(2)
    assert layout.measure(0, 20) == layout.top(2) - before
    assert layout.measured(0)
    assert not layout.measured(1)


def test_another_width_makes_every_height_an_estimate_again() -> None:
    layout = filled(3)
    layout.measure(1, 20)
    layout.resize(20)
    assert not layout.measured(1)
    assert layout.height(1) == 1 + 2 + 100 // 20


def test_rows_outside_belong_to_the_nearest_entry() -> None:
    layout = filled(3)
    assert layout.find(-5) == Place(0, 0)
    assert layout.find(10_000).entry == 2
    with pytest.raises(IndexError):
        Layout().find(0)


@pytest.mark.parametrize("count", [100, 10_000, 100_000])
def test_appending_correcting_and_finding_cost_a_few_steps_in_any_session(count: int) -> None:
    layout = filled(count)
    layout.steps = 0
    layout.append(Extent(1), 0)
    layout.measure(count // 2, 9)
    layout.find(layout.total // 2)
    layout.top(count // 2)
    assert layout.steps <= 4 * 18
