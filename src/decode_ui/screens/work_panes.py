"""How a person moves on the work screen: from pane to pane, by letter, and into one pane alone (keys.md §3 and §4)."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual import on
from textual.widget import Widget

from decode_core.events import EventBase
from decode_core.session import Session
from decode_ui.bridge import ChatFeed
from decode_ui.clock import Clock
from decode_ui.guard import KeyGuard
from decode_ui.keys.keymap import Keymap
from decode_ui.pane_sizes import Direction, PaneMemory
from decode_ui.panes.list_pane import titled
from decode_ui.panes.permissions import PermissionsPane, Tab
from decode_ui.screens.arrangement import EDITOR, LEFT, RIGHT, SIDE_PANES, SizeClass
from decode_ui.screens.question_desk import QuestionDesk
from decode_ui.screens.sized_panes import SizedPanes
from decode_ui.screens.trust_desk import TrustDesk
from decode_ui.teaching import Lesson, Teacher
from decode_ui.widgets.jump_strip import JumpStrip, Target
from decode_ui.widgets.settings_bar import broken

if TYPE_CHECKING:
    from decode_ui.transcript.view import Transcript
    from decode_ui.widgets.prompt import Prompt

JUMPS = {
    "i": "prompt",
    "c": "chat",
    "a": "agents",
    "e": "editor",
    "f": "changes",
    "t": "todo",
    "p": "plan",
    "l": "permissions",
}
"""Letters of jump mode, stable for ever."""
NAMES = {"editor": "agent editor", "changes": "changed files", "todo": "to-do", "permissions": "log"}


@runtime_checkable
class HasLetter(Protocol):
    """A pane that shows its letter of jump mode."""

    def show_letter(self, letter: str) -> None:
        """Put the letter before the title; an empty one takes it away."""


class WorkPanes(SizedPanes, inherit_bindings=False):
    """The moves of the work screen; `WorkActs` adds what is done, `WorkScreen` what is shown."""

    feed: ChatFeed
    desk: QuestionDesk
    trust_desk: TrustDesk

    def __init__(self, session: Session, guard: KeyGuard, clock: Clock, teacher: Teacher, memory: PaneMemory) -> None:
        super().__init__(memory)
        self.teacher = teacher
        self.keymap = Keymap()
        self.session = session
        self.guard = guard
        self.clock = clock
        self.front: str | None = None
        """The side pane that the person went to last, None for the chat."""
        self.zoomed = False
        self.editing = False
        """Whether an agent is open in the editor."""
        self._previous: Widget | None = None
        self._before_jump: Widget | None = None

    # -- what WorkScreen provides

    @property
    @abstractmethod
    def transcript(self) -> "Transcript":
        """The chat."""

    @property
    @abstractmethod
    def prompt(self) -> "Prompt":
        """The prompt."""

    @property
    @abstractmethod
    def jump(self) -> JumpStrip:
        """The strip of jump mode."""

    @abstractmethod
    def lay_out(self) -> None:
        """Show what fits."""

    @abstractmethod
    def show_state(self) -> None:
        """Bring the lines around the panes in line with the session."""

    @abstractmethod
    def take(self, event: EventBase) -> None:
        """Show an event."""

    @abstractmethod
    def run_command(self, name: str, argument: str = "") -> None:
        """Run a slash command by its name."""

    @abstractmethod
    def ask_for_plan(self, goal: str) -> None:
        """Go to plan mode; with a goal, ask for a plan."""

    @abstractmethod
    def tell(self, text: str) -> None:
        """Say something in passing."""

    @abstractmethod
    def action_help(self) -> None:
        """Show the keys."""

    @abstractmethod
    def close_editor(self) -> None:
        """Fold the editor of agents away."""

    # -- panes

    def action_focus_next_pane(self) -> None:
        """The next visible pane in reading order, then the prompt."""
        names = ("agents", EDITOR, *LEFT[1:], "transcript", *RIGHT, "prompt")
        order = [widget for name in names for widget in self.query(f"#{name}")]
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
        if name in SIDE_PANES or name == EDITOR:
            wide = self.size_class is SizeClass.WIDE
            covered = name in self.hidden_panes or (self.editing and name in RIGHT)
            self.front = None if wide and not covered else name
            self.show_pane(name)
        else:
            self.front = None
        self.lay_out()
        self.query_one("#transcript" if name == "chat" else f"#{name}").focus()

    def action_jump(self) -> None:
        """Open jump mode; in it, Ctrl+O goes to the pane before."""
        self.teacher.used(Lesson.JUMP)
        self.show_state()
        if self.jump.display:
            self._jump_to("o")
            return
        waiting = self.session.waiting
        denied = self.denied_count()
        states = {"l": f"{denied} deny" if denied else "", "q": str(waiting) if waiting else ""}
        targets = [Target(letter, NAMES.get(name, name), states.get(letter, "")) for letter, name in JUMPS.items()]
        targets.append(Target("r", "rules"))
        question = [Target("q", "question", states["q"])] if waiting else []
        question += [Target("b", "broken settings")] if broken(self.session.settings) else []
        places = [Target("s", "sessions"), Target("m", "model"), *question]
        more = [*places, Target("z", "zoom"), Target("o", "back"), Target("?", "keys")]
        self._before_jump = self.focused
        self.jump.show([*targets, *more])
        self.jump.focus()
        self._show_letters(JUMPS)

    @abstractmethod
    def denied_count(self) -> int:
        """How many calls were denied."""

    @on(JumpStrip.Pressed)
    def _jumped(self, event: JumpStrip.Pressed) -> None:
        if not self._resize(event.letter):
            self._jump_to(event.letter)

    def _resize(self, key: str) -> bool:
        """Arrows and `=` change sizes while the strip stays; False for other keys."""
        pane = self._before_jump.id if self._before_jump is not None else None
        if key == "=":
            self.reset_sizes()
        elif key in {each.value for each in Direction}:
            if not self.resize_pane(pane or "prompt", Direction(key)):
                self.tell("nothing to resize here")
        else:
            return False
        self.lay_out()
        return True

    def _show_letters(self, letters: Mapping[str, str]) -> None:
        """Put each pane's letter on its title, or take it away."""
        by_name = {name: letter for letter, name in letters.items()}
        for pane in self.query(".pane"):
            if isinstance(pane, HasLetter):
                pane.show_letter(by_name.get(pane.id or "", ""))
        self.query_one("#chat-frame").border_title = titled("Chat", by_name.get("chat", ""))

    def _jump_to(self, letter: str) -> None:
        self.jump.display = False
        self._show_letters({})
        self.save_sizes()
        # at once: what follows looks at what has the focus
        self.set_focus(self._before_jump or self.prompt)
        match letter:
            case "q" if self.desk.waits:
                self.desk.open()
            case "b" if broken(self.session.settings):
                self.run_command("settings")
            case "m":
                self.run_command("model")
            case "s":
                self.run_command("sessions")
            case "z":
                self.action_zoom()
            case "?":
                self.action_help()
            case "o" if self._previous is not None and self._previous.is_on_screen:
                self._previous.focus()
            case "l" | "r":
                self.query_one(PermissionsPane).show_tab(Tab.LOG if letter == "l" else Tab.RULES)
                self.go_to(JUMPS["l"])
            case _ if letter in JUMPS:
                self.go_to(JUMPS[letter])
            case "E":
                self.close_editor()
            case _ if letter.lower() in JUMPS and JUMPS[letter.lower()] in SIDE_PANES:
                self.toggle_pane(JUMPS[letter.lower()])
                self.lay_out()
            case _:
                pass
        self.desk.refresh()
