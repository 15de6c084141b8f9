"""Plan review: what each key answers, when answers act, and what is asked before (keys.md §5.1 and §5.4)."""

import pytest
from textual import events
from textual.pilot import Pilot

from decode_core.decisions import PlanReview
from decode_ui.keys.plans import PLAN_REVIEW
from decode_ui.plan_marks import ReviewDraft
from decode_ui.screens.guarded import Aside
from decode_ui.screens.plan_answers import CHOICES, WHILE_EDITING
from dialog_host import UNANSWERED, Host, play
from plan_reviews import EVERY, Review, refine


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("a", PlanReview("approve")),
        ("o", PlanReview("approve_ask")),
        ("r", refine()),
        ("escape", Aside(ReviewDraft(EVERY))),
        ("ctrl+o", Aside(ReviewDraft(EVERY))),
        ("ctrl+c", Aside(ReviewDraft(EVERY))),
    ],
)
def test_each_key_answers_as_its_label_says(key: str, answer: object) -> None:
    assert Review().press(key).result == answer


@pytest.mark.parametrize("key", ["y", "n", "d", "t", "s", "A", "O", "R", "X", "b", "space", "j", "k", "down", "ctrl+t"])
def test_any_other_key_answers_nothing(key: str) -> None:
    assert Review().press(key).result is UNANSWERED


def test_every_action_has_a_button_but_the_second_names_of_look_around() -> None:
    shown = {choice.action.id for choice in CHOICES}
    assert {action.id for action in PLAN_REVIEW} - shown == {"plan.escape", "plan.editor", "plan.leave"}
    assert {choice.action.id for choice in WHILE_EDITING} == {"plan.escape", "plan.editor"}


def test_what_is_typed_while_the_review_opens_answers_nothing_and_reaches_the_draft() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        for key in ("a", "space", "r", "x", "y", "o", "c"):
            await pilot.press(key)
            review.clock.advance(0.2)
        await pilot.press("escape", "ctrl+o", "ctrl+c", "enter", "tab")
        assert app.result is UNANSWERED
        assert review.screen.asked is None
        assert not review.screen.desk.field.display
        assert review.screen.view.ticked == EVERY

    play(review.screen, steps)
    assert "".join(review.typed) == "a rxyoc"


def test_clicks_obey_the_guard() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.click("#plan-approve")
        await pilot.click("#plan", offset=(0, 4))
        assert app.result is UNANSWERED
        assert review.screen.view.ticked == EVERY
        review.clock.advance(1)
        await pilot.click("#plan", offset=(0, 4))
        assert review.screen.view.ticked == EVERY - {1}
        await pilot.click("#plan-approve")
        await pilot.pause()

    assert play(review.screen, steps).result == PlanReview("approve", (2, 3, 4))


@pytest.mark.parametrize("text", ["a", "r", "x\ny"])
def test_a_paste_never_answers(text: str) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        app.post_message(events.Paste(text))
        await pilot.pause()
        assert review.screen.asked is None

    assert play(review.screen, steps).result is UNANSWERED


def test_enter_presses_the_focused_answer() -> None:
    assert Review().press("tab", "tab", "enter").result == PlanReview("approve")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("s", PlanReview("approve", None, "", (("## Goal", "hm"),))),
        ("r", refine("", ("## Goal", "hm"))),
        ("n", UNANSWERED),
        ("escape", UNANSWERED),
        ("enter", UNANSWERED),
        ("a", UNANSWERED),
        ("y", UNANSWERED),
    ],
)
def test_approving_with_unsent_comments_asks_what_to_do_with_them(key: str, answer: object) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "h", "m", "enter", "a")
        await pilot.pause()
        assert "You wrote 1 comment. Approve all the same?" in app.shown
        assert app.focused is not None
        assert app.focused.id == "unsent-cancel"
        await pilot.press(key)
        await pilot.pause()

    assert play(review.screen, steps).result == answer


def test_a_note_alone_is_asked_about_as_well_and_one_by_one_stays_one_by_one() -> None:
    assert Review().press("tab", "h", "m", "enter", "o", "s").result == PlanReview("approve_ask", None, "hm")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("y", PlanReview("reject")),
        ("n", UNANSWERED),
        ("escape", UNANSWERED),
        ("enter", UNANSWERED),
        ("x", UNANSWERED),
        ("a", UNANSWERED),
    ],
)
def test_rejecting_asks_first_and_only_yes_rejects(key: str, answer: object) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("x")
        await pilot.pause()
        assert "Reject this plan? It ends the turn." in app.shown
        assert app.focused is not None
        assert app.focused.id == "confirm-no"
        await pilot.press(key)
        await pilot.pause()

    assert play(review.screen, steps).result == answer


def test_after_a_no_the_answers_are_back() -> None:
    assert Review().press("x", "n", "a").result == PlanReview("approve")
    assert Review().press("x", "escape", "escape").result == Aside(ReviewDraft(EVERY))


def test_clicking_the_plan_leaves_the_small_question() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("x")
        await pilot.click("#plan", offset=(20, 0))
        await pilot.pause()
        assert review.screen.asked is None
        await pilot.press("y")
        assert app.result is UNANSWERED

    play(review.screen, steps)


def test_a_plan_with_nothing_ticked_cannot_be_approved() -> None:
    keys = [key for _ in range(4) for key in ("j", "space")]
    assert Review().press(*keys, "a", "o").result is UNANSWERED
    assert Review().press(*keys, "r").result == PlanReview("refine", ())


def test_a_plan_without_steps_is_approved_as_a_whole() -> None:
    assert Review("").press("a").result == PlanReview("approve")
    assert Review("Just do it.").press("a").result == PlanReview("approve")


@pytest.mark.parametrize(
    ("key", "told"),
    [("y", "no such key here · ? shows more"), ("n", "nothing is looked for · / finds words"), ("j", "line 5 of 13")],
)
def test_a_key_that_does_nothing_says_so_until_the_next_one(key: str, told: str) -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert told in app.shown
        await pilot.press("home")
        await pilot.pause()
        assert "line 1 of 13 · ↑↓ line · j k step" in app.shown

    review.play(steps)
