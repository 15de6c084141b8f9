"""Esc and Ctrl+C line by line (keys.md §6.1 and §6.2)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_ui.ladders import (
    EscState,
    EscStep,
    InterruptState,
    InterruptStep,
    esc_step,
    interrupt_step,
)

EVERYTHING = EscState(
    completion_open=True,
    history_open=True,
    typing_filter=True,
    search_open=True,
    strip_open=True,
    zoomed=True,
    filtered=True,
    swapped=True,
    in_prompt=False,
    question_waits=True,
    running=True,
    has_text=True,
)


def test_esc_takes_one_step_a_press_from_the_nearest_thing_to_the_turn() -> None:
    state = EVERYTHING
    steps = []
    for undone in (
        "completion_open",
        "history_open",
        "typing_filter",
        "search_open",
        "strip_open",
        "zoomed",
        "filtered",
        "swapped",
    ):
        steps.append(esc_step(state))
        state = replace(state, **{undone: False})
    steps.append(esc_step(state))
    state = replace(state, in_prompt=True)
    steps.append(esc_step(state))
    state = replace(state, told_question=True, since_last=0.5)
    steps.append(esc_step(state))
    assert steps == [
        EscStep.CLOSE_COMPLETION,
        EscStep.CLOSE_HISTORY,
        EscStep.CLEAR_FILTER,
        EscStep.CLOSE_SEARCH,
        EscStep.CLOSE_STRIP,
        EscStep.UNZOOM,
        EscStep.CLEAR_FILTER,
        EscStep.UNZOOM,
        EscStep.TO_PROMPT,
        EscStep.TELL_QUESTION,
        EscStep.STOP,
    ]


@pytest.mark.parametrize(
    ("state", "step"),
    [
        ({"running": True, "has_text": True, "error_shown": True}, EscStep.STOP),
        ({"error_shown": True, "has_text": True}, EscStep.DISMISS_TOAST),
        ({"has_text": True}, EscStep.TELL_CLEARS),
        ({"has_text": True, "told_clears": True, "since_last": 0.9}, EscStep.CLEAR),
        ({"has_text": True, "told_clears": True, "since_last": 1.1}, EscStep.TELL_CLEARS),
        ({"has_text": True, "since_last": 0.1}, EscStep.TELL_CLEARS),
        ({}, EscStep.NOTHING),
        ({"question_waits": True, "running": True, "told_question": True, "since_last": 3.0}, EscStep.TELL_QUESTION),
        ({"question_waits": True, "running": True, "told_question": False, "since_last": 0.1}, EscStep.TELL_QUESTION),
    ],
)
def test_esc_in_the_prompt(state: dict[str, Any], step: EscStep) -> None:
    assert esc_step(EscState(**state)) is step


@given(
    st.builds(
        EscState,
        in_prompt=st.just(True),
        question_waits=st.just(True),
        running=st.booleans(),
        has_text=st.booleans(),
        since_last=st.floats(0, 10),
        told_question=st.just(False),
    )
)
def test_esc_never_stops_a_turn_over_a_question_that_was_not_mentioned(state: EscState) -> None:
    assert esc_step(state) is not EscStep.STOP


@pytest.mark.parametrize(
    ("state", "step"),
    [
        ({"has_selection": True, "has_text": True, "running": True}, InterruptStep.COPY),
        ({"has_text": True, "running": True}, InterruptStep.KEEP_DRAFT),
        ({"running": True}, InterruptStep.STOP),
        ({}, InterruptStep.TELL_QUITS),
        ({"since_last": 1.0, "since_told": 1.0}, InterruptStep.QUIT),
        ({"since_last": 2.5, "since_told": 2.5}, InterruptStep.TELL_QUITS),
    ],
)
def test_ctrl_c(state: dict[str, Any], step: InterruptStep) -> None:
    assert interrupt_step(InterruptState(**state)) is step


@given(
    st.builds(
        InterruptState,
        has_selection=st.booleans(),
        has_text=st.booleans(),
        running=st.booleans(),
        since_last=st.floats(0, 0.149),
        since_told=st.floats(0, 2),
    )
)
def test_a_held_ctrl_c_does_nothing_more(state: InterruptState) -> None:
    assert interrupt_step(state) is InterruptStep.HELD
