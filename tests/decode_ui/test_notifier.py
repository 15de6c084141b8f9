"""Notifications: once per question, only to somebody who looks elsewhere, and only in fixed words."""

import pytest

from decode_core.settings.schema import Notifications
from decode_ui.notifier import Notifier


def notifier(place: str = "repo", notifications: Notifications = Notifications.OSC) -> tuple[Notifier, list[str]]:
    written: list[str] = []
    return Notifier(place, written.append, notifications), written


def bells(written: list[str]) -> int:
    return sum(text.count("\x1b]9;") for text in written)


def test_a_question_is_told_once_while_the_terminal_lacks_the_focus() -> None:
    it, written = notifier()
    it.focus_changed(focused=False)
    it.question_waits("q1", 0)
    it.question_waits("q1", 0)
    assert bells(written) == 1
    it.question_waits("q2", 0)
    assert bells(written) == 2


def test_nobody_is_disturbed_who_looks() -> None:
    it, written = notifier()
    it.focus_changed(focused=True)
    it.question_waits("q1", 100)
    it.turn_ended(60, 100)
    assert bells(written) == 0


@pytest.mark.parametrize(("since_key", "told"), [(5, 0), (25, 1)])
def test_without_focus_reports_the_keyboard_tells(since_key: float, told: int) -> None:
    it, written = notifier()
    it.question_waits("q1", since_key)
    assert bells(written) == told


@pytest.mark.parametrize(("seconds", "told"), [(9, 0), (11, 1)])
def test_only_long_turns_are_told(seconds: float, told: int) -> None:
    it, written = notifier()
    it.focus_changed(focused=False)
    it.turn_ended(seconds, 0)
    assert bells(written) == told


def test_the_title_says_that_a_question_waits_and_is_written_only_when_it_changes() -> None:
    it, written = notifier()
    it.nothing_waits()
    it.nothing_waits()
    it.question_waits("q1", 0)
    it.nothing_waits()
    assert written == ["\x1b]2;decode · repo\x1b\\", "\x1b]2;? decode · repo\x1b\\", "\x1b]2;decode · repo\x1b\\"]


def test_a_hostile_folder_name_cannot_write_sequences() -> None:
    it, written = notifier("a\x1b]52;c;eA==\x07b\u202ec\n")
    it.nothing_waits()
    assert written[0].count("\x1b") == 2
    assert "\x07" not in written[0]
    assert "\u202e" not in written[0]


@pytest.mark.parametrize(
    ("notifications", "rings", "words"),
    [(Notifications.OSC, 1, 1), (Notifications.BELL, 1, 0), (Notifications.OFF, 0, 0)],
)
def test_the_setting_says_how_loudly_and_the_title_is_kept_in_any_case(
    notifications: Notifications, rings: int, words: int
) -> None:
    it, written = notifier(notifications=notifications)
    it.focus_changed(focused=False)
    it.question_waits("q1", 0)
    assert (sum(text.count("\a") for text in written), bells(written)) == (rings, words)
    assert any("? decode · repo" in text for text in written)
