"""The work screen: chat, prompt and panes. It lays out, sends events down and turns what panes post into acts."""

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from decode_core.events import (
    AgentSelected,
    CatalogReloaded,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ModeChanged,
    NoticeLevel,
    NoticeRaised,
    PlanDecided,
    PlanProposed,
    QuestionKind,
    SteeringTaken,
    TodoChanged,
    ToolCallFinished,
    TurnFinished,
    TurnResumed,
    TurnStarted,
)
from decode_core.permissions.modes import PermissionMode, PermissionOutcome
from decode_core.session import Session
from decode_core.workspace import git_branch
from decode_ui.actions import OUTSIDE_TEXT, WORK, bindings
from decode_ui.bridge import ChatFeed
from decode_ui.chat_entries import first_lines
from decode_ui.clock import Alarm, Clock
from decode_ui.guard import KeyGuard
from decode_ui.pane_sizes import PaneMemory
from decode_ui.panes.agents import AgentsPane
from decode_ui.panes.changed_files import ChangedFilesPane
from decode_ui.panes.list_pane import ListPane
from decode_ui.panes.permissions import PermissionsPane
from decode_ui.panes.plan import PlanPane
from decode_ui.panes.todo import TodoPane
from decode_ui.preferences import Preferences
from decode_ui.screens.arrangement import SIDE_PANES, Arrangement, SizeClass, arrange
from decode_ui.screens.question_desk import QuestionDesk
from decode_ui.screens.trust_desk import TrustDesk
from decode_ui.screens.work_rules import WorkRules
from decode_ui.teaching import STOP_AFTER_S, Lesson, Teacher
from decode_ui.transcript.palette import ASCII, UNICODE
from decode_ui.transcript.view import Transcript
from decode_ui.widgets.completion_list import CompletionList
from decode_ui.widgets.filter_field import FilterField
from decode_ui.widgets.header import Header
from decode_ui.widgets.history_search import HistorySearch
from decode_ui.widgets.jump_strip import JumpStrip
from decode_ui.widgets.mode_footer import FooterState, ModeFooter
from decode_ui.widgets.prompt import Prompt
from decode_ui.widgets.question_bar import QuestionBar
from decode_ui.widgets.settings_bar import SettingsBar
from decode_ui.widgets.toasts import ToastKind, Toasts
from decode_ui.wording import one_line, seconds

TICK_S, CALM_TICK_S = 1.0, 5.0
"""How often the seconds of a turn are told, and how often with reduced motion."""
RUNNING_KEYS = "enter steers · ^N after it · esc stops"
IDLE_KEYS = "enter sends · ^J new line · ? keys"
SHELL_KEYS = "enter runs it as you, unasked · !! tells the model too"
CHAT_KEYS = "enter unfold · c copy · / find · w why"


