"""The plan pane: version and state, progress, and the steps with what became of them."""

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.events import Plan, TodoItem
from decode_core.neutral import neutralise_line
from decode_core.plan_mode.history import PlanVersion
from decode_core.plan_mode.progress import StepState, step_state, steps_done
from decode_ui.actions import bindings
from decode_ui.keys.plans import PLAN_PANE
from decode_ui.panes.list_pane import ListPane, Row
from decode_ui.wording import ANSWERS

BAR_CELLS = 15

SIGNS = {
    StepState.REFUSED: ("–", "$muted", "$muted strike"),
    StepState.OPEN: ("○", "$muted", ""),
    StepState.RUNNING: ("▸", "$primary", "bold"),
    StepState.DONE: ("✓", "$success", ""),
    StepState.DROPPED: ("✗", "$muted", "$muted strike"),
}
"""Sign, its colour and the style of the text, by state."""


class PlanPane(ListPane):
    """The latest version of the plan."""

    TITLE = "Plan"
    EMPTY = "/plan asks for one"
    KEYS = "enter open · v versions"
    BINDINGS = bindings(PLAN_PANE)

    class OpenRequested(Message):
        """The person wants to read the whole plan, or to review the one that waits."""

    class VersionsRequested(Message):
        """The person wants to see what changed between versions."""

    class DelegateRequested(Message):
        """The person wants to hand the plan over as a Deep Work Plan."""

    _state = ""

    @property
    def title_text(self) -> str:
        """What the frame says on top, with version and state."""
        return f"{self.TITLE} · {self._state}" if self._state else self.TITLE

    def show_plan(self, version: PlanVersion | None, todos: tuple[TodoItem, ...]) -> None:
        """Show a version of the plan; to-do items that name a step tell how far it is."""
        self._state = "" if version is None else f"v{version.plan.version} {state_words(version)}"
        self.show_title()
        if version is None:
            self.show_rows(())
            return
        plan = version.plan
        title = neutralise_line(plan.title) or "without a title"
        rows = [Row("title", Content.styled(title, "bold"), plan.title)]
        if plan.approved:
            rows.append(Row("bar", _bar(plan, todos)))
        rows.extend(_step(plan, step.number, step.text, todos) for step in plan.steps)
        self.show_rows(rows)
        running = (step.number for step in plan.steps if step_state(plan, step.number, todos) is StepState.RUNNING)
        if not self.has_focus and (current := next(running, None)) is not None:
            # brought into view, and no cursor is left behind
            self.highlight_row(f"s{current}")
            self.highlighted = None

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the whole plan."""
        self.post_message(self.OpenRequested())

    def action_versions(self) -> None:
        """Compare versions."""
        self.post_message(self.VersionsRequested())

    def action_delegate(self) -> None:
        """Hand the plan over."""
        self.post_message(self.DelegateRequested())


def state_words(version: PlanVersion) -> str:
    """What became of a version, in a few words."""
    plan = version.plan
    if not version.answer:
        return "not decided"
    if plan.approved is None or len(plan.approved) == len(plan.steps):
        return ANSWERS.get(version.answer, version.answer).partition(",")[0]
    return f"{len(plan.approved)} of {len(plan.steps)} approved"


def _bar(plan: Plan, todos: tuple[TodoItem, ...]) -> Content:
    total, done = len(plan.approved or ()), steps_done(plan, todos)
    filled = BAR_CELLS * done // max(total, 1)
    return Content.assemble(("▰" * filled, "$success"), ("▱" * (BAR_CELLS - filled), "$muted"), f" {done} of {total}")


def _step(plan: Plan, number: int, step: str, todos: tuple[TodoItem, ...]) -> Row:
    text = neutralise_line(step).replace("`", "").replace("**", "")
    sign, colour, style = SIGNS[step_state(plan, number, todos)]
    return Row(f"s{number}", Content.assemble((sign, colour), " ", (f"{number} {text}", style)), text)
