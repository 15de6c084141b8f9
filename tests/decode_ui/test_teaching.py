"""A key is taught where it matters, goes away once it was used, and is never taught again (keys.md §12.3)."""

from pathlib import Path

import pytest

from decode_core.events import DecisionAnswered, QuestionKind, TodoChanged, TodoItem, TodoStatus
from decode_ui.screens.work import IDLE_KEYS, RUNNING_KEYS
from decode_ui.teaching import LINES, Lesson, Teacher
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

TODO = TodoChanged(items=(TodoItem(id="1", content="look", status=TodoStatus.PENDING),))


def test_a_lesson_is_shown_until_its_key_was_used_and_then_never_again(tmp_path: Path) -> None:
    file = tmp_path / "state" / "taught.json"
    teacher = Teacher(file)
    teacher.teach(Lesson.MODE)
    assert teacher.line == LINES[Lesson.MODE]
    teacher.used(Lesson.MODE)
    assert teacher.line == ""
    for later in (teacher, Teacher(file)):
        later.teach(Lesson.MODE)
        assert later.line == ""
    teacher.reset()
    again = Teacher(file)
    again.teach(Lesson.MODE)
    assert again.line == LINES[Lesson.MODE]


def test_a_lesson_whose_moment_has_passed_comes_again(tmp_path: Path) -> None:
    teacher = Teacher(tmp_path / "taught.json")
    teacher.teach(Lesson.STOP)
    teacher.withdraw(Lesson.STOP)
    assert teacher.line == ""
    teacher.teach(Lesson.STOP)
    assert teacher.line == LINES[Lesson.STOP]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"3", b'{"mode.cycle": 1}', b'[["mode.cycle"], null]'])
def test_a_damaged_file_teaches_everything(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "taught.json"
    file.write_bytes(content)
    teacher = Teacher(file)
    teacher.teach(Lesson.JUMP)
    assert teacher.line == LINES[Lesson.JUMP]


def test_a_file_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    teacher = Teacher(tmp_path / "state" / "taught.json")
    teacher.used(Lesson.MODE)
    teacher.teach(Lesson.MODE)
    assert teacher.line == ""


def test_shift_tab_is_taught_when_the_first_question_was_answered(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.idle()
        assert LINES[Lesson.MODE] not in bench.screen
        session.emit(DecisionAnswered(id="q1", kind=QuestionKind.PERMISSION, call_id="c1", answer="denied"))
        session.finish()
        await bench.idle()
        assert LINES[Lesson.MODE] in bench.screen
        await bench.press("shift+tab")
        assert LINES[Lesson.MODE] not in bench.screen
        assert IDLE_KEYS in bench.screen

    run(steps, tmp_path)


def test_esc_is_taught_in_a_turn_that_takes_long(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.idle()
        assert RUNNING_KEYS in bench.screen
        await bench.advance(5.0)
        assert LINES[Lesson.STOP] in bench.screen
        await bench.press("escape")
        assert session.cancels == 1
        assert LINES[Lesson.STOP] not in bench.screen

    run(steps, tmp_path)


@pytest.mark.parametrize(("size", "taught"), [((80, 24), True), ((150, 40), False)])
def test_jumping_is_taught_when_a_folded_pane_has_news(tmp_path: Path, size: tuple[int, int], taught: bool) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.emit(TODO)
        await bench.idle()
        assert (LINES[Lesson.JUMP] in bench.screen) is taught
        await bench.press("ctrl+o", "t")
        assert LINES[Lesson.JUMP] not in bench.screen
        assert "look" in bench.screen

    run(steps, tmp_path, size)


def test_keys_teaches_everything_anew(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("shift+tab")
        await bench.send("/keys")
        await bench.press("escape")
        bench.work.teacher.teach(Lesson.MODE)
        bench.work.show_state()
        await bench.idle()
        assert LINES[Lesson.MODE] in bench.screen

    run(steps, tmp_path)
