"""The guard of keys.md §5.1: what was typed or clicked for something else never answers a question."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.guard import KeyGuard


class Clock:
    """A clock that moves only by hand; whole milliseconds, as floating-point sums would blur the limits."""

    def __init__(self) -> None:
        self.ms = 10_000

    def __call__(self) -> float:
        return self.ms / 1000

    def advance(self, ms: int) -> None:
        self.ms += ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_question_may_open_when_no_key_was_ever_pressed(clock: Clock) -> None:
    assert KeyGuard(clock).may_open()


@pytest.mark.parametrize(("since_key", "may_open"), [(0, False), (699, False), (701, True), (60_000, True)])
def test_a_question_opens_only_after_700_ms_without_a_key(clock: Clock, since_key: int, may_open: bool) -> None:
    guard = KeyGuard(clock)
    guard.key_pressed()
    clock.advance(since_key)
    assert guard.may_open() is may_open
    assert (guard.seconds_until_open() == 0) is may_open


@pytest.mark.parametrize(("since_opening", "live"), [(0, False), (299, False), (301, True), (60_000, True)])
def test_answers_come_alive_300_ms_after_the_question_opened(clock: Clock, since_opening: int, live: bool) -> None:
    guard = KeyGuard(clock)
    guard.opened()
    clock.advance(since_opening)
    assert guard.answers_live() is live
    assert guard.clicks_live() is live


def test_every_key_in_the_guard_time_starts_it_again(clock: Clock) -> None:
    guard = KeyGuard(clock)
    guard.opened()
    for _ in range(20):
        clock.advance(250)
        guard.key_pressed()
        assert not guard.answers_live()
    clock.advance(301)
    assert guard.answers_live()


def test_once_live_keys_do_not_make_answers_dead_again(clock: Clock) -> None:
    guard = KeyGuard(clock)
    guard.opened()
    clock.advance(400)
    guard.key_pressed()
    assert guard.answers_live()
    guard.key_pressed()
    assert guard.answers_live()


def test_the_next_question_of_a_queue_starts_dead(clock: Clock) -> None:
    guard = KeyGuard(clock)
    guard.opened()
    clock.advance(400)
    assert guard.answers_live()
    guard.key_pressed()
    guard.opened()
    assert not guard.answers_live()


def test_nothing_answers_before_a_question_was_opened(clock: Clock) -> None:
    guard = KeyGuard(clock)
    clock.advance(10_000)
    assert not guard.answers_live()
    assert not guard.clicks_live()


@pytest.mark.parametrize(("since_focus", "live"), [(0, False), (199, False), (201, True)])
def test_a_click_right_after_the_terminal_regained_focus_is_ignored(clock: Clock, since_focus: int, live: bool) -> None:
    guard = KeyGuard(clock)
    guard.opened()
    clock.advance(1_000)
    guard.focus_regained()
    clock.advance(since_focus)
    assert guard.answers_live()
    assert guard.clicks_live() is live


@pytest.mark.parametrize("scale", [1.0, 2.5, 5.0])
def test_the_times_can_be_lengthened(clock: Clock, scale: float) -> None:
    guard = KeyGuard(clock, scale)
    guard.key_pressed()
    clock.advance(int(700 * scale) - 1)
    assert not guard.may_open()
    clock.advance(2)
    assert guard.may_open()
    guard.opened()
    clock.advance(int(300 * scale) - 1)
    assert not guard.answers_live()
    clock.advance(2)
    assert guard.answers_live()


@pytest.mark.parametrize("scale", [0.0, 0.99, 5.01, -1.0, float("nan")])
def test_the_times_can_be_neither_shortened_nor_lengthened_without_end(scale: float) -> None:
    with pytest.raises(ValueError, match="factor from 1 to 5"):
        KeyGuard(scale=scale)


@given(st.lists(st.integers(min_value=0, max_value=299), max_size=60))
def test_whoever_types_without_a_pause_never_answers(gaps: list[int]) -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    guard.opened()
    for gap in gaps:
        clock.advance(gap)
        guard.key_pressed()
        assert not guard.answers_live()


@given(st.lists(st.integers(min_value=0, max_value=2_000), max_size=40), st.booleans())
def test_a_key_that_is_reported_twice_changes_nothing(gaps: list[int], ask_between: bool) -> None:
    clock = Clock()
    once, twice = KeyGuard(clock), KeyGuard(clock)
    once.opened()
    twice.opened()
    for gap in gaps:
        clock.advance(gap)
        once.key_pressed()
        twice.key_pressed()
        if ask_between:
            twice.answers_live()
        twice.key_pressed()
        assert once.answers_live() == twice.answers_live()
        assert once.may_open() == twice.may_open()


@given(st.integers(min_value=0, max_value=5_000), st.integers(min_value=0, max_value=5_000))
def test_waiting_as_long_as_told_is_enough(before: int, after: int) -> None:
    clock = Clock()
    guard = KeyGuard(clock)
    clock.advance(before)
    guard.opened()
    guard.key_pressed()
    clock.advance(after)
    clock.advance(round(guard.seconds_until_live() * 1000) + 1)
    assert guard.answers_live()
