"""The plan pane: title, version, progress, and the steps with what became of them."""

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.events import Plan, TodoItem, TodoStatus
from decode_core.neutral import neutralise_line
from decode_ui.actions import bindings
from decode_ui.panes.list_pane import ListPane, Row
from decode_ui.plan_keys import PLAN_PANE

BAR_CELLS = 15


class PlanPane(ListPane):
    """The latest version of the plan."""

    TITLE = "Plan"
    EMPTY = "/plan asks for one"
    KEYS = "enter open"
    BINDINGS = bindings(PLAN_PANE)

    class OpenRequested(Message):
        """The person wants to read the whole plan."""

    def show_plan(self, plan: Plan | None, todos: tuple[TodoItem, ...]) -> None:
        """Show a plan; to-do items that name a step tell how far it is."""
        if plan is None:
            self.show_rows(())
            return
        state = _state(plan)
        head = Content.assemble((neutralise_line(plan.title), "bold"), "  ", (f"v{plan.version} {state}", "$muted"))
        rows = [Row("title", head, plan.title)]
        if plan.approved:
            rows.append(Row("bar", _bar(plan, todos)))
        rows.extend(_step(plan, number, todos) for number in (step.number for step in plan.steps))
        self.show_rows(rows)

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the whole plan."""
        self.post_message(self.OpenRequested())


def _state(plan: Plan) -> str:
    if plan.approved is None:
        return "waits for you"
    return (
        "approved" if len(plan.approved) == len(plan.steps) else f"{len(plan.approved)} of {len(plan.steps)} approved"
    )


def _bar(plan: Plan, todos: tuple[TodoItem, ...]) -> Content:
    approved = plan.approved or ()
    done = sum(_is_done(number, todos) for number in approved)
    filled = BAR_CELLS * done // max(len(approved), 1)
    return Content.assemble(
        ("▰" * filled, "$success"), ("▱" * (BAR_CELLS - filled), "$muted"), f" {done} of {len(approved)}"
    )


def _step(plan: Plan, number: int, todos: tuple[TodoItem, ...]) -> Row:
    step = next(step for step in plan.steps if step.number == number)
    text = neutralise_line(step.text).replace("`", "").replace("**", "")
    if plan.approved is not None and number not in plan.approved:
        return Row(f"s{number}", Content.assemble(("– ", "$muted"), (f"{number} {text}", "$muted strike")), text)
    if _is_done(number, todos):
        return Row(f"s{number}", Content.assemble(("✓ ", "$success"), f"{number} {text}"), text)
    if any(item.step == number and item.status is TodoStatus.IN_PROGRESS for item in todos):
        return Row(f"s{number}", Content.assemble(("▸ ", "$primary"), (f"{number} {text}", "bold")), text)
    return Row(f"s{number}", Content.assemble(("○ ", "$muted"), f"{number} {text}"), text)


def _is_done(number: int, todos: tuple[TodoItem, ...]) -> bool:
    mine = [item for item in todos if item.step == number]
    return bool(mine) and all(item.status is TodoStatus.COMPLETED for item in mine)
