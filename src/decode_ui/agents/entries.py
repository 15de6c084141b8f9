"""The rows of the agents list: one for each file, by layer, with its state in words. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.loader import Catalog
from decode_core.reloading.live_catalog import AgentFolders


class AgentState(StrEnum):
    """How an agent's file stands; the value is the word that is shown."""

    OK = ""
    BROKEN = "broken"
    OVERRIDDEN = "overridden"
    UNTRUSTED = "not trusted"
    HELD = "not taken"
    UNSAVED = "not saved"


@dataclass(frozen=True)
class AgentEntry:
    """One file of an agent, or one that is still to be written."""

    name: str
    path: Path
    layer: Layer
    state: AgentState = AgentState.OK
    mode: str = ""
    line: int | None = None
    """Of its first fault."""
    is_active: bool = False
    overrides: str = ""
    """The layer of the agent that it takes the place of."""
    problem: str = ""

    @property
    def key(self) -> str:
        """What names the file for good."""
        return f"agent {self.path}"


def agent_entries(
    catalog: Catalog, active: str, folders: AgentFolders, unsaved: Mapping[Path, Layer] | None = None
) -> list[AgentEntry]:
    """All files, built-in ones first, each once. `unsaved` are files whose text in the editor is not saved."""
    unsaved = unsaved or {}
    found = {entry.path: entry for entry in _entries(catalog, active, folders)}
    for path, layer in unsaved.items():
        entry = found.get(path, AgentEntry(path.stem, path, layer))
        if entry.state is not AgentState.BROKEN:
            found[path] = replace(entry, state=AgentState.UNSAVED)
    order = list(Layer)
    return sorted(found.values(), key=lambda entry: order.index(entry.layer))


def _entries(catalog: Catalog, active: str, folders: AgentFolders) -> Iterator[AgentEntry]:
    """Entries in the order of their weight: the last one of a path counts."""
    overridden = {agent.name: agent.layer for agent in catalog.overridden}
    for agent in catalog.overridden:
        yield _of(agent, AgentState.OVERRIDDEN)
    for name, agent in catalog.agents.items():
        above = overridden.get(name)
        overrides = above.value if above is not None and above is not agent.layer else ""
        yield _of(agent, AgentState.OK, is_active=name == active, overrides=overrides)
    for path in catalog.untrusted:
        yield AgentEntry(path.stem, path, Layer.PROJECT, AgentState.UNTRUSTED)
    for agent in catalog.held.values():
        yield _of(agent, AgentState.HELD, is_active=agent.name == active)
    good = {agent.path: agent for agent in catalog.agents.values()}
    for error in reversed(catalog.errors):
        layer = next((each for each in Layer if folders.of(each) == error.path.parent), Layer.USER)
        last_good = good.get(error.path)
        yield AgentEntry(
            error.path.stem,
            error.path,
            layer,
            AgentState.BROKEN,
            line=error.line,
            is_active=last_good is not None and last_good.name == active,
            problem=str(error),
        )


def _of(agent: AgentDef, state: AgentState, *, is_active: bool = False, overrides: str = "") -> AgentEntry:
    return AgentEntry(
        agent.name, agent.path, agent.layer, state, agent.mode.value, is_active=is_active, overrides=overrides
    )
