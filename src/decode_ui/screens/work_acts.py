"""What a person can do on the work screen: modes, ladders of Esc and Ctrl+C, jumping, commands."""

import os
from abc import abstractmethod
from collections.abc import Callable

from textual import on
from textual.widgets import Input, TextArea
from textual.widgets.text_area import Selection

from decode_core.events import NoticeLevel
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionMode
from decode_core.session import ModelError, Session, TurnRunning
from decode_core.shell_lines import ShellLineError
from decode_ui import slash
from decode_ui.clock import Alarm, Clock
from decode_ui.external_editor import EditorError, edit_text
from decode_ui.guard import KeyGuard
from decode_ui.ladders import EscState, EscStep, InterruptState, InterruptStep, esc_step, interrupt_step
from decode_ui.mode_switch import ModeSurface, ModeSwitch
from decode_ui.pane_sizes import PaneMemory
from decode_ui.panes.list_pane import ListPane
from decode_ui.screens import choices
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.picker import Item, PickerScreen
from decode_ui.screens.work_sessions import WorkSessions
from decode_ui.teaching import Lesson, Teacher
from decode_ui.transcript.entry import NoticeEntry
from decode_ui.widgets.mode_footer import ModeFooter
from decode_ui.widgets.prompt import Prompt
from decode_ui.widgets.toasts import Toasts

SAID_S = 3.0
"""How long something said in passing stays in the footer."""