class WorkScreen(WorkRules):
    """Where a person works all day. `clock` gives seconds that never run backwards."""

    CSS_PATH = "work.tcss"
    BINDINGS = [*bindings(WORK), *bindings(OUTSIDE_TEXT)]
    AUTO_FOCUS = "#prompt"

    def __init__(
        self,
        session: Session,
        guard: KeyGuard,
        clock: Clock,
        preferences: Preferences | None = None,
        teacher: Teacher | None = None,
        memory: PaneMemory | None = None,
    ) -> None:
        super().__init__(session, guard, clock, teacher or Teacher(None), memory or PaneMemory())
        self._preferences = preferences or Preferences()
        self.keymap = self._preferences.keymap
        self.one_column = self._preferences.screen_reader
        self._history: list[str] = []
        self._shown_seq = 0
        self._turns = 0
        self._turn_began = 0.0
        self._turn_ms = 0
        self._ticker: Alarm | None = None
        self._tick_s = CALM_TICK_S if self._preferences.reduced_motion else TICK_S
        self._laid_out: Arrangement | None = None
        self._left_prompt: Prompt | None = None
        """Where the draft stands when the screen is gone; None until the one of the last time was put there."""

    def compose(self) -> ComposeResult:
        """Header, three columns, strip, footer."""
        root = self.session.workspace.root
        yield Header(root.name or str(root), git_branch(root), id="header")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield AgentsPane(id="agents")
                yield ChangedFilesPane(id="changes")
            with Vertical(id="right"):
                yield TodoPane(id="todo")
                yield PlanPane(id="plan")
                yield PermissionsPane(id="permissions")
            with Vertical(id="middle"):
                with Vertical(id="chat-frame", classes="pane"):
                    yield Transcript(signs=ASCII if self._preferences.ascii_signs else UNICODE, id="transcript")
                    with Horizontal(id="find-bar"):
                        yield Static("find ", id="find-sign", markup=False)
                        yield FilterField(id="find-text", placeholder="text · enter next · esc closes")
                yield SettingsBar(id="settings-bar")
                yield QuestionBar(id="question-bar")
                yield Static(id="queue", markup=False)
                yield Toasts(self.clock, id="toasts", stay=self._preferences.screen_reader)
                yield CompletionList(id="completions")
                yield (older := CompletionList(id="older"))
                with Vertical(id="prompt-frame", classes="pane"):
                    yield HistorySearch(older, id="history")
                    with Horizontal(id="prompt-row"):
                        yield Static("›", id="prompt-sign", markup=False)
                        yield Prompt(self._history, self.clock, self._preferences.keymap, id="prompt")
                    yield Static(id="prompt-keys", markup=False)
        yield JumpStrip(id="jump")
        yield ModeFooter(self.keymap, id="footer")

    def on_mount(self) -> None:
        """Fill the panes and follow the session."""
        self.query_one("#chat-frame").border_title = Content("Chat")
        self.query_one("#find-sign").styles.width = 5
        self.feed = ChatFeed(
            self.transcript, self.clock, self._seconds_since_key, by_line=self._preferences.reduced_motion
        )
        self.desk = QuestionDesk(
            self.app,
            self.session,
            self.guard,
            self.clock,
            self.query_one(QuestionBar),
            # `is_current` holds below a dialog as well
            is_home=lambda: self.app.screen is self and not self.jump.display,
            on_typed=self.prompt.type_text,
            on_unsent=self.prompt.remember,
            on_home=self._came_home,
        )
        self.trust_desk = TrustDesk(
            self.app,
            self.session,
            self.guard,
            is_home=lambda: self.app.screen is self,
            on_typed=self.prompt.type_text,
            tell=self.tell,
            report=self.report,
        )
        self.complete_prompt()
        self.begin_agents()
        self.transcript.append(first_lines(offline=self.session.offline, mode=self.session.mode))
        for event in self.session.events:
            self._show(event)
        self._unsubscribe = self.session.subscribe(self.take)
        self.watch(self.transcript, "new_below", self._show_chat_subtitle, init=False)
        self.show_state()
        # after the first frame, and beside everything else: the store may have to be waited for
        self.call_after_refresh(lambda: self.run_worker(self._recall_typed(self.prompt)))
        self.call_after_refresh(lambda: self.run_worker(self.desk.warm_up()))
        if not self.session.trust.counts:
            self.call_after_refresh(lambda: self.run_worker(self.trust_desk.offer(), group="trust"))

    async def _recall_typed(self, prompt: Prompt) -> None:
        await self.recall_typed(prompt)
        self._left_prompt = prompt

    async def on_unmount(self) -> None:
        """Follow the session no more, and keep what was not sent."""
        self._unsubscribe()
        self.finder.stop()
        if self._left_prompt is not None:
            self.drafts.keep_last(self._left_prompt.full_text)
        await self.end_agents()

    @property
    def transcript(self) -> Transcript:
        """The chat."""
        return self.query_one(Transcript)

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.query_one(Prompt)

    @property
    def jump(self) -> JumpStrip:
        """The strip of jump mode."""
        return self.query_one(JumpStrip)

    def take(self, event: EventBase) -> None:
        """Show one event of the session wherever it matters; one that was shown before is passed over."""
        if event.seq > self._shown_seq:
            self._show(event)
            if not self.feed.is_stream(event):
                self.show_state()

    def _show(self, event: EventBase) -> None:
        self._shown_seq = event.seq
        self.feed.take(event)
        if self.feed.is_stream(event):
            return
        self.query_one(PermissionsPane).take(event)
        self.query_one(TodoPane).take(event)
        match event:
            case TurnStarted(prompt=prompt):
                self._turns += 1
                self._turn_began = self.clock()
                if self._turns == 1:
                    self.query_one(Header).show_title(prompt)
                self._ticker = self._ticker or self.clock.after(self._tick_s, self._tick)
            case TurnResumed():
                self._turn_began = self.clock()
                self._ticker = self._ticker or self.clock.after(self._tick_s, self._tick)
            case TurnFinished(undelivered=undelivered, elapsed_ms=elapsed):
                self._turn_ms = elapsed
                self.teacher.withdraw(Lesson.STOP)
                self.feed.flush()
                self.steering.clear()
                if self._ticker is not None:
                    self._ticker.stop()
                    self._ticker = None
                if undelivered:
                    self.prompt.put("\n".join([*undelivered, *filter(None, [self.prompt.full_text])]))
            case SteeringTaken(text=text) if text in self.steering:
                self.steering.remove(text)
            case ToolCallFinished():
                self.query_one(ChangedFilesPane).take(event)
            case TodoChanged(items=items):
                self.query_one(PlanPane).show_plan(self.session.plans.current, items)
                if not self.query_one(TodoPane).is_on_screen:
                    self.teacher.teach(Lesson.JUMP)
            case PlanProposed() | PlanDecided():
                self.query_one(PlanPane).show_plan(self.session.plans.current, self.session.todos)
            case ModeChanged(to_mode=PermissionMode.PLAN):
                self.still_running.plan_entered()
            case AgentSelected() | CatalogReloaded():
                self.follow_agents(event)
            case NoticeRaised(level=NoticeLevel.ERROR, text=text):
                self.query_one(Toasts).add(ToastKind.ERROR, text)
            case DecisionRequested():
                self.modes.abandon()
            case DecisionAnswered(kind=QuestionKind.PERMISSION):
                self.teacher.teach(Lesson.MODE)
            case _:
                pass

    def show_state(self) -> None:
        """Bring footer, queue, bar and subtitle in line with the session."""
        self.query_one(ModeFooter).show(
            FooterState(
                mode=self.session.mode,
                agent=self.session.agent.name,
                model=f"{self.session.model_label}" + (" (no network)" if self.session.offline else ""),
                settling=self.modes.settling,
                running=self.session.running or self.session.lines.running,
                usage=self.session.usage,
                still_running=len(self.still_running.commands),
                sandboxed=self.session.sandbox is not None and self.session.sandbox.is_on,
            )
        )
        waiting = [("read next ", text) for text in self.steering] + [
            ("after it  ", text) for text in self.session.queued
        ]
        waiting += [("with the next prompt  ", f"what `{line}` printed") for line in self.session.lines.for_model]
        self.query_one(SettingsBar).show(self.session.settings)
        queue = self.query_one("#queue", Static)
        queue.display = bool(waiting)
        queue.update(Content("\n").join(Content.assemble((when, "$muted"), one_line(text)) for when, text in waiting))
        keys = self.teacher.line or (RUNNING_KEYS if self.session.running else IDLE_KEYS)
        self.query_one("#prompt-keys", Static).update(Content(SHELL_KEYS if self.prompt.is_shell_line else keys))
        self._show_chat_subtitle()
        self.desk.refresh()

    def on_screen_resume(self) -> None:
        """Whatever lay over the screen is gone: a question that waited for it may open."""
        self.desk.refresh()

    def on_resize(self) -> None:
        """Lay out anew; focus, reading position and draft stay."""
        self.lay_out()
        self.desk.refresh()

    def denied_count(self) -> int:
        """How many calls were denied in this session."""
        return self.query_one(PermissionsPane).count(PermissionOutcome.DENY)

    def lay_out(self) -> None:
        """Show the columns and panes that fit, and what the person went to."""
        plan = arrange(
            self.size.width,
            self.size.height,
            front=self.front,
            zoomed=self.zoomed,
            hidden=self.hidden_panes,
            editing=self.editing,
            one_column=self.one_column,
        )
        self.apply_sizes(plan)
        if plan == self._laid_out:
            return
        self._laid_out = plan
        self.query_one("#header").display = plan.header
        self.query_one("#left").display = plan.left
        self.query_one("#right").display = plan.right
        for pane in SIDE_PANES:
            self.query_one(f"#{pane}").display = pane in plan.visible
        self.query_one("#chat-frame").display = plan.over is None and plan.size is not SizeClass.TOO_SMALL
        for part in self.query("#editor, #checks"):
            part.display = plan.editor
        for bar in self.query("#editor-bar"):
            bar.display = bar.display and plan.editor
        self.set_class(plan.editor, "-editing")
        self.set_class(plan.over is not None, "-over")
        self.set_class(plan.swapped, "-swapped")
        self.set_class(not plan.borders, "-no-borders")
        self.query_one("#plan").set_class(plan.folded_plan, "-folded")
        focused = self.focused
        if focused is not None and not focused.is_on_screen and not isinstance(focused, Input):
            self.prompt.focus()

    def _show_chat_subtitle(self) -> None:
        frame = self.query_one("#chat-frame")
        new = self.transcript.new_below
        if new and not self.transcript.follow:
            text = f"{new} new ↓"
        elif self.transcript.has_focus:
            text = CHAT_KEYS
        elif self.session.running:
            text = f"turn {self._turns} · {seconds(int((self.clock() - self._turn_began) * 1000) // 1000 * 1000)}"
        else:
            text = f"turn {self._turns} · {seconds(self._turn_ms)}" if self._turns else ""
        frame.border_subtitle = Content(text) if text else None

    def _tick(self) -> None:
        self._ticker = None
        if self.session.running:
            self._ticker = self.clock.after(self._tick_s, self._tick)
            self._show_chat_subtitle()
            if self.clock() - self._turn_began >= STOP_AFTER_S:
                self.teacher.teach(Lesson.STOP)
                self.show_state()

    def _came_home(self) -> None:
        self.prompt.focus()
        self.show_state()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The subtitle of the chat names its keys while it has focus."""
        self._show_chat_subtitle()

    @on(SettingsBar.Clicked)
    def _open_broken_settings(self) -> None:
        self.open_settings()

    @on(QuestionBar.Clicked)
    def _open_question(self) -> None:
        self.desk.open()

    @on(ListPane.UnboundLetter)
    def _unbound(self) -> None:
        self.tell("no such key here · ? keys")

    @on(ListPane.CopyRequested)
    @on(Transcript.CopyRequested)
    def _copy(self, event: ListPane.CopyRequested | Transcript.CopyRequested) -> None:
        self.app.copy_to_clipboard(event.text)
        self.tell("copied")

    @on(Transcript.SearchRequested)
    def _search(self) -> None:
        self.action_find()

    @on(Input.Changed, "#find-text")
    def _find_changed(self, event: Input.Changed) -> None:
        self.transcript.find(event.value)

    @on(Input.Submitted, "#find-text")
    def _find_next(self, event: Input.Submitted) -> None:
        event.stop()
        self.transcript.action_find_previous()
