"""Plan review: the cursor, ticks, comments on lines and the note on the whole plan (keys.md §5.4)."""

import pytest
from textual.pilot import Pilot

from decode_core.decisions import PlanReview
from decode_ui.screens.plan_answers import CHOICES
from dialog_host import UNANSWERED, Host, play
from plan_reviews import Review, refine


def test_space_unticks_the_step_under_the_cursor_and_the_labels_count() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("j", "j", "j", "space")
        await pilot.pause()
        assert "☐ 3  Rename the module  (not approved)" in app.shown
        assert "a approve 3 of 4 → edit" in app.shown
        await pilot.press("a")
        await pilot.pause()

    assert play(review.screen, steps).result == PlanReview("approve", (1, 2, 4))


def test_space_on_a_line_under_a_step_ticks_that_step_and_elsewhere_does_nothing() -> None:
    assert Review().press("j", "j", "down", "space", "a").result == PlanReview("approve", (1, 3, 4))
    assert Review().press("home", "space", "a").result == PlanReview("approve")


def test_ticking_again_approves_all() -> None:
    assert Review().press("j", "space", "space", "a").result == PlanReview("approve")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["down"], 1),
        (["down", "up"], 0),
        (["up"], 0),
        (["j"], 4),
        (["j", "j"], 5),
        (["j", "j", "j"], 7),
        (["j", "j", "k"], 4),
        (["j", "k"], 4),
        (["end"], 12),
        (["end", "home"], 0),
        (["pagedown"], 12),
        (["end", "pageup"], 0),
        (["j"] * 9, 8),
    ],
)
def test_the_cursor_moves_by_lines_pages_and_steps(keys: list[str], line: int) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press(*keys)
        assert review.screen.view.line == line

    play(review.screen, steps)


@pytest.mark.parametrize("key", ["c", "enter"])
def test_a_comment_is_shown_under_its_line_and_sent_with_the_line(key: str) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("j", "j", key, *"keep", "ctrl+j", *"it", "enter")
        await pilot.pause()
        assert "┃ you: keep" in app.shown
        assert app.focused is review.screen.view
        await pilot.press("r")
        await pilot.pause()

    assert play(review.screen, steps).result == refine("", ("2. Use it in the client", "keep\nit"))


def test_letters_in_a_comment_are_text() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "a", "o", "r", "x", "space", "y")
        assert app.result is UNANSWERED
        assert review.screen.desk.field.text == "aorx y"

    play(review.screen, steps)


def test_escape_drops_a_comment_and_c_brings_it_back() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "n", "o", "escape")
        assert review.screen.view.comments == {}
        assert app.result is UNANSWERED
        await pilot.press("c")
        assert review.screen.desk.field.text == "no"
        await pilot.press("enter")
        assert review.screen.view.comments == {0: "no"}

    play(review.screen, steps)


def test_an_emptied_comment_goes_away() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "n", "enter", "c", "backspace", "enter", "a")
        await pilot.pause()

    assert play(review.screen, steps).result == PlanReview("approve")


def test_tab_writes_a_note_on_the_whole_plan() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("tab", *"why", "enter")
        await pilot.pause()
        assert "┃ your note: why" in app.shown
        await pilot.press("r")
        await pilot.pause()

    assert play(review.screen, steps).result == refine("why")


def test_tab_goes_from_the_plan_over_the_note_and_every_answer_back_to_the_plan() -> None:
    review = Review()
    seen: list[str | None] = []

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        for _ in range(len(CHOICES) + 3):
            seen.append(app.focused.id if app.focused else None)
            await pilot.press("tab")

    play(review.screen, steps)
    labels = [choice.action.id.replace(".", "-") for choice in CHOICES]
    assert seen == ["plan", "field", *labels, "plan"]


def test_shift_tab_moves_focus_back_and_does_nothing_else() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("shift+tab")
        assert app.focused is not None
        assert app.focused.id == "plan-keys"
        assert app.result is UNANSWERED

    play(review.screen, steps)