class WorkActs(WorkSessions, inherit_bindings=False):
    """The acts of the work screen; `WorkScreen` shows what they change."""

    def __init__(self, session: Session, guard: KeyGuard, clock: Clock, teacher: Teacher, memory: PaneMemory) -> None:
        super().__init__(session, guard, clock, teacher, memory)
        self._escaped = self._interrupted = self._told_quit = float("-inf")
        """When Esc and Ctrl+C were pressed last, and when Ctrl+C said that the next one quits."""
        self._last_esc = EscStep.NOTHING
        self._said: Alarm | None = None
        self.steering: list[str] = []
        """What was said during the turn and the model has not read yet."""
        surface = ModeSurface(
            lambda: session.open_question is not None, self._confirm_bypass, self.tell, self.show_state
        )
        self.modes = ModeSwitch(session, clock, surface)

    # -- prompts and commands

    def send(self, text: str, *, is_typed: bool) -> None:
        """Run a command, steer the running turn, or start one."""
        command = slash.parse(text) if is_typed else None
        if is_typed and text.startswith("!"):
            self._run_line(text)
        elif command is not None and command.command is None:
            self.prompt.put(text, is_typed=True)
            self.report(command.problem)
        elif command is not None and command.command is not None:
            self.run_command(command.command.name, command.argument)
        else:
            try:
                if self.session.running:
                    self.session.steer(text)
                    self.steering.append(text)
                else:
                    self.session.submit(text)
            except TurnRunning as error:
                self.prompt.put(text)
                self.report(str(error))
        self.transcript.action_scroll_end()
        self.show_state()

    def _run_line(self, text: str) -> None:
        """Run a line in the person's shell; `!!` tells the model what it prints."""
        for_model = text.startswith("!!")
        command = text.lstrip("!").strip()
        try:
            if command:
                self.session.lines.run(command, for_model=for_model)
            else:
                self.tell("what should run? such as ! make test")
        except ShellLineError as error:
            self.prompt.put(text, is_typed=True)
            self.report(str(error))

    def run_command(self, name: str, argument: str = "") -> None:
        """Run a slash command by its name."""
        match name:
            case "agent":
                self._choose_or(
                    argument,
                    "Agent",
                    choices.agent_items(self.session.catalog),
                    self.session.agent.name,
                    self.select_agent,
                )
            case "mode":
                self._choose_or(argument, "Mode", choices.mode_items(), self.session.mode.value, self.select_mode)
            case "model":
                items = choices.model_items(self.session.configured_models)
                self._choose_or(argument, "Model", items, self.session.model_label, self.select_model)
            case "plan":
                self.ask_for_plan(argument)
            case "theme":
                self.choose_theme(argument)
            case "todo" | "permissions":
                self.go_to(name)
            case "diff":
                self.go_to("changes")
            case "export":
                self.run_worker(self.export_session(argument), group="export")
            case "sessions":
                self.choose_session()
            case "resume" if argument:
                self.go_to_session(argument)
            case "resume":
                self.choose_session()
            case "fork":
                self.fork_session()
            case "cost":
                self.show_cost()
            case "notices":
                self.show_notices()
            case "doctor":
                self.run_worker(self.show_doctor(), group="doctor")
            case "find":
                self.action_find()
                self.query_one("#find-text", Input).value = argument
            case "editor":
                self.action_editor()
            case "settings":
                self.open_settings(is_project=argument.strip() == "project")
            case "trust":
                self.run_worker(self.trust_desk.open(), group="trust")
            case "quit":
                self.app.exit(0)
            case "keys":
                self.teacher.reset()
                self.show_keys()
            case _:
                self.action_help()

    @abstractmethod
    def select_agent(self, name: str) -> None:
        """Make an agent the active one."""

    def select_model(self, name: str) -> None:
        """Let another model answer."""
        try:
            self.session.select_model(name)
        except ModelError as error:
            self.report(str(error))

    def select_mode(self, name: str) -> None:
        """Set a mode by its name; bypass asks the first time."""
        try:
            mode = PermissionMode.parse(name)
        except ValueError as error:
            self.report(str(error))
            return
        self.modes.choose(mode)

    def _choose_or(
        self, argument: str, title: str, items: list[Item], current: str, take: Callable[[str], None]
    ) -> None:
        if argument:
            take(argument)
        else:
            self.app.push_screen(PickerScreen(title, items, current=current), lambda key: take(key) if key else None)

    # -- modes (keys.md §2)

    @on(ModeFooter.ChipClicked)
    def _choose_mode(self) -> None:
        """A click on the chip lists the modes; it never cycles, since a double click must not loosen."""
        self.run_command("mode")

    @on(ModeFooter.KeyClicked)
    async def _footer_key(self, event: ModeFooter.KeyClicked) -> None:
        await self.run_action(event.does)

    def action_cycle_mode(self) -> None:
        """One step of Shift+Tab."""
        self.teacher.used(Lesson.MODE)
        self.modes.step()

    def _confirm_bypass(self, then: Callable[[bool], None]) -> None:
        detail = "Only deny and ask rules still hold. No or Esc leaves bypass out."
        dialog = ConfirmScreen("Let everything run without asking (bypass)?", detail)
        self.app.push_screen(dialog, lambda answer: then(answer is Confirmation.YES))

    # -- ladders (keys.md §6)

    async def action_escape(self) -> None:
        """One press, one step of the ladder."""
        since, last = self.clock() - self._escaped, self._last_esc
        self._escaped = self.clock()
        pane = self.focused if isinstance(self.focused, ListPane) else None
        state = EscState(
            completion_open=self.completion_open,
            history_open=self.history_open,
            search_open=bool(self.query_one("#find-bar").display),
            strip_open=bool(self.jump.display),
            typing_filter=pane is not None and pane.is_typing_filter,
            filtered=pane is not None and pane.is_filtered,
            zoomed=self.zoomed,
            swapped=self.front is not None,
            in_prompt=self.focused is self.prompt,
            question_waits=self.desk.waits,
            running=self.session.running or self.session.lines.running,
            error_shown=self.query_one(Toasts).waits,
            has_text=bool(self.prompt.text),
            since_last=since,
            told_question=last is EscStep.TELL_QUESTION,
            told_clears=last is EscStep.TELL_CLEARS,
        )
        self._last_esc = esc_step(state)
        match self._last_esc:
            case EscStep.CLOSE_COMPLETION:
                self.close_completion()
            case EscStep.CLOSE_HISTORY:
                self.close_history()
            case EscStep.CLOSE_SEARCH:
                self._close_find()
            case EscStep.CLOSE_STRIP:
                self._jump_to("escape")
            case EscStep.UNZOOM:
                self.zoomed, self.front = False, None
                self.lay_out()
                self.prompt.focus()
            case EscStep.CLEAR_FILTER if pane is not None:
                pane.clear_filter()
            case EscStep.TO_PROMPT:
                self.prompt.focus()
            case EscStep.TELL_QUESTION:
                self.tell("a question waits · enter opens it · esc again stops")
            case EscStep.STOP:
                self.teacher.used(Lesson.STOP)
                self._stop_turn()
            case EscStep.DISMISS_TOAST:
                self.query_one(Toasts).dismiss()
            case EscStep.TELL_CLEARS:
                self.tell("esc again clears")
            case EscStep.CLEAR:
                self.prompt.take()
            case _:
                pass

    def action_interrupt(self) -> None:
        """Ctrl+C: copy, clear, stop, and at last quit; a held key cannot quit."""
        now = self.clock()
        selected = self._selected_text()
        state = InterruptState(
            has_selection=bool(selected),
            has_text=bool(self.prompt.text),
            running=self.session.running or self.session.lines.running,
            since_last=now - self._interrupted,
            since_told=now - self._told_quit,
        )
        self._interrupted = now
        match interrupt_step(state):
            case InterruptStep.COPY:
                self.app.copy_to_clipboard(selected)
                self._forget_selection()
                self.tell("copied")
            case InterruptStep.KEEP_DRAFT:
                self.prompt.take()
            case InterruptStep.STOP:
                self._stop_turn()
            case InterruptStep.TELL_QUITS | InterruptStep.QUIT as step:
                self._quit_step(step)
            case InterruptStep.HELD:
                pass

    @on(Prompt.LeaveRequested)
    def _leave(self) -> None:
        """Ctrl+D goes by the last lines of the same ladder; it stops no turn."""
        now = self.clock()
        state = InterruptState(since_last=now - self._interrupted, since_told=now - self._told_quit)
        self._interrupted = now
        self._quit_step(interrupt_step(state))

    def _quit_step(self, step: InterruptStep) -> None:
        if step is InterruptStep.TELL_QUITS:
            self._told_quit = self.clock()
            self.tell("again to quit")
        elif step is InterruptStep.QUIT:
            self.quit()

    def quit(self) -> None:
        """Leave decode."""
        self.app.exit(0)

    def _stop_turn(self) -> None:
        if self.session.lines.running:
            # the person's own line is nearer than the turn behind it
            self.session.lines.cancel()
            return
        self.tell("stopping…")
        self.run_worker(self.session.cancel(), exit_on_error=False, group="stop")

    def _forget_selection(self) -> None:
        """The next Ctrl+C does what it does without a selection."""
        if isinstance(self.focused, TextArea):
            self.focused.selection = Selection.cursor(self.focused.cursor_location)
        self.clear_selection()

    def _selected_text(self) -> str:
        focused = self.focused
        if isinstance(focused, TextArea) and focused.selected_text:
            return focused.selected_text
        return self.get_selected_text() or ""

    # -- search, help, palette, editor

    def action_find(self) -> None:
        """Search the conversation."""
        self.front = None
        self.lay_out()
        self.query_one("#find-bar").display = True
        self.query_one("#find-text", Input).focus()

    def _close_find(self) -> None:
        self.query_one("#find-bar").display = False
        self.transcript.find("")
        self.prompt.focus()

    def action_help(self) -> None:
        """Keys of what has focus, everywhere, and the words of the gate."""
        items = choices.help_items(self._place, self.keymap)
        self.app.push_screen(PickerScreen("Keys", items, hint="type to filter · esc closes"), self._run_item)

    def show_keys(self) -> None:
        """Every key there is, and what the terminal sends for one."""
        from decode_ui.screens.key_probe import KeyProbeScreen

        items = choices.keys_items(self.keymap)

        def chosen(key: str | None) -> None:
            if key == choices.PROBE:
                self.app.push_screen(KeyProbeScreen(self.keymap))

        self.app.push_screen(
            PickerScreen("All keys", items, hint="settings: keys · type to filter · esc closes"), chosen
        )

    def action_palette(self) -> None:
        """Every action and command."""
        items = choices.palette_items(self.keymap, self._place)
        self.app.push_screen(PickerScreen("Commands", items), self._run_item)

    @property
    def _place(self) -> str:
        """The id of what has focus."""
        return self.focused.id if self.focused is not None and self.focused.id else "prompt"

    async def _run_item(self, key: str | None) -> None:
        kind, _, name = (key or "").partition(" ")
        if kind == "action":
            await self.run_action(name)
        elif kind == "here" and self.focused is not None:
            await self.focused.run_action(name)
        elif kind == "slash":
            self.run_command(name)
        elif kind == "mode":
            self.select_mode(name)

    def action_redraw(self) -> None:
        """Repaint everything."""
        self.app.refresh(layout=True)

    def action_editor(self) -> None:
        """The prompt in $VISUAL or $EDITOR, started by argv, without a shell."""
        try:
            text = edit_text(self.prompt.full_text, self.app.suspend(), os.environ)
            self.prompt.put(text, is_typed=self.prompt.lead_typed)
        except EditorError as error:
            self.report(str(error))

    def tell(self, text: str) -> None:
        """Say something in passing."""
        footer = self.query_one(ModeFooter)
        footer.flash(neutralise_line(text))
        if self._said is not None:
            self._said.stop()
        self._said = self.clock.after(SAID_S, lambda: footer.flash(""))

    def report(self, sentence: str) -> None:
        """Say in the chat what could not be done, where it stays to be read."""
        self.transcript.append(NoticeEntry(NoticeLevel.WARNING, sentence))

    def _seconds_since_key(self) -> float:
        return self.guard.seconds_since_key()
