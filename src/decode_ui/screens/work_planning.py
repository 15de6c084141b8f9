"""What the work screen does with plans: `/plan`, the plan pane's wishes, and what still runs when plan is entered."""

from collections.abc import Callable

from textual import on

from decode_core.events import QuestionKind
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from decode_ui.clock import Clock
from decode_ui.guard import KeyGuard
from decode_ui.mode_switch import ANSWER_FIRST
from decode_ui.pane_sizes import PaneMemory
from decode_ui.panes.plan import PlanPane
from decode_ui.panes.todo import TodoPane
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.work_readers import WorkReaders
from decode_ui.still_running import StillRunning
from decode_ui.teaching import Teacher


class WorkPlanning(WorkReaders, inherit_bindings=False):
    """Plans on the work screen."""

    def __init__(self, session: Session, guard: KeyGuard, clock: Clock, teacher: Teacher, memory: PaneMemory) -> None:
        super().__init__(session, guard, clock, teacher, memory)
        self.still_running = StillRunning(
            session, guard, clock, is_home=lambda: self.app.screen is self, ask=self._ask_to_stop
        )

    def ask_for_plan(self, goal: str) -> None:
        """`/plan [goal]`: go to plan mode; with a goal, ask for a plan. A review that waits is opened."""
        question = self.session.open_question
        if question is not None:
            if goal:
                self.prompt.put(f"/plan {goal}", is_typed=True)
                self.tell(ANSWER_FIRST)
            elif question.kind is QuestionKind.PLAN_REVIEW:
                self.desk.open()
            else:
                self.tell(ANSWER_FIRST)
            return
        before = self.session.mode_before_plan
        if self.session.mode is not PermissionMode.PLAN:
            self.modes.choose(PermissionMode.PLAN)
        elif not goal:
            self.tell(f"plan mode is on · /mode {before or PermissionMode.DEFAULT} leaves it")
        if goal:
            self.send(f"plan: {goal}", is_typed=False)

    @on(TodoPane.PlaceRequested)
    def _show_place(self, event: TodoPane.PlaceRequested) -> None:
        self.go_to("chat")
        if not self.transcript.go_to_call(event.call_id):
            self.tell("not in this chat")

    @on(PlanPane.OpenRequested)
    def _open_plan(self) -> None:
        question, version = self.session.open_question, self.session.plans.current
        if question is not None and question.kind is QuestionKind.PLAN_REVIEW:
            self.desk.open()
        elif version is not None:
            from decode_ui.screens.plan_reader import PlanReaderScreen

            self.app.push_screen(PlanReaderScreen(version, self.session.plans, self.session.workspace.root))

    @on(PlanPane.VersionsRequested)
    def _open_versions(self) -> None:
        from decode_ui.screens.plan_versions import PlanVersionsScreen, editions

        compared = editions(self.session.plans)
        if len(compared) < 2:
            self.tell("there is one version only" if compared else "no plan yet · /plan asks for one")
        else:
            self.app.push_screen(PlanVersionsScreen(compared))

    @on(PlanPane.DelegateRequested)
    def _delegate_plan(self) -> None:
        version = self.session.plans.current
        if version is None:
            self.tell("no plan yet · /plan asks for one")
            return
        from decode_ui.screens.work_plan import WorkPlanScreen

        self.app.push_screen(WorkPlanScreen.of_plan(self.session.workspace.root, version.plan))

    def _ask_to_stop(self, question: str, detail: str, then: Callable[[bool], None]) -> None:
        dialog = ConfirmScreen(question, detail, yes="stop", no="let it end")
        self.app.push_screen(dialog, lambda answer: then(answer is Confirmation.YES))
