"""Plan review: set aside, resized, very long, hostile; nothing that was begun is lost (keys.md §5.5, §10, §11)."""

from typing import Any

import pytest
from textual.pilot import Pilot

from decode_core.decisions import PlanReview
from decode_ui.plan_marks import ReviewDraft
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.answers import AnswerLabel
from decode_ui.widgets.plan_rows import PlanRow, PlanText
from dialog_host import UNANSWERED, Host, play
from plan_reviews import EVERY, STEP_2_LINE, Review

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20), (40, 12)])
def test_title_plan_and_answers_are_on_the_screen(size: tuple[int, int]) -> None:
    review = Review(waiting=3)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        shown = app.shown
        for words in ("Plan · retries · version 2", "1 of 3", "Goal", "Retries are a setting."):
            assert words in shown
        for words in ("a approve → edit", "r send back", "x reject…", "^O look around"):
            assert words in shown
        box = review.screen.box.content_region
        for label in review.screen.query(AnswerLabel):
            assert not label.region or box.contains_region(label.region)
        if size[1] > 12:
            assert "☑ 1  Add retries to Settings" in shown

    play(review.screen, steps, size)


def test_a_review_that_is_set_aside_goes_on_where_it_was() -> None:
    aside = Review().press("j", "space", "j", "c", "h", "m", "enter", "tab", "w", "h", "y", "ctrl+o").result
    assert isinstance(aside, Aside)
    draft = aside.draft
    assert draft == ReviewDraft(EVERY - {1}, ((STEP_2_LINE, "hm"),), "why", STEP_2_LINE)
    assert Review(draft=draft).press("space", "a", "s").result == PlanReview(
        "approve", (3, 4), "why", (("2. Use it in the client", "hm"),)
    )


def test_a_comment_that_is_being_written_is_kept_when_the_review_is_set_aside() -> None:
    aside = Review().press("down", "c", "h", "m", "ctrl+o").result
    assert aside == Aside(ReviewDraft(EVERY, ((1, "hm"),), "", 1))


def test_ctrl_c_copies_selected_text_instead_of_leaving() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "h", "m")
        review.screen.desk.field.select_all()
        await pilot.press("ctrl+c")
        assert app.result is UNANSWERED
        assert app.copied == ["hm"]

    play(review.screen, steps)


def test_a_long_plan_opens_with_no_widget_for_a_line_and_keeps_the_cursor_in_view() -> None:
    review = Review("## Steps\n" + "\n".join(f"{number}. Step {number}" for number in range(1, 601)))

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert len(list(review.screen.query("*"))) < 60
        review.clock.advance(1)
        await pilot.press("end")
        await pilot.pause()
        assert "600  Step 600" in app.shown
        await pilot.press("home")
        await pilot.pause()
        assert "1  Step 1" in app.shown

    play(review.screen, steps, (80, 24))


def test_a_resize_keeps_cursor_ticks_comment_and_field() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("j", "space", "j", "c", "h")
        await pilot.resize_terminal(80, 24)
        await pilot.press("m", "enter")
        assert review.screen.draft == ReviewDraft(EVERY - {1}, ((STEP_2_LINE, "hm"),), "", STEP_2_LINE)
        await pilot.resize_terminal(39, 24)
        await pilot.pause()

    result = play(review.screen, steps).result
    assert result == Aside(ReviewDraft(EVERY - {1}, ((STEP_2_LINE, "hm"),), "", STEP_2_LINE))


def test_hostile_text_in_plan_title_comment_and_note_is_shown_as_signs() -> None:
    text = f"## {HOSTILE}\n## Steps\n1. {HOSTILE}\n   `{HOSTILE}`\n```\n{HOSTILE}\n```\n{HOSTILE}"
    draft = ReviewDraft(frozenset(), ((2, HOSTILE),), HOSTILE, 2)
    review = Review(text, title=HOSTILE, draft=draft)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c")
        await pilot.pause()
        shown = app.shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert shown.count(SAFE) >= 8

    assert play(review.screen, steps).return_code is None


def test_of_600_lines_only_those_on_the_screen_are_made_at_opening_moving_ticking_and_commenting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counted, not timed: a plan of any length costs a screenful."""
    made: list[int] = []
    rows = PlanText.rows

    def counted(self: PlanText, number: int, *more: Any) -> list[PlanRow]:
        made.append(number)
        return rows(self, number, *more)

    monkeypatch.setattr(PlanText, "rows", counted)
    text = "## Steps\n" + "\n".join(f"{number}. Change `module_{number}`, then test it" for number in range(1, 601))
    review = Review(text)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        height = review.screen.view.size.height
        assert 0 < len(made) <= 2 * height  # twice: the scrollbar takes a column

        async def cost(*keys: str) -> int:
            made.clear()
            await pilot.press(*keys)
            await pilot.pause()
            return len(made)

        assert await cost("down") == 0
        assert await cost("pagedown") <= height
        assert await cost("end") <= height
        assert await cost("space") <= 2
        assert await cost("c", "h", "m", "enter") <= height
        assert await cost("slash", "4", "2", "enter") <= 3 * height
        assert (review.screen.view.text.plan.steps[-1].number, tuple(review.screen.view.comments)) == (600, (600,))

    review.play(steps)
