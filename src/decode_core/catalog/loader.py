"""Loads the three layers of agents into one catalog; a broken file never stops anything (catalog.md §2)."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from decode_core.catalog.definition import AgentDef, CatalogError, Layer
from decode_core.catalog.errors import UnknownAgent
from decode_core.catalog.folders import Readings, agent_files, read_file, read_given
from decode_core.catalog.reading import Reading


@dataclass(frozen=True)
class Catalog:
    """All agents by name, and what is wrong with files."""

    agents: Mapping[str, AgentDef] = field(default_factory=dict)
    overridden: tuple[AgentDef, ...] = ()
    """Agents of an earlier layer that a later one replaces."""
    broken: Mapping[str, CatalogError] = field(default_factory=dict)
    """By name, the first fault of a file that gives no agent. `agents` may hold one of that name all the same: the
    file's last good version, or that of an earlier layer, narrowed."""
    held: Mapping[str, AgentDef] = field(default_factory=dict)
    """By name, a version on disk that waits for the person's word, since it allows more; `agents` holds the one that
    counts meanwhile, if there is one."""
    untrusted: tuple[Path, ...] = ()
    """Agents of a project that nobody has trusted yet: listed, not read."""
    errors: tuple[CatalogError, ...] = ()
    warnings: tuple[CatalogError, ...] = ()

    def get(self, name: str) -> AgentDef:
        """The agent of this name. Raises UnknownAgent, which says what is wrong with it, or what was meant."""
        agent = self.agents.get(name)
        if agent is not None:
            return agent
        if name in self.broken:
            raise UnknownAgent(f"the agent {name!r} is broken: {self.broken[name]}")
        if name in self.held:
            raise UnknownAgent(f"the agent {name!r} came from outside and waits for your word: ^O a, then t")
        if name in (path.stem for path in self.untrusted):
            raise UnknownAgent(f"the agent {name!r} belongs to this folder, which is not trusted yet")
        shown = repr(name if len(name) <= 64 else name[:63] + "…")
        close = difflib.get_close_matches(name[:100], self.agents, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(self.agents) or 'none'}"
        raise UnknownAgent(f"there is no agent {shown}; {hint}")


@dataclass(frozen=True)
class GivenFile:
    """A file that was read before: its bytes, or None and why it could not be read."""

    path: Path
    data: bytes | None
    problem: str = ""


def builtin_folder() -> Path:
    """The built-in agents: inside the installed package, or `agents/` at the top of the repository."""
    packaged = Path(__file__).parent / "builtin"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "agents"


def load_catalog(
    builtin: Path | None,
    user: Path | None,
    project: Path | None,
    *,
    known_tools: Collection[str],
    trusted_project: bool,
    previous: Catalog | None = None,
    readings: Readings | None = None,
    project_files: Sequence[GivenFile] | None = None,
) -> Catalog:
    """Read the three folders; None or a missing folder is empty. Never raises for what a folder holds.

    A file that is broken now and gave an agent to `previous` keeps that agent (catalog.md §3). Without such a last
    good version, an agent of an earlier layer that it would have overridden stands in narrowed, since a broken file
    never makes anything wider. The agents of a project that is not trusted are listed and not read. `readings` of the
    load before, with the same tools, save the work for files that did not change. With `project_files`, the project's
    files are these, as they were judged, and not what stands in the folder by now.
    """
    loading = _Loading(frozenset(known_tools), previous or Catalog(), readings or Readings())
    for layer, folder in ((Layer.BUILTIN, builtin), (Layer.USER, user), (Layer.PROJECT, project)):
        if folder is None:
            continue
        given = project_files if layer is Layer.PROJECT else None
        if given is None:
            files, errors = agent_files(folder)
            loading.errors += errors
        else:
            files = [file.path for file in given]
        if layer is Layer.PROJECT and not trusted_project:
            loading.untrusted += files
        else:
            loading.add_layer(layer, files, {file.path: file for file in given or ()})
    return loading.catalog()


