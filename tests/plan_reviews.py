"""One plan review with its clock, for the tests of the dialog."""

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from decode_core.decisions import PlanReview, Question
from decode_core.events import Plan, PlanComment, QuestionKind
from decode_core.plan_mode.history import PlanHistory, PlanVersion
from decode_core.tools.plan_text import plan_steps
from decode_ui.guard import KeyGuard
from decode_ui.plan_marks import ReviewDraft
from decode_ui.screens.plan_review import PlanReviewScreen
from dialog_host import Clock, Host, play

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


class Review:
    """A review of `text` as version 2, with the versions before it in `history`."""

    def __init__(
        self,
        text: str = TEXT,
        title: str = "retries",
        waiting: int = 1,
        draft: ReviewDraft | None = None,
        history: PlanHistory | None = None,
    ) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        plan = Plan(version=2, title=title, text=text, steps=plan_steps(text))
        question = Question("q1", QuestionKind.PLAN_REVIEW, {"plan": plan.model_dump(mode="json")})
        guard = KeyGuard(self.clock)
        self.screen = PlanReviewScreen(
            question, waiting, guard, on_typed=self.typed.append, draft=draft, history=history
        )

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            await pilot.press(*keys)
            await pilot.pause()

        return self.play(steps, size)

    def play(self, steps: Callable[[Host, Pilot[None]], Awaitable[None]], size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `steps`, which begin with the guard live."""

        async def live(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await steps(app, pilot)

        return play(self.screen, live, size)


def version(number: int, text: str, answer: str = "", note: str = "", *comments: tuple[str, str]) -> PlanVersion:
    """A version of a plan and what became of it."""
    said = tuple(PlanComment(quoted=quoted, text=text) for quoted, text in comments)
    return PlanVersion(Plan(version=number, title="retries", text=text, steps=plan_steps(text)), answer, note, said)


def refine(note: str = "", *comments: tuple[str, str]) -> PlanReview:
    """The plan goes back as it was proposed, with every step ticked."""
    return PlanReview("refine", None, note, comments)
