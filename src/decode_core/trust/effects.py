"""What a folder's content would do if it were trusted, as a list for people. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from decode_core.settings.layer import Layer
from decode_core.trust.content import AGENTS_FOLDER, SERVERS_FILE, SETTINGS_FILE, WHOLE_FOLDERS
from decode_core.trust.loaded import LoadedContent, servers_of
from decode_core.trust.values import ENTRIES, shown


class EffectKind(StrEnum):
    """What sort of thing it is; the value is the heading above its list."""

    RULES = "rules that let calls run unasked"
    SETTINGS = "settings"
    AGENTS = "agents"
    HOOKS = "hooks"
    SERVERS = "servers"
    SKILLS = "skills"
    COMMANDS = "commands"
    SCRIPTS = "scripts that these run"


@dataclass(frozen=True)
class Effect:
    """One thing that would count. `text` may hold anything: neutralise it before it is shown."""

    kind: EffectKind
    text: str
    file: str
    """Below the folder, in POSIX form."""
    line: int | None = None


_NOUNS = {
    EffectKind.RULES: "rule",
    EffectKind.SETTINGS: "setting",
    EffectKind.AGENTS: "agent",
    EffectKind.HOOKS: "hook",
    EffectKind.SERVERS: "server",
    EffectKind.SKILLS: "skill file",
    EffectKind.COMMANDS: "command",
    EffectKind.SCRIPTS: "script",
}
_KIND_OF_KEY = {
    "hooks": EffectKind.HOOKS,
    "mcp": EffectKind.SERVERS,
    "skills": EffectKind.SKILLS,
    "commands": EffectKind.COMMANDS,
}
_KIND_OF_FOLDER = dict(zip(WHOLE_FOLDERS, (EffectKind.HOOKS, EffectKind.SKILLS, EffectKind.COMMANDS), strict=True))


def effects(loaded: LoadedContent, builtin_agents: Collection[str] = ()) -> tuple[Effect, ...]:
    """Everything that would count, by kind. Deny and ask rules are left out: they count anyway."""
    found = [*_of_settings(loaded), *_of_agents(loaded, builtin_agents), *_of_files(loaded)]
    order = list(EffectKind)
    return tuple(sorted(found, key=lambda effect: order.index(effect.kind)))


def summary(found: Iterable[Effect]) -> str:
    """How many of each kind, in words: `2 rules, 1 agent`; empty where there is nothing."""
    counts = Counter(effect.kind for effect in found)
    return ", ".join(
        f"{count} {_NOUNS[kind]}{'' if count == 1 else 's'}" for kind in EffectKind if (count := counts[kind])
    )


def tightening_rules(loaded: LoadedContent) -> int:
    """How many deny and ask rules the folder brings; they count whether or not it is trusted."""
    return sum(rule.list.is_wide for rule in loaded.settings.rules)


def _of_settings(loaded: LoadedContent) -> Iterator[Effect]:
    layer = loaded.settings
    for rule in layer.rules:
        if not rule.list.is_wide:
            yield Effect(EffectKind.RULES, f"{rule.list} {rule.text}", SETTINGS_FILE, rule.line)
    for key, value in layer.values.items():
        kind = _KIND_OF_KEY.get(key)
        entries = value.items() if kind is not None and isinstance(value, dict) else ()
        for name, entry in entries:
            yield Effect(kind or EffectKind.SETTINGS, f"{name}: {shown(entry)}", SETTINGS_FILE, _line(layer, key, name))
        if key not in ENTRIES and key not in ("$schema", "permissions"):
            yield Effect(EffectKind.SETTINGS, f"{key} {shown(value)}", SETTINGS_FILE, _line(layer, key))
    for problem in layer.broken:
        yield Effect(EffectKind.SETTINGS, f"broken: {problem.sentence}", SETTINGS_FILE, problem.line)
    for name, server in servers_of(loaded.content).items():
        yield Effect(EffectKind.SERVERS, f"{name}: {shown(server)}", SERVERS_FILE)


def _line(layer: Layer, *path: str) -> int | None:
    position = layer.position(path)
    return None if position is None else position.line


def _of_agents(loaded: LoadedContent, builtin_agents: Collection[str]) -> Iterator[Effect]:
    for agent in loaded.agents.values():
        replaces = ", in place of the built-in one" if agent.name in builtin_agents else ""
        tools = ", ".join(agent.tools) or "none"
        text = f"{agent.name}{replaces}: mode {agent.mode}, tools {tools}"
        yield Effect(EffectKind.AGENTS, text, f"{AGENTS_FOLDER}/{agent.path.name}")
    for name in loaded.broken_agents:
        yield Effect(EffectKind.AGENTS, f"{name.rpartition('/')[2]}: broken, gives no agent", name)


def _of_files(loaded: LoadedContent) -> Iterator[Effect]:
    listed = {SETTINGS_FILE, SERVERS_FILE, *(file.name for file in loaded.content.agents())}
    for file in loaded.content.files:
        if file.name in listed:
            continue
        folder = next((folder for folder in WHOLE_FOLDERS if file.name.startswith(f"{folder}/")), None)
        kind = EffectKind.SCRIPTS if folder is None else _KIND_OF_FOLDER[folder]
        size = "unreadable" if file.data is None else f"{len(file.data):,} bytes"
        yield Effect(kind, f"{file.name} ({size})", file.name)
