"""Loads the three layers of agents into one catalog; a broken file never stops anything (catalog.md §2)."""

import difflib
import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.catalog.definition import AgentDef, CatalogError, Layer
from decode_core.catalog.frontmatter import MAX_BYTES
from decode_core.catalog.reading import Reading, read_agent


class UnknownAgent(Exception):  # noqa: N818 - named for what the person did
    """No agent of this name. The message is one sentence."""


@dataclass(frozen=True)
class Catalog:
    """All agents by name, and what is wrong with files."""

    agents: dict[str, AgentDef] = field(default_factory=dict)
    overridden: tuple[AgentDef, ...] = ()
    """Agents of an earlier layer that a later one replaces."""
    untrusted: tuple[Path, ...] = ()
    """Agents of a project that nobody has trusted yet: listed, not loaded."""
    errors: tuple[CatalogError, ...] = ()
    warnings: tuple[CatalogError, ...] = ()

    def get(self, name: str) -> AgentDef:
        """The agent of this name. Raises UnknownAgent with "did you mean"."""
        agent = self.agents.get(name)
        if agent is not None:
            return agent
        close = difflib.get_close_matches(name, self.agents, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(self.agents)}"
        raise UnknownAgent(f"there is no agent {name!r}; {hint}")


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
) -> Catalog:
    """Read the three folders; None or a missing folder is empty. Never raises for what a folder holds."""
    agents: dict[str, AgentDef] = {}
    overridden: list[AgentDef] = []
    errors: list[CatalogError] = []
    warnings: list[CatalogError] = []
    untrusted: tuple[Path, ...] = ()
    layers = ((Layer.BUILTIN, builtin), (Layer.USER, user), (Layer.PROJECT, project))
    for layer, folder in layers:
        if folder is None:
            continue
        if layer is Layer.PROJECT and not trusted_project:
            untrusted = tuple(_files(folder, []))
            continue
        found: dict[str, AgentDef] = {}
        for path in _files(folder, errors):
            reading = _read(path, layer, known_tools)
            errors += reading.errors
            warnings += reading.warnings
            if reading.agent is not None:
                _add(reading.agent, found, errors)
        overridden += [agents[name] for name in found if name in agents]
        agents |= found
    return Catalog(agents, tuple(overridden), untrusted, tuple(errors), tuple(warnings))


def validate(paths: Collection[Path], known_tools: Collection[str]) -> list[CatalogError]:
    """Every fault of these files, or of the agents in these folders."""
    errors: list[CatalogError] = []
    for path in paths:
        files = _files(path, errors) if path.is_dir() and path.suffix != ".md" else [path]
        for file in files:
            errors += _read(file, Layer.PROJECT, known_tools).errors
    return errors


def _add(agent: AgentDef, found: dict[str, AgentDef], errors: list[CatalogError]) -> None:
    first = found.get(agent.name)
    if first is None:
        found[agent.name] = agent
        return
    problem = f"the name {agent.name!r} stands in {first.path.name}, too"
    errors.append(CatalogError(agent.path, 1, 1, "name", problem, f"{first.path.name} counts; rename one"))
    errors.append(CatalogError(first.path, 1, 1, "name", f"the name stands in {agent.path.name}, too", "rename one"))


def _files(folder: Path, errors: list[CatalogError]) -> Iterator[Path]:
    """The agent files of a folder by path; an unreadable folder is an error, a missing one is empty."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(".md"))
    except FileNotFoundError:
        return
    except OSError as error:
        problem = f"the folder cannot be read ({error.strerror})"
        errors.append(CatalogError(folder, 1, 1, "", problem, "check its rights"))
        return
    for name in names:
        yield folder / name


def _read(path: Path, layer: Layer, known_tools: Collection[str]) -> Reading:
    try:
        # O_NONBLOCK: a FIFO that is named like an agent must not hang the program
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - opened by descriptor
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return _unreadable(path, "it is not a regular file", "agents are files")
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return _unreadable(path, "the link leads nowhere", "mend or remove it")
    except IsADirectoryError:
        return _unreadable(path, "it is a folder", "agents are files")
    except OSError as error:
        return _unreadable(path, f"it cannot be read ({error.strerror})", "check its rights")
    return read_agent(path, data, layer, known_tools)


def _unreadable(path: Path, problem: str, hint: str) -> Reading:
    return Reading(errors=[CatalogError(path, 1, 1, "", problem, hint)])
