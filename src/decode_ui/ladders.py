"""What one press of Esc or Ctrl+C does: the first line of a ladder that applies (keys.md §6.1 and §6.2). Pure."""

from dataclasses import dataclass
from enum import Enum, auto

TWICE_S = 1.0
"""A second Esc within this time clears the prompt."""
ESC_STOPS_S = 2.0
"""A second Esc within this time stops the turn although a question waits."""
QUIT_S = 2.0
"""A second Ctrl+C within this time quits."""
HELD_S = 0.15
"""Presses closer than this are one held key."""


class EscStep(Enum):
    """What Esc does now."""

    CLOSE_COMPLETION = auto()
    CLOSE_HISTORY = auto()
    CLOSE_SEARCH = auto()
    CLOSE_STRIP = auto()
    UNZOOM = auto()
    CLEAR_FILTER = auto()
    TO_PROMPT = auto()
    TELL_QUESTION = auto()
    STOP = auto()
    DISMISS_TOAST = auto()
    TELL_CLEARS = auto()
    CLEAR = auto()
    NOTHING = auto()


@dataclass(frozen=True)
class EscState:
    """What Esc looks at, in the order of the ladder. `since_last` is the time since the last Esc, in seconds."""

    completion_open: bool = False
    history_open: bool = False
    search_open: bool = False
    strip_open: bool = False
    typing_filter: bool = False
    """A pane's filter takes the keys."""
    zoomed: bool = False
    filtered: bool = False
    """The focused pane shows only some of its rows."""
    swapped: bool = False
    """A side pane stands where the chat or other panes would."""
    in_prompt: bool = True
    question_waits: bool = False
    running: bool = False
    error_shown: bool = False
    has_text: bool = False
    since_last: float = float("inf")
    told_question: bool = False
    """The last Esc said that a question waits."""
    told_clears: bool = False
    """The last Esc said that the next one clears the prompt."""


def esc_step(state: EscState) -> EscStep:
    """One press, one step."""
    if state.completion_open:
        return EscStep.CLOSE_COMPLETION
    if state.history_open:
        return EscStep.CLOSE_HISTORY
    if state.typing_filter:
        return EscStep.CLEAR_FILTER
    if state.search_open:
        return EscStep.CLOSE_SEARCH
    if state.strip_open:
        return EscStep.CLOSE_STRIP
    if state.zoomed:
        return EscStep.UNZOOM
    if state.filtered:
        return EscStep.CLEAR_FILTER
    if state.swapped:
        return EscStep.UNZOOM
    if not state.in_prompt:
        return EscStep.TO_PROMPT
    if state.question_waits and not (state.told_question and state.since_last <= ESC_STOPS_S):
        return EscStep.TELL_QUESTION
    if state.running:
        return EscStep.STOP
    if state.error_shown:
        return EscStep.DISMISS_TOAST
    if state.has_text:
        return EscStep.CLEAR if state.told_clears and state.since_last <= TWICE_S else EscStep.TELL_CLEARS
    return EscStep.NOTHING


class InterruptStep(Enum):
    """What Ctrl+C does now."""

    COPY = auto()
    KEEP_DRAFT = auto()
    STOP = auto()
    TELL_QUITS = auto()
    QUIT = auto()
    HELD = auto()


@dataclass(frozen=True)
class InterruptState:
    """What Ctrl+C looks at. `since_last`: seconds since the last press; `since_told`: since it said "again to quit"."""

    has_selection: bool = False
    has_text: bool = False
    running: bool = False
    since_last: float = float("inf")
    since_told: float = float("inf")


def interrupt_step(state: InterruptState) -> InterruptStep:
    """One press, one step; a held key never gets past its first one."""
    if state.since_last < HELD_S:
        return InterruptStep.HELD
    if state.has_selection:
        return InterruptStep.COPY
    if state.has_text:
        return InterruptStep.KEEP_DRAFT
    if state.running:
        return InterruptStep.STOP
    return InterruptStep.QUIT if state.since_told <= QUIT_S else InterruptStep.TELL_QUITS
