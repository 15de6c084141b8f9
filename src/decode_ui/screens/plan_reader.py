"""A plan that was decided, on the whole screen: what was approved, what was said on it, and how to find words in it."""

from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from decode_core.neutral import neutralise, neutralise_line
from decode_core.plan_mode.history import PlanHistory, PlanVersion
from decode_ui.actions import bindings
from decode_ui.keys.plans import PLAN_READER
from decode_ui.panes.plan import state_words
from decode_ui.screens.plan_answers import ROOMY
from decode_ui.widgets.plan_page import PlanPage
from decode_ui.widgets.plan_rows import BAR
from decode_ui.widgets.plan_view import PlanView

KEYS = "j k step · / find · v versions · w work plan · c copy · esc closes"


class PlanReaderScreen(ModalScreen[None], inherit_bindings=False):
    """Shows one version; nothing can be changed here."""

    CSS_PATH = "plan_reader.tcss"
    BINDINGS = bindings(PLAN_READER)
    ESCAPE_TO_MINIMIZE = False
    AUTO_FOCUS = "#plan"

    def __init__(self, version: PlanVersion, history: PlanHistory, root: Path) -> None:
        """`root` is the workspace in which the plan can be handed over."""
        super().__init__()
        self._root = root
        self._version = version
        self._history = history

    def compose(self) -> ComposeResult:
        """The plan with its ticks and comments, and the note on it."""
        plan = self._version.plan
        every = frozenset(step.number for step in plan.steps)
        ticked = every if plan.approved is None else frozenset(plan.approved)
        with Vertical(id="frame"):
            yield PlanPage(PlanView(plan, ticked, self._comments(), id="plan"), id="page")
            if self._version.note:
                yield Static(Content(f"{BAR} your note: {neutralise(self._version.note)}"), id="note", markup=False)

    def on_mount(self) -> None:
        """Title and keys."""
        plan = self._version.plan
        title = neutralise_line(plan.title)
        words = ["Plan", *([title] if title else []), f"version {plan.version}", state_words(self._version)]
        self.query_one("#frame").border_title = Content(" · ".join(words))
        self.tell(KEYS)

    def on_resize(self, event: events.Resize) -> None:
        """Small screens are filled."""
        self.set_class(event.size.height < ROOMY, "-full")

    @property
    def page(self) -> PlanPage:
        """The plan and what is looked for in it."""
        return self.query_one(PlanPage)

    def tell(self, text: str) -> None:
        """Put a text into the frame."""
        self.query_one("#frame").border_subtitle = Content(text)

    def action_close(self) -> None:
        """Close; first what is looked for."""
        if self.page.is_finding:
            self.page.close_find()
        elif self.is_current:
            self.dismiss(None)

    def action_move_cursor(self, way: str) -> None:
        """Move the cursor in the plan."""
        self.page.move(way)

    def action_find(self) -> None:
        """Find words in the plan."""
        self.page.open_find()

    def action_find_next(self, way: str) -> None:
        """On to the next line with the words."""
        self.page.find_next(way)

    def action_copy_plan(self) -> None:
        """Copy the plan's text."""
        self.app.copy_to_clipboard(neutralise(self._version.plan.text))
        self.tell("copied")

    def action_versions(self) -> None:
        """What changed between two versions."""
        from decode_ui.screens.plan_versions import PlanVersionsScreen, editions

        compared = editions(self._history)
        if len(compared) < 2:
            self.tell("there is one version only")
        else:
            self.app.push_screen(PlanVersionsScreen(compared))

    def action_delegate(self) -> None:
        """Hand the approved steps over as a Deep Work Plan."""
        from decode_ui.screens.work_plan import WorkPlanScreen

        self.app.push_screen(WorkPlanScreen.of_plan(self._root, self._version.plan))

    def _comments(self) -> dict[int, str]:
        """The comments by line: each stands under the first line that reads as it was quoted and has none yet."""
        lines = [line.strip() for line in self._version.plan.text.split("\n")]
        placed: dict[int, str] = {}
        for comment in self._version.comments:
            line = next((n for n, text in enumerate(lines) if text == comment.quoted and n not in placed), None)
            if line is not None:
                placed[line] = comment.text
        return placed
