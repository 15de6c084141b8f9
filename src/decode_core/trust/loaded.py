"""A folder's content read as it would count if it were trusted, and what a change of it loosens. Pure."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from decode_core.catalog.definition import AgentDef, Layer as AgentLayer
from decode_core.catalog.folders import read_given
from decode_core.permissions.rules import RuleSource
from decode_core.settings.layer import Layer, read_layer
from decode_core.trust.content import SERVERS_FILE, SETTINGS_FILE, FolderContent
from decode_core.trust.folder import reader_of
from decode_core.trust.loosening import Loosening, agents_loosening, settings_loosening
from decode_core.trust.values import shown


@dataclass(frozen=True)
class LoadedContent:
    """What the files of a folder say, as far as they can be read."""

    content: FolderContent
    settings: Layer
    agents: Mapping[str, AgentDef]
    """By name; of two files with one name the first counts."""
    broken_agents: tuple[str, ...] = ()
    """Names of files that give no agent."""


def load_content(content: FolderContent, known_tools: Collection[str]) -> LoadedContent:
    """Read the content. Never raises for what its files hold."""
    settings = read_layer(
        content.path(SETTINGS_FILE),
        RuleSource.PROJECT,
        project_trusted=True,
        tool_names=known_tools,
        read=reader_of(content),
    )
    agents: dict[str, AgentDef] = {}
    broken: list[str] = []
    for file in content.agents():
        path = content.path(file.name)
        agent = read_given(path, file.data, file.problem, AgentLayer.PROJECT, known_tools).agent
        if agent is None:
            broken.append(file.name)
        else:
            agents.setdefault(agent.name, agent)
    return LoadedContent(content, settings, agents, tuple(broken))


def content_loosening(before: LoadedContent, after: LoadedContent) -> tuple[Loosening, ...]:
    """Everything that `after` loosens against `before`."""
    return (
        *settings_loosening(before.settings, after.settings),
        *agents_loosening(before.agents, after.agents),
        *files_loosening(before.content, after.content),
    )


def files_loosening(before: FolderContent, after: FolderContent) -> tuple[Loosening, ...]:
    """What changed in servers, scripts, skills and commands: there, whatever is new or different counts."""
    found = [*_servers_loosened(before, after)]
    for file in after.files:
        if file.name in (SETTINGS_FILE, SERVERS_FILE) or file in after.agents():
            continue
        old = before.file(file.name)
        if old is None or old.digest != file.digest:
            found.append(Loosening(file.name, "new" if old is None else "changed"))
    return tuple(found)


def _servers_loosened(before: FolderContent, after: FolderContent) -> list[Loosening]:
    old, new = servers_of(before), servers_of(after)
    return [
        Loosening(SERVERS_FILE, f"{'new server' if name not in old else 'server'} {name}: {shown(new[name])}")
        for name in new
        if name not in old or shown(old[name]) != shown(new[name]) or old[name] != new[name]
    ]


def servers_of(content: FolderContent) -> Mapping[str, Any]:
    """The servers of `.mcp.json` by name; of a file in another shape, itself under its own name."""
    file = content.file(SERVERS_FILE)
    if file is None or file.data is None:
        return {}
    try:
        value = json.loads(file.data)
    except (ValueError, RecursionError):
        value = None
    servers = value.get("mcpServers") if isinstance(value, dict) else None
    return servers if isinstance(servers, dict) else {SERVERS_FILE: file.digest[:12]}
