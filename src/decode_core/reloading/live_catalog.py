"""The catalog of a running session: read anew when files change, never wider without the person's word.

It remembers what counted last under every name and for every file, also of agents that are gone: how a file came to
its new content (renamed over, deleted and written anew, broken in between) makes no difference to what it may gain.
"""

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from decode_core.catalog.changes import CatalogChange, compare
from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.folders import Readings, is_agent_file, read_given
from decode_core.catalog.loader import Catalog, GivenFile, load_catalog
from decode_core.reloading.watching import folder_state
from decode_core.trust.loosening import agent_loosening, tighter_agent

MAX_REMEMBERED = 20_000
"""Versions that the person has seen or refused; beyond that the oldest are asked about again."""


@dataclass(frozen=True)
class AgentFolders:
    """Where the layers' files lie; None is a layer without a folder."""

    builtin: Path | None
    user: Path | None
    project: Path | None

    def of(self, layer: Layer) -> Path | None:
        """The folder of a layer."""
        return {Layer.BUILTIN: self.builtin, Layer.USER: self.user, Layer.PROJECT: self.project}[layer]


class LiveCatalog:
    """The agents in force. Every method may be called from any thread; `reload` reads files."""

    def __init__(
        self, folders: AgentFolders, known_tools: Collection[str], catalog: Catalog, *, trusted_project: bool
    ) -> None:
        self.folders = folders
        self.trusted_project = trusted_project
        self.known_tools = tuple(known_tools)
        self._lock = threading.Lock()
        self._readings = Readings()
        self._catalog = catalog
        self._in_force: dict[str, AgentDef] = {}
        self._last_good: dict[tuple[Layer, Path], AgentDef] = {}
        self._accepted: dict[AgentDef, None] = {}
        self._refused: dict[AgentDef, None] = {}
        self._note(catalog)
        self.vouched: Callable[[], Iterable[AgentDef]] = tuple
        """Gives the project's agents as they stand if just that content of the folder was trusted, now or before."""

    @property
    def catalog(self) -> Catalog:
        """What counts now."""
        return self._catalog

    def reload(self) -> tuple[Catalog, CatalogChange]:
        """Read the folders anew. What allows more than before waits in the catalog's `held`, all else counts."""
        with self._lock:
            previous = Catalog(agents=self._in_force, overridden=tuple(self._last_good.values()))
            folders = self.folders
            found = load_catalog(
                folders.builtin,
                folders.user,
                folders.project,
                known_tools=self.known_tools,
                trusted_project=self.trusted_project,
                previous=previous,
                readings=self._readings,
            )
            before, now = self._catalog, hold_back(found, self._in_force, self._accepted.__contains__)
            if now.held:
                for agent in self.vouched():
                    _remember(self._accepted, agent)
                now = hold_back(found, self._in_force, self._accepted.__contains__)
            self._catalog = now
            self._note(self._catalog)
            return self._catalog, compare(before, self._catalog)

    def fingerprint(self) -> Hashable:
        """What tells two states of the folders apart, without reading a file."""
        folders = (self.folders.builtin, self.folders.user, self.folders.project)
        return tuple(folder_state(folder, is_agent_file) for folder in folders if folder is not None)

    def accept(self, agents: Iterable[AgentDef]) -> None:
        """The person has seen these versions, or wrote them: they count from the next reload on, now and later."""
        with self._lock:
            for agent in agents:
                self._refused.pop(agent, None)
                _remember(self._accepted, agent)

    def accept_files(self, files: Iterable[GivenFile]) -> None:
        """As `accept`, for the agents in these files of the project."""
        readings = [read_given(each.path, each.data, each.problem, Layer.PROJECT, self.known_tools) for each in files]
        self.accept(reading.agent for reading in readings if reading.agent is not None)

    def refuse(self, agents: Iterable[AgentDef]) -> None:
        """The person does not want these versions: they stay held and are not asked about again."""
        with self._lock:
            for agent in agents:
                _remember(self._refused, agent)

    def unanswered(self) -> tuple[AgentDef, ...]:
        """The held versions that the person has not refused yet, by name."""
        with self._lock:
            return tuple(agent for agent in self._catalog.held.values() if agent not in self._refused)

    def in_force(self, name: str) -> AgentDef | None:
        """What counted last under this name, also where the agent is gone."""
        return self._in_force.get(name)

    def _note(self, catalog: Catalog) -> None:
        """Remember what counts; what was not read anew is the same object and known."""
        for agent in (*catalog.overridden, *catalog.agents.values()):
            if not agent.stands_in:
                self._last_good[agent.layer, agent.path] = agent
        for name, agent in catalog.agents.items():
            if self._in_force.get(name) is not agent:
                self._in_force[name] = agent
                if not agent.stands_in:
                    _remember(self._accepted, agent)


def hold_back(found: Catalog, in_force: Mapping[str, AgentDef], accepted: Callable[[AgentDef], bool]) -> Catalog:
    """The catalog that may count at once: whatever allows more than `in_force` does waits in `held`.

    `in_force` holds, by name, the definition that counted last. Of a change that allows more here and less there, the
    less counts at once. An agent that was never there waits only if it is a project's. Pure.
    """
    agents, held = dict(found.agents), {}
    for name, agent in found.agents.items():
        before = in_force.get(name)
        if before is agent or accepted(agent) or (before is None and agent.layer is not Layer.PROJECT):
            continue
        if before is None:
            held[name] = agent
            del agents[name]
        elif agent_loosening(before, agent):
            held[name] = agent
            agents[name] = tighter_agent(before, agent)
    return replace(found, agents=MappingProxyType(agents), held=MappingProxyType(held))


def _remember(versions: dict[AgentDef, None], agent: AgentDef) -> None:
    versions.pop(agent, None)
    versions[agent] = None
    if len(versions) > MAX_REMEMBERED:
        del versions[next(iter(versions))]