def validate(paths: Collection[Path], known_tools: Collection[str]) -> list[CatalogError]:
    """Every fault of these files, or of the agents in these folders.

    Files of a folder `.decode/agents` are judged as a project's, all others as the person's own.
    """
    errors: list[CatalogError] = []
    found: dict[Path, dict[str, Reading]] = {}
    for path in paths:
        files = [path]
        if path.is_dir() and path.suffix != ".md":
            files, unreadable = agent_files(path)
            errors += unreadable
        for file in files:
            folder = file.absolute().parent
            layer = Layer.PROJECT if folder.parts[-2:] == (".decode", "agents") else Layer.USER
            reading = read_file(file, layer, known_tools)
            errors += reading.errors
            if reading.agent is not None:
                errors += _claim(reading, found.setdefault(folder, {}))
    return errors


class _Loading:
    def __init__(self, known_tools: frozenset[str], previous: Catalog, readings: Readings) -> None:
        readings.begin()
        self._readings = readings
        self.errors: list[CatalogError] = []
        self.untrusted: list[Path] = []
        self._known_tools = known_tools
        self._last_good = {
            (agent.layer, agent.path): agent for agent in (*previous.agents.values(), *previous.overridden)
        }
        self._agents: dict[str, AgentDef] = {}
        self._overridden: list[AgentDef] = []
        self._broken: dict[str, CatalogError] = {}
        self._warnings: list[CatalogError] = []

    def add_layer(self, layer: Layer, files: list[Path], given: Mapping[Path, GivenFile]) -> None:
        claimed: dict[str, Reading] = {}
        broken: list[Reading] = []
        for path in files:
            judged = given.get(path)
            if judged is None:
                reading = read_file(path, layer, self._known_tools, self._readings)
            else:
                reading = read_given(path, judged.data, judged.problem, layer, self._known_tools, self._readings)
            self.errors += reading.errors
            self._warnings += reading.warnings
            if reading.agent is None:
                broken.append(reading)
            else:
                self.errors += _claim(reading, claimed)
        found = {name: reading.agent for name, reading in claimed.items() if reading.agent is not None}
        for reading in broken:
            self._stand_in(reading, layer, found)
        self._overridden += [self._agents[name] for name in found if name in self._agents]
        self._agents |= found

    def _stand_in(self, reading: Reading, layer: Layer, found: dict[str, AgentDef]) -> None:
        """Find what counts in place of a broken file: its last good version, else an earlier layer's, narrowed."""
        self._broken.setdefault(reading.name, reading.errors[0])
        last_good = self._last_good.get((layer, reading.errors[0].path))
        if last_good is not None:
            found.setdefault(last_good.name, last_good)
        elif reading.name in self._agents and reading.name not in found:
            self._agents[reading.name] = self._agents[reading.name].narrowed(reading.strict_rules)

    def catalog(self) -> Catalog:
        return Catalog(
            agents=MappingProxyType(self._agents),
            overridden=tuple(self._overridden),
            broken=MappingProxyType(self._broken),
            untrusted=tuple(self.untrusted),
            errors=tuple(self.errors),
            warnings=tuple(self._warnings),
        )


def _claim(reading: Reading, claimed: dict[str, Reading]) -> list[CatalogError]:
    """Give the reading its name unless an earlier file of the layer has it; then both files are told."""
    first = claimed.setdefault(reading.name, reading)
    if first is reading or first.agent is None or reading.agent is None:
        return []
    one, two = first.agent.path, reading.agent.path
    return [
        _twice(two, reading, f"the name {reading.name!r} stands in {one.name}, too", f"{one.name} counts; rename one"),
        _twice(one, first, f"the name {reading.name!r} stands in {two.name}, too", "this one counts; rename one"),
    ]


def _twice(path: Path, reading: Reading, problem: str, hint: str) -> CatalogError:
    return CatalogError(path, reading.name_place.line, reading.name_place.column, "name", problem, hint)
