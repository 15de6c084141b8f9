"""Asks for the name of a new agent, and whose it is to be."""

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from decode_core.catalog.definition import Layer
from decode_core.catalog.template import is_name
from decode_ui.actions import bindings
from decode_ui.keys.agents import NAMING
from decode_ui.screens.guarded import BOX
from decode_ui.widgets.filter_field import FilterField


@dataclass(frozen=True)
class NewAgent:
    """What the person answered."""

    name: str
    layer: Layer


class AgentNameScreen(ModalScreen[NewAgent | None], inherit_bindings=False):
    """Closes with a name that an agent may have and a layer, or None. `taken` are the names of each layer's files."""

    ESCAPE_TO_MINIMIZE = False
    CSS_PATH = ["dialog.tcss", "agent_name.tcss"]
    BINDINGS = bindings(NAMING)

    def __init__(self, title: str, name: str, layer: Layer, taken: dict[Layer, frozenset[str]]) -> None:
        super().__init__()
        self._title = title
        self._name_before = name
        self._layer = layer
        self._taken = taken

    def compose(self) -> ComposeResult:
        """The name, where it goes, what is wrong with it."""
        with Vertical(id=BOX):
            yield FilterField(placeholder="a name such as release-notes", id="name")
            yield Static(id="where", markup=False)
            yield Static(id="wrong", markup=False)

    def on_mount(self) -> None:
        """The field has the focus."""
        box = self.query_one(f"#{BOX}")
        box.border_title = Content(self._title)
        box.border_subtitle = Content("enter takes · tab whose · esc closes")
        field = self.query_one("#name", Input)
        field.value = self._name_before
        field.focus()
        self._show()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._show()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        """Take name and layer, if they can be."""
        if not self._problem() and self.is_current:
            self.dismiss(NewAgent(self.query_one("#name", Input).value, self._layer))

    def action_other(self) -> None:
        """The other layer."""
        self._layer = Layer.USER if self._layer is Layer.PROJECT else Layer.PROJECT
        self._show()

    def action_close(self) -> None:
        """No new agent."""
        if self.is_current:
            self.dismiss(None)

    def _problem(self) -> str:
        name = self.query_one("#name", Input).value
        if not name:
            return "type a name"
        if not is_name(name):
            return "a-z, 0-9 and -, at most 64 characters, the first not -"
        if name in self._taken.get(self._layer, ()):
            return "there is one of this name already"
        return ""

    def _show(self) -> None:
        yours, projects = ("$foreground", "$muted") if self._layer is Layer.USER else ("$muted", "$foreground")
        marks = ("●", "○") if self._layer is Layer.USER else ("○", "●")
        where = Content.assemble(
            (f"{marks[1]} this project's  ", projects), (f"{marks[0]} yours, in every folder", yours)
        )
        self.query_one("#where", Static).update(where)
        self.query_one("#wrong", Static).update(Content.styled(self._problem(), "$warning"))
