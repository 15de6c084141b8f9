"""The agents pane: every agent by layer, the active one marked."""

from collections.abc import Mapping

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog
from decode_core.neutral import neutralise_line
from decode_ui.actions import AGENTS, bindings
from decode_ui.panes.list_pane import ListPane, Row

NAME_CELLS = 15


class AgentsPane(ListPane):
    """The catalog, as a list."""

    TITLE = "Agents"
    EMPTY = "no agents"
    KEYS = "u use · enter show"
    BINDINGS = bindings(AGENTS)

    class Chosen(Message):
        """The person wants this agent to be active."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class OpenRequested(Message):
        """The person wants to see what is in this agent."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def show_catalog(self, catalog: Catalog, active: str) -> None:
        """Show the agents; broken files stand below, with their line."""
        rows: list[Row] = []
        for layer, agents in _by_layer(catalog.agents).items():
            rows.append(Row(f"layer {layer}", Content.styled(layer, "$muted"), layer, is_heading=True))
            rows.extend(_row(agent, is_active=agent.name == active) for agent in agents)
        for number, error in enumerate(catalog.errors):
            name = neutralise_line(error.path.stem)
            padded = f"{name:<{NAME_CELLS}}"
            content = Content.assemble(("  ✗ ", "$error"), (padded, "$error"), (f"line {error.line}", "$error"))
            rows.append(Row(f"error {number}", content, str(error)))
        self.show_rows(rows)

    def action_use(self) -> None:
        """Make the agent under the cursor the active one."""
        if (name := self._agent_name()) is not None:
            self.post_message(self.Chosen(name))

    def action_open(self) -> None:
        """Show the agent under the cursor."""
        if (name := self._agent_name()) is not None:
            self.post_message(self.OpenRequested(name))

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def _agent_name(self) -> str | None:
        return self.row.key.removeprefix("agent ") if self.row and self.row.key.startswith("agent ") else None


def mode_style(mode: str) -> str:
    """The theme variable of a mode's colour."""
    return f"$mode-{mode.replace('_', '-')}"


def _by_layer(agents: Mapping[str, AgentDef]) -> dict[str, list[AgentDef]]:
    layers: dict[str, list[AgentDef]] = {}
    for agent in agents.values():
        layers.setdefault(agent.layer.value, []).append(agent)
    return layers


def _row(agent: AgentDef, *, is_active: bool) -> Row:
    dot = ("● ", "$primary") if is_active else ("  ", "")
    name = (f"{neutralise_line(agent.name):<{NAME_CELLS}}", "bold" if is_active else "")
    content = Content.assemble(dot, name, (agent.mode.value, mode_style(agent.mode)))
    return Row(f"agent {agent.name}", content, f"{agent.name}: {agent.description}")
