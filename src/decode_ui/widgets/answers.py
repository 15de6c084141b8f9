"""The row of answers at the foot of a dialog: key and label of each, pressed by Enter or a click."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.layout import Layout
from textual.message import Message
from textual.widget import Widget

from decode_ui.actions import Action
from decode_ui.widgets.flow import STARTS_LINE, FlowLayout


class Tone(StrEnum):
    """What an answer does, told by the colour of its key; the label says it in words."""

    ALLOW = "allow"
    DENY = "deny"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class Choice:
    """One answer of a row. `starts_line` begins a new line of the row; `label` replaces the action's own."""

    action: Action
    tone: Tone
    starts_line: bool = False
    label: str | None = None


class AnswerLabel(Widget, can_focus=True):
    """One answer. Dim while it is dead: in the guard time, or while it waits for something."""

    BINDINGS = [Binding("enter", "press", show=False)]

    class Pressed(Message):
        """The answer was pressed. `by_mouse` tells a click from a key: clicks have a guard of their own."""

        def __init__(self, action: Action, *, by_mouse: bool) -> None:
            super().__init__()
            self.action = action
            self.by_mouse = by_mouse

    def __init__(self, choice: Choice) -> None:
        super().__init__(
            id=choice.action.id.replace(".", "-"),
            classes=f"-{choice.tone}" + (f" {STARTS_LINE}" if choice.starts_line else ""),
        )
        self.choice = choice
        self._label = choice.action.label if choice.label is None else choice.label

    @property
    def label(self) -> str:
        """The words beside the key."""
        return self._label

    @label.setter
    def label(self, label: str) -> None:
        self._label = label
        self.refresh(layout=True)

    def render(self) -> Content:
        """The key in the colour of what it does, and the label."""
        key = self.get_visual_style("answer--key", partial=True)
        return Content.assemble((self.choice.action.sign, key), " ", self._label)

    def get_content_width(self, container: object, viewport: object) -> int:
        """The cells of key and label."""
        return self.render().cell_length

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """Always one line."""
        return 1

    def action_press(self) -> None:
        """Enter on the focused answer."""
        self.post_message(self.Pressed(self.choice.action, by_mouse=False))

    def on_click(self, event: events.Click) -> None:
        """A click presses; it does not move the focus first."""
        event.stop()
        self.post_message(self.Pressed(self.choice.action, by_mouse=True))

    COMPONENT_CLASSES = {"answer--key"}
    FOCUS_ON_CLICK = False
    DEFAULT_CSS = """
    AnswerLabel {
        width: auto;
        height: 1;
        padding: 0 2 0 1;
        color: $foreground;
        & > .answer--key { text-style: bold; color: $accent; }
        &.-allow > .answer--key { color: $verdict-allow; }
        &.-deny > .answer--key { color: $verdict-deny; }
        &:focus { background: $cursor-ground; text-style: bold; }
        &.-dead { color: $muted; }
        &.-dead > .answer--key { color: $muted; }
    }
    """


class AnswerRow(Widget):
    """Answers in as many lines as they need; a label is never broken."""

    DEFAULT_CSS = """
    AnswerRow { height: auto; width: 100%; }
    """

    def __init__(self, choices: Iterable[Choice], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.choices = tuple(choices)
        self._flow = FlowLayout()

    @property
    def layout(self) -> Layout:
        """Labels flow; style sheets cannot name a layout that Textual does not bring."""
        return self._flow

    def compose(self) -> ComposeResult:
        """One label for each choice."""
        for choice in self.choices:
            yield AnswerLabel(choice)

    def show_dead(self, dead: Iterable[str]) -> None:
        """Dim the answers whose action ids are in `dead` and brighten the rest."""
        dead_ids = frozenset(dead)
        for label in self.query_children(AnswerLabel):
            label.set_class(label.choice.action.id in dead_ids, "-dead")

    def label_of(self, action_id: str) -> AnswerLabel:
        """The label of an action. Raises textual.css.query.NoMatches where the row does not offer it."""
        return self.query_one(f"#{action_id.replace('.', '-')}", AnswerLabel)
