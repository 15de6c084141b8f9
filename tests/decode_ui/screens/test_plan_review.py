"""Plan review: every key, ticks, comments, the note, and the ways out (plan-mode.md §3, keys.md §5.4)."""

import pytest
from textual import events
from textual.pilot import Pilot

from decode_core.decisions import PlanReview, Question
from decode_core.events import Plan, QuestionKind
from decode_core.tools.plan_text import plan_steps
from decode_ui.actions import PLAN_REVIEW
from decode_ui.guard import KeyGuard
from decode_ui.screens.guarded import Aside
from decode_ui.screens.plan_review import CHOICES, PlanReviewScreen, ReviewDraft
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Clock, Host, play

TEXT = """## Goal
Retries are a setting.

## Steps
1. Add `retries` to Settings
2. Use it in the client
   - keep the back-off
3. Rename the module
4. Tests

## Risk
None.
"""
STEP_2_LINE, DETAIL_LINE = 5, 6
EVERY = frozenset({1, 2, 3, 4})

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


class Review:
    """One dialog with its clock."""

    def __init__(
        self, text: str = TEXT, title: str = "retries", waiting: int = 1, draft: ReviewDraft | None = None
    ) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        plan = Plan(version=2, title=title, text=text, steps=plan_steps(text))
        question = Question("q1", QuestionKind.PLAN_REVIEW, {"plan": plan.model_dump(mode="json")})
        self.screen = PlanReviewScreen(question, waiting, KeyGuard(self.clock), on_typed=self.typed.append, draft=draft)

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.screen, steps, size)


def refine(note: str = "", *comments: tuple[str, str]) -> PlanReview:
    return PlanReview("refine", None, note, comments)


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
    assert {action.id for action in PLAN_REVIEW} - shown == {"plan.escape", "plan.leave"}


def test_what_is_typed_while_the_review_opens_answers_nothing_and_reaches_the_draft() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        for key in ("a", "space", "r", "x", "y", "o", "c"):
            await pilot.press(key)
            review.clock.advance(0.2)
        await pilot.press("escape", "ctrl+o", "ctrl+c", "enter", "tab")
        assert app.result is UNANSWERED
        assert review.screen.asked is None
        assert not review.screen.field.display
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


def test_a_plan_with_nothing_ticked_cannot_be_approved() -> None:
    keys = [key for _ in range(4) for key in ("j", "space")]
    assert Review().press(*keys, "a", "o").result is UNANSWERED
    assert Review().press(*keys, "r").result == refine()


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
        assert review.screen.field.text == "aorx y"

    play(review.screen, steps)


def test_escape_drops_a_comment_and_c_brings_it_back() -> None:
    review = Review()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        review.clock.advance(1)
        await pilot.press("c", "n", "o", "escape")
        assert review.screen.view.comments == {}
        assert app.result is UNANSWERED
        await pilot.press("c")
        assert review.screen.field.text == "no"
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
        assert app.focused.id == "plan-aside"
        assert app.result is UNANSWERED

    play(review.screen, steps)


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
        review.screen.field.select_all()
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


def test_a_plan_without_steps_is_approved_as_a_whole() -> None:
    assert Review("").press("a").result == PlanReview("approve")
    assert Review("Just do it.").press("a").result == PlanReview("approve")


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
