"""Which panes are in view at which size (keys.md §10)."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.screens.arrangement import LEFT, RIGHT, SIDE_PANES, SizeClass, arrange, size_class


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (150, 40, SizeClass.WIDE),
        (140, 40, SizeClass.WIDE),
        (139, 40, SizeClass.MIDDLE),
        (120, 36, SizeClass.MIDDLE),
        (100, 36, SizeClass.MIDDLE),
        (99, 36, SizeClass.NARROW),
        (80, 24, SizeClass.NARROW),
        (61, 20, SizeClass.NARROW),
        (60, 20, SizeClass.TINY),
        (59, 20, SizeClass.TINY),
        (150, 19, SizeClass.TINY),
        (40, 12, SizeClass.TINY),
        (39, 40, SizeClass.TOO_SMALL),
        (150, 11, SizeClass.TOO_SMALL),
    ],
)
def test_the_class_of_a_size(width: int, height: int, expected: SizeClass) -> None:
    assert size_class(width, height) is expected


def test_wide_shows_three_columns() -> None:
    assert arrange(150, 40).visible == SIDE_PANES


def test_middle_shows_one_side_column_and_swaps_its_content() -> None:
    assert arrange(120, 36).visible == RIGHT
    swapped = arrange(120, 36, front="agents")
    assert (swapped.visible, swapped.swapped) == (LEFT, True)


@pytest.mark.parametrize("pane", SIDE_PANES)
@pytest.mark.parametrize("size", [(150, 40), (120, 36), (80, 24), (60, 20), (40, 12)])
def test_the_pane_that_the_person_went_to_is_in_view_at_every_size(size: tuple[int, int], pane: str) -> None:
    assert pane in arrange(*size, front=pane, hidden=frozenset(SIDE_PANES)).visible


def test_narrow_lays_one_pane_over_the_chat() -> None:
    plan = arrange(80, 24, front="todo")
    assert (plan.visible, plan.over, plan.header, plan.borders) == (("todo",), "todo", True, True)
    assert arrange(80, 24).over is None


def test_tiny_has_neither_header_nor_borders() -> None:
    plan = arrange(59, 20)
    assert (plan.header, plan.borders) == (False, False)


def test_too_small_shows_no_side_pane_even_where_one_was_in_front() -> None:
    assert arrange(39, 11, front="plan").visible == ()


@pytest.mark.parametrize(("height", "folded"), [(29, True), (30, False)])
@pytest.mark.parametrize("width", [120, 150])
def test_under_thirty_lines_the_plan_folds(width: int, height: int, folded: bool) -> None:
    assert arrange(width, height).folded_plan is folded


def test_zoom_shows_the_pane_alone_or_the_chat_alone() -> None:
    assert arrange(150, 40, front="plan", zoomed=True).visible == ("plan",)
    assert arrange(150, 40, zoomed=True).visible == ()


@given(
    st.integers(1, 300),
    st.integers(1, 100),
    st.none() | st.sampled_from(SIDE_PANES),
    st.booleans(),
    st.frozensets(st.sampled_from(SIDE_PANES)),
)
def test_panes_stand_in_reading_order_and_each_once(
    width: int, height: int, front: str | None, zoomed: bool, hidden: frozenset[str]
) -> None:
    visible = arrange(width, height, front=front, zoomed=zoomed, hidden=hidden).visible
    assert list(visible) == [pane for pane in SIDE_PANES if pane in visible]
