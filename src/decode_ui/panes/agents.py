"""The agents list: every agent's file by layer, its mode or what is the matter with it, the active one marked."""

from pathlib import Path

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.neutral import neutralise_line
from decode_ui.actions import bindings
from decode_ui.agents.entries import AgentEntry, AgentState
from decode_ui.keys.agents import AGENTS
from decode_ui.panes.list_pane import ListPane, Row

NAME_CELLS = 15
NARROW_KEYS = "enter edit · u use · ? more"

_COLOURS = {
    AgentState.OK: "",
    AgentState.BROKEN: "$error",
    AgentState.OVERRIDDEN: "$muted",
    AgentState.UNTRUSTED: "$muted",
    AgentState.HELD: "$warning",
    AgentState.UNSAVED: "$warning",
}


class AgentsPane(ListPane):
    """The catalog, as a list. Its keys act on the file under the cursor."""

    TITLE = "Agents"
    EMPTY = "no agents"
    KEYS = "enter edit · u use · n new · ? more"
    BINDINGS = bindings(AGENTS)

    class Wanted(Message):
        """The person wants something done with the file under the cursor; `act` is the verb of the action."""

        def __init__(self, act: str, entry: AgentEntry | None) -> None:
            super().__init__()
            self.act = act
            self.entry = entry

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id)
        self._entries: dict[str, AgentEntry] = {}
        self._drawn: dict[str, Row] = {}

    @property
    def entries(self) -> tuple[AgentEntry, ...]:
        """All files, in the order of the rows."""
        return tuple(self._entries.values())

    @property
    def entry(self) -> AgentEntry | None:
        """The file under the cursor."""
        return self._entries.get(self.row.key) if self.row is not None else None

    def show_entries(self, entries: list[AgentEntry]) -> None:
        """Show the files, a heading for each layer."""
        rows: list[Row] = []
        layer = None
        for entry in entries:
            if entry.layer is not layer:
                layer = entry.layer
                rows.append(Row(f"layer {layer}", Content.styled(layer.value, "$muted"), layer.value, is_heading=True))
            known = self._entries.get(entry.key)
            rows.append(self._drawn[entry.key] if known == entry else _row(entry))
        self._entries = {entry.key: entry for entry in entries}
        self._drawn = {row.key: row for row in rows}
        self.show_rows(rows)

    def go_to(self, path: Path) -> None:
        """Put the cursor on a file."""
        key = next((key for key, entry in self._entries.items() if entry.path == path), None)
        if key is not None:
            self.highlighted = self.get_option_index(key)

    def on_resize(self) -> None:
        """Another width has room for other keys."""
        self._show_subtitle()

    def _show_subtitle(self) -> None:
        super()._show_subtitle()
        if self.has_focus and self.size.width < len(self.KEYS) and not self.is_filtered and not self.is_typing_filter:
            self.border_subtitle = Content(NARROW_KEYS)

    def action_want(self, act: str) -> None:
        """One of the keys."""
        self.post_message(self.Wanted(act, self.entry))

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_want("edit")


def mode_style(mode: str) -> str:
    """The theme variable of a mode's colour."""
    return f"$mode-{mode.replace('_', '-')}"


def _row(entry: AgentEntry) -> Row:
    colour = _COLOURS[entry.state]
    match entry.state:
        case AgentState.BROKEN:
            sign, state = ("✗ ", f"line {entry.line}")
        case AgentState.OK:
            sign, state = ("● " if entry.is_active else "  ", "")
        case _:
            sign, state = ("● " if entry.is_active else "  ", entry.state.value)
    name_style = colour or ("bold" if entry.is_active else "")
    content = Content.assemble(
        (sign, colour or ("$primary" if entry.is_active else "")),
        (f"{neutralise_line(entry.name):<{NAME_CELLS - 1}} ", name_style),
        (state, colour) if state else (entry.mode, mode_style(entry.mode)),
        (f" overrides {entry.overrides}", "$muted") if entry.overrides and not state else "",
    )
    return Row(entry.key, content, entry.problem or f"{entry.name}: {entry.path}")
