"""Plan review: the plan is edited in place and in $EDITOR, searched, and compared with its versions (keys.md §5.4)."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from decode_core.decisions import PlanReview
from decode_core.plan_mode.history import PlanHistory
from decode_ui.plan_marks import ReviewDraft
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.plan_desk import Writing
from dialog_host import UNANSWERED, Host
from plan_reviews import EVERY, STEP_2_LINE, TEXT, Review, refine, version

OLD = TEXT.replace("4. Tests\n", "").replace("2. Use it in the client", "2. Make the back-off configurable")
HISTORY = PlanHistory((version(1, OLD, "refine", "smaller", ("2. Make the back-off", "no")), version(2, TEXT)))
EDITED = TEXT.replace("3. Rename the module", "3. Rename it")


def test_e_edits_in_place_esc_leaves_the_text_is_kept_and_the_answer_carries_it() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("j", "j", "e")
        assert app.focused is review.screen.desk.editor
        assert "done, keep the text" in app.shown
        assert review.screen.desk.editor.cursor_location == (STEP_2_LINE, 0)
        await pilot.press("end", *" now", "a", "r", "escape")
        assert app.result is UNANSWERED
        assert "version 2 · edited by you" in app.shown
        await pilot.press("a")
        await pilot.pause()

    text = TEXT.replace("in the client", "in the client nowar")
    assert review.play(steps).result == PlanReview("approve", text=text)


def test_steps_are_read_anew_ticks_and_comments_go_with_their_lines() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("j", "j", "j", "space", "j", "c", "h", "m", "enter")
        await pilot.press("home", "e", *"New line", "enter", "escape")
        await pilot.pause()
        assert "☐ 3  Rename the module  (not approved)" in app.shown
        await pilot.press("r")
        await pilot.pause()

    result = review.play(steps).result
    assert result == PlanReview("refine", (1, 2, 4), "", (("4. Tests", "hm"),), f"New line\n{TEXT}")


@pytest.mark.parametrize("keys", [["e", "escape"], ["e", "x", "backspace", "escape"], ["e", "escape", "e", "escape"]])
def test_a_text_that_is_as_it_was_is_no_edit(keys: list[str]) -> None:
    assert Review().press(*keys, "r").result == refine()


def test_the_whole_plan_deleted_is_the_proposed_plan_again() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("e")
        review.screen.desk.editor.clear()
        await pilot.press("escape", "a")
        await pilot.pause()

    assert review.play(steps).result == PlanReview("approve")


def test_a_review_set_aside_while_the_plan_is_edited_keeps_the_text() -> None:
    aside = Review().press("e", *"X", "ctrl+o").result
    assert aside == Aside(ReviewDraft(EVERY, (), "", 0, "X" + TEXT))
    assert isinstance(aside, Aside)
    assert Review(draft=aside.draft).press("a").result == PlanReview("approve", text="X" + TEXT)


def test_tab_is_text_in_the_editor_and_a_paste_is_inert() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("e", "tab")
        app.post_message(events.Paste("\x1b[31m"))
        await pilot.pause()
        assert review.screen.desk.editor.text.startswith("  ␛[31m## Goal")
        assert review.screen.desk.writing is Writing.PLAN

    review.play(steps)


def test_invisible_characters_are_signs_in_the_editor_and_stay_what_they_are_when_nothing_is_edited() -> None:
    text = "## Steps\n1. a\u202eb"
    review = Review(text)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await pilot.pause()
        assert "<U+202E>" in app.shown
        await pilot.press("escape", "a")
        await pilot.pause()

    assert review.play(steps).result == PlanReview("approve")


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An editor that puts what stands in a file of ours into the one it is given."""
    wanted = tmp_path / "wanted"
    program = tmp_path / "editor"
    program.write_text(f'#!/bin/sh\ncat "{wanted}" > "$1"\n')
    program.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(program))
    monkeypatch.setattr(Host, "suspend", lambda self: nullcontext())
    return wanted


@pytest.mark.parametrize("keys", [["ctrl+g"], ["e", "ctrl+g"]])
def test_ctrl_g_edits_the_plan_in_the_persons_editor(editor: Path, keys: list[str]) -> None:
    editor.write_text(EDITED)
    assert Review().press(*keys, "a").result == PlanReview("approve", text=EDITED.rstrip("\n"))


def test_ctrl_g_edits_the_comment_that_is_being_written(editor: Path) -> None:
    editor.write_text("two\nlines\n")
    assert Review().press("c", "h", "ctrl+g", "enter", "r").result == refine("", ("## Goal", "two\nlines"))


def test_without_an_editor_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+g")
        await pilot.pause()
        assert "There is no editor; set VISUAL or EDITOR." in app.shown
        await pilot.press("down")
        await pilot.pause()
        assert "There is no editor" not in app.shown

    assert review.play(steps).result is UNANSWERED


def test_words_are_found_shown_counted_and_stepped_through() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        view = review.screen.view
        await pilot.press("slash", *"ST")
        await pilot.pause()
        assert (view.line, "1 of 2" in app.shown) == (3, True)  # Steps, Tests
        await pilot.press("down")
        assert view.line == 8
        await pilot.press("enter", "n")
        await pilot.pause()
        assert (view.line, app.focused) == (3, view)
        await pilot.press("N")
        assert view.line == 8
        await pilot.press("escape")
        await pilot.pause()
        assert (review.screen.desk.page.is_finding, app.result) == (False, UNANSWERED)
        await pilot.press("escape")
        await pilot.pause()

    assert isinstance(review.play(steps).result, Aside)


def test_what_stands_nowhere_is_said_and_letters_typed_there_answer_nothing() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("slash", *"arox")
        await pilot.pause()
        assert "nothing found" in app.shown
        await pilot.press("escape", "n")
        assert review.screen.view.line == 0

    assert review.play(steps).result is UNANSWERED


def test_a_second_version_says_what_changed_since_the_first() -> None:
    review = Review(history=HISTORY)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        since = review.screen.query_one("#since", Static)
        assert "since version 1:  + steps 2, 4   − “Make the back-off configurable”" in app.shown
        assert since.display

    review.play(steps)


def test_v_shows_the_difference_with_what_was_said_and_esc_returns_to_the_review() -> None:
    review = Review(history=HISTORY)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("j", "v")
        await pilot.pause()
        assert app.screen.query_one("#versions").display
        for words in ("version 1 → version 2", "┃ your note: smaller", "┃ you: no", "− 2. Make the", "+ 4. Tests"):
            assert words in app.shown
        await pilot.press("a", "r", "x", "y", "space")
        assert app.result is UNANSWERED
        await pilot.press("escape")
        await pilot.pause()
        assert review.screen is app.screen
        assert review.screen.view.line == 4

    review.play(steps)


def test_an_edit_can_be_compared_with_the_version_it_began_from() -> None:
    review = Review(history=HISTORY)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("e", *"More ", "escape", "v")
        await pilot.pause()
        assert "version 2 → your edit · +1 −1" in app.shown

    review.play(steps)


def test_one_version_alone_is_said_to_be_the_only_one() -> None:
    review = Review(history=PlanHistory((version(2, TEXT),)))

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("v")
        await pilot.pause()
        assert "there is one version only" in app.shown
        assert not review.screen.query("#since")

    review.play(steps)


def test_a_question_that_is_settled_elsewhere_closes_the_comparison_above_it_as_well() -> None:
    review = Review(history=HISTORY)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press("v")
        review.screen.withdraw()
        await pilot.pause()
        await pilot.pause()
        assert app.result is None
        assert app.screen is app.screen_stack[0]

    review.play(steps)
