"""What a person can do on the work screen: modes, ladders of Esc and Ctrl+C, jumping, commands."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, TextArea

from decode_core.events import EventBase, ModeCause
from decode_core.permissions.modes import PermissionMode
from decode_core.session import ModelError, Session, TurnRunning, UnknownAgent
from decode_ui import slash
from decode_ui.bridge import ChatFeed
from decode_ui.guard import KeyGuard
from decode_ui.mode_steps import SETTLE_S, ModeSteps, Step
from decode_ui.question_desk import QuestionDesk
from decode_ui.screens import choices
from decode_ui.screens.arrangement import LEFT, SIDE_PANES, SizeClass, size_class
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.picker import Item, PickerScreen
from decode_ui.widgets.jump_strip import JumpStrip, Target

if TYPE_CHECKING:
    from decode_ui.transcript.view import Transcript
    from decode_ui.widgets.prompt import Prompt

DOUBLE_PRESS_S = 1.0
"""Two presses of Esc within this time count as a pair."""
QUIT_S = 2.0
"""A second Ctrl+C within this time quits."""
HELD_S = 0.15
"""Presses closer than this are one held key."""

JUMPS = {"i": "prompt", "c": "chat", "a": "agents", "f": "changes", "t": "todo", "p": "plan", "l": "permissions"}
"""Letters of jump mode, stable for ever."""
NAMES = {"changes": "changed files", "todo": "to-do", "permissions": "log"}


class WorkActs(Screen[None], inherit_bindings=False):
    """The acts of the work screen; `WorkScreen` shows what they change."""

    feed: ChatFeed
    desk: QuestionDesk

    def __init__(self, session: Session, guard: KeyGuard, clock: Callable[[], float]) -> None:
        super().__init__()
        self.session = session
        self.guard = guard
        self.clock = clock
        self.steps = ModeSteps()
        self.front: str | None = None
        """The side pane that the person went to last, None for the chat."""
        self.zoomed = False
        self.hidden_panes: set[str] = set()
        self._previous: Widget | None = None
        self._settle_timer: Timer | None = None
        self._pressed: dict[str, float] = {}

    # -- what WorkScreen provides

    @property
    def transcript(self) -> "Transcript":
        """The chat."""
        raise NotImplementedError

    @property
    def prompt(self) -> "Prompt":
        """The prompt."""
        raise NotImplementedError

    @property
    def jump(self) -> JumpStrip:
        """The strip of jump mode."""
        raise NotImplementedError

    def lay_out(self) -> None:
        """Show what fits."""
        raise NotImplementedError

    def show_state(self) -> None:
        """Bring the lines around the panes in line with the session."""
        raise NotImplementedError

    def take(self, event: EventBase) -> None:
        """Show an event."""
        raise NotImplementedError

    # -- prompts and commands

    def send(self, text: str, *, is_typed: bool) -> None:
        """Run a command, steer the running turn, or start one."""
        command = slash.parse(text) if is_typed else None
        if command is not None and command.command is None:
            self.prompt.put(text)
            self.tell(command.problem)
        elif command is not None and command.command is not None:
            self.run_command(command.command.name, command.argument)
        else:
            try:
                if self.session.running:
                    self.session.steer(text)
                    self.tell("will be read next")
                else:
                    self.session.submit(text)
            except TurnRunning as error:
                self.prompt.put(text)
                self.tell(str(error))
        self.transcript.action_scroll_end()
        self.show_state()

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
                self.set_mode(PermissionMode.PLAN, ModeCause.COMMAND)
                if argument:
                    self.send(f"plan: {argument}", is_typed=False)
            case "todo" | "permissions":
                self.go_to(name)
            case "find":
                self.action_find()
                self.query_one("#find-text", Input).value = argument
            case "editor":
                self.action_editor()
            case "quit":
                self.app.exit(0)
            case _:
                self.action_help()

    def select_agent(self, name: str) -> None:
        """Make an agent the active one."""
        try:
            self.session.select_agent(name)
        except UnknownAgent as error:
            self.tell(str(error))

    def select_model(self, name: str) -> None:
        """Let another model answer."""
        try:
            self.session.select_model(name)
        except ModelError as error:
            self.tell(str(error))

    def select_mode(self, name: str) -> None:
        """Set a mode by its name; bypass asks the first time."""
        try:
            mode = PermissionMode.parse(name)
        except ValueError as error:
            self.tell(str(error))
            return
        if mode is PermissionMode.BYPASS and not self.steps.bypass_confirmed:
            self._confirm_bypass()
        else:
            self.set_mode(mode, ModeCause.COMMAND)

    def _choose_or(
        self, argument: str, title: str, items: list[Item], current: str, take: Callable[[str], None]
    ) -> None:
        if argument:
            take(argument)
        else:
            self.app.push_screen(PickerScreen(title, items, current=current), lambda key: take(key) if key else None)

    # -- modes (keys.md §2)

    def action_cycle_mode(self) -> None:
        """One step of Shift+Tab."""
        if self.desk.waits:
            self.tell("answer the waiting question first: ^O q")
            return
        wanted = self.steps.next_mode(self.session.mode)
        match self.steps.judge(self.session.mode, wanted, running=self.session.running):
            case Step.CONFIRM_BYPASS:
                self._confirm_bypass()
            case Step.SETTLE:
                self.steps = self.steps.settle(wanted)
                self._restart_settling()
            case Step.HOLD_NOW:
                self.set_mode(wanted, ModeCause.KEY)
        self.show_state()

    def set_mode(self, mode: PermissionMode, cause: ModeCause) -> None:
        """Set a mode at once."""
        if self._settle_timer is not None:
            self._settle_timer.stop()
            self._settle_timer = None
        self.steps = self.steps.settled()
        self.session.set_mode(mode, cause)
        self.show_state()

    def _restart_settling(self) -> None:
        if self._settle_timer is not None:
            self._settle_timer.stop()
        self._settle_timer = self.set_timer(SETTLE_S, self._settled)

    def _settled(self) -> None:
        if self.steps.settling is not None:
            self.set_mode(self.steps.settling, ModeCause.KEY)

    def _confirm_bypass(self) -> None:
        def answered(answer: Confirmation | None) -> None:
            if answer is Confirmation.YES:
                self.steps = self.steps.confirmed()
                self.set_mode(PermissionMode.BYPASS, ModeCause.KEY)
            else:
                self.set_mode(PermissionMode.DEFAULT, ModeCause.KEY)

        detail = "Only deny and ask rules still hold. No or Esc goes on to mode default."
        self.app.push_screen(ConfirmScreen("Let everything run without asking?", detail), answered)

    # -- ladders (keys.md §6)

    async def action_escape(self) -> None:
        """One press, one step back; at the end it stops the turn."""
        if self.query_one("#find-bar").display:
            self._close_find()
        elif self.zoomed or self.front is not None:
            self.zoomed, self.front = False, None
            self.lay_out()
            self.prompt.focus()
        elif self.focused is not self.prompt:
            self.prompt.focus()
        elif self.desk.waits and not self._is_second("esc question"):
            self.tell("a question waits · enter opens it · esc again stops")
        elif self.session.running:
            self.tell("stopping…")
            self.run_worker(self.session.cancel(), exit_on_error=False)
        elif self.prompt.text:
            if self._is_second("esc clear"):
                self.prompt.take()
            else:
                self.tell("esc again clears")

    def action_interrupt(self) -> None:
        """Ctrl+C: copy, clear, stop, and at last quit; a held key cannot quit."""
        now = self.clock()
        held = now - self._pressed.get("ctrl+c", float("-inf")) < HELD_S
        self._pressed["ctrl+c"] = now
        if selected := self._selected_text():
            self.app.copy_to_clipboard(selected)
            self.clear_selection()
            self.tell("copied")
        elif held:
            return
        elif self.prompt.text:
            self.prompt.take()
        elif self.session.running:
            self.tell("stopping…")
            self.run_worker(self.session.cancel(), exit_on_error=False)
        elif self._is_second("ctrl+c quit", QUIT_S):
            self.app.exit(0)
        else:
            self.tell("again to quit")

    def _selected_text(self) -> str:
        focused = self.focused
        if isinstance(focused, TextArea) and focused.selected_text:
            return focused.selected_text
        return self.get_selected_text() or ""

    def _is_second(self, what: str, within: float = DOUBLE_PRESS_S) -> bool:
        now = self.clock()
        before = self._pressed.get(what, float("-inf"))
        self._pressed[what] = now
        return now - before < within

    # -- panes

    def action_focus_next_pane(self) -> None:
        """The next visible pane in reading order, then the prompt."""
        order = [self.query_one(f"#{name}") for name in (*LEFT, "transcript", *SIDE_PANES[len(LEFT) :], "prompt")]
        shown = [widget for widget in order if widget.is_on_screen and widget.display]
        here = shown.index(self.focused) if self.focused in shown else -1
        shown[(here + 1) % len(shown)].focus()

    def action_focus_prompt(self) -> None:
        """Back to the prompt."""
        self.prompt.focus()

    def action_zoom(self) -> None:
        """The focused pane fills the body; again: back."""
        name = self.focused.id if self.focused is not None else None
        self.front = name if name in SIDE_PANES else None
        self.zoomed = not self.zoomed
        if not self.zoomed:
            self.front = None
        self.lay_out()

    def action_tasks(self) -> None:
        """To-do; again: plan; again: back."""
        here = self.focused.id if self.focused is not None else None
        match here:
            case "todo":
                self.go_to("plan")
            case "plan":
                self.front = None
                self.lay_out()
                self.prompt.focus()
            case _:
                self.go_to("todo")

    def go_to(self, name: str) -> None:
        """Show a pane and focus it; `chat` and `prompt` are places, too."""
        if self.focused is not None:
            self._previous = self.focused
        if name in SIDE_PANES:
            wide = size_class(*self.size) is SizeClass.WIDE
            self.front = None if wide and name not in self.hidden_panes else name
            self.hidden_panes.discard(name)
        else:
            self.front = None
        self.lay_out()
        self.query_one("#transcript" if name == "chat" else f"#{name}").focus()

    def action_jump(self) -> None:
        """Open jump mode; in it, Ctrl+O goes to the pane before."""
        if self.jump.display:
            self._jump_to("o")
            return
        waiting = self.session.waiting
        denied = self.denied_count()
        states = {"l": f"{denied} deny" if denied else "", "q": str(waiting) if waiting else ""}
        targets = [Target(letter, NAMES.get(name, name), states.get(letter, "")) for letter, name in JUMPS.items()]
        question = [Target("q", "question", states["q"])] if waiting else []
        more = [Target("m", "model"), *question, Target("z", "zoom"), Target("o", "back"), Target("?", "keys")]
        self.jump.show([*targets, *more])

    def denied_count(self) -> int:
        """How many calls were denied."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """In jump mode one letter acts; anything else closes it and is not typed."""
        if self.jump.display:
            event.stop()
            event.prevent_default()
            self._jump_to(event.character or event.key)

    def _jump_to(self, letter: str) -> None:
        self.jump.display = False
        match letter:
            case "q" if self.desk.waits:
                self.desk.open()
            case "m":
                self.run_command("model")
            case "z":
                self.action_zoom()
            case "?":
                self.action_help()
            case "o" if self._previous is not None and self._previous.is_on_screen:
                self._previous.focus()
            case _ if letter in JUMPS:
                self.go_to(JUMPS[letter])
            case _ if letter.lower() in JUMPS and JUMPS[letter.lower()] in SIDE_PANES:
                self.hidden_panes ^= {JUMPS[letter.lower()]}
                self.lay_out()
            case _:
                pass
        self.desk.refresh()

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
        focus = self.focused.id if self.focused is not None and self.focused.id else "prompt"
        self.app.push_screen(
            PickerScreen("Keys", choices.help_items(focus), hint="type to filter · esc closes"), self._run_item
        )

    def action_palette(self) -> None:
        """Every action and command."""
        self.app.push_screen(PickerScreen("Commands", choices.palette_items()), self._run_item)

    async def _run_item(self, key: str | None) -> None:
        kind, _, name = (key or "").partition(" ")
        if kind == "action":
            await self.run_action(name)
        elif kind == "slash":
            self.run_command(name)
        elif kind == "mode":
            self.select_mode(name)

    def action_redraw(self) -> None:
        """Repaint everything."""
        self.app.refresh(layout=True)

    def action_editor(self) -> None:
        """The prompt in $VISUAL or $EDITOR, started by argv, without a shell."""
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        if not command:
            self.tell("there is no editor: set VISUAL or EDITOR")
            return
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "prompt.md"
            file.write_text(self.prompt.full_text, encoding="utf-8")
            try:
                with self.app.suspend():
                    subprocess.run([*shlex.split(command), str(file)], check=True)
                self.prompt.put(file.read_text(encoding="utf-8", errors="replace").rstrip("\n"))
            except (OSError, ValueError, subprocess.CalledProcessError) as error:
                self.tell(f"the editor {command!r} failed: {error}")

    def tell(self, text: str) -> None:
        """Say something in passing."""
        self.app.notify(text, timeout=3, markup=False)

    def _seconds_since_key(self) -> float:
        return self.guard.seconds_since_key()
