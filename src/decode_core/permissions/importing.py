"""Rules of other agents in our words: `Bash(npm run test:*)`, `Read(./.env)`, `Edit(src/**)`, `WebFetch(domain:…)`,
`mcp__server__tool` (the style of Claude Code's settings). Pure.

What is imported never lets more run than the original: an allow rule is translated into rules that cover no more, a
deny or ask rule into rules that match no less. Where that cannot be had, the rule is left out and the reason told.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from decode_core.permissions.patterns import escape
from decode_core.permissions.rules import RuleError, RuleList, RuleSource, parse_rule

LISTS = (RuleList.DENY, RuleList.ASK, RuleList.ALLOW)
"""The lists that such settings have."""


class Origin(Enum):
    """Whose settings the rules come from: what a path that begins with one slash counts from."""

    PROJECT = auto()
    USER = auto()


@dataclass(frozen=True)
class ImportedRule:
    """One rule and what became of it: our rules, or the reason why there are none. The texts may hold anything."""

    list: RuleList
    original: str
    rules: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    """How ours differ, where they do."""


def import_rule(in_list: RuleList, original: object, origin: Origin = Origin.PROJECT) -> ImportedRule:
    """Translate one rule. Never raises."""
    text = original.strip() if isinstance(original, str) else ""
    found = _RULE.fullmatch(text)
    if found is None:
        return ImportedRule(in_list, str(original), reason="it is no rule of the form Tool or Tool(pattern)")
    try:
        rules, note = _translated(in_list, found["tool"], found["pattern"], origin)
        for rule in rules:
            parse_rule(rule, in_list, RuleSource.USER)
    except _NoCounterpartError as error:
        return ImportedRule(in_list, text, reason=str(error))
    except RuleError as error:
        return ImportedRule(in_list, text, reason=f"its translation is no rule here: {error}")
    return ImportedRule(in_list, text, rules, note=note)


class _NoCounterpartError(Exception):
    """The rule has no counterpart; the message is a clause that says why."""


_RULE = re.compile(r"(?P<tool>[A-Za-z_][A-Za-z0-9_.-]*\*?)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_MAX_READINGS = 8
_SETS = re.compile(r"\?|\[[^\]]*\]")
"""Wildcards of gitignore patterns for one character; a deny or ask rule takes any run of characters instead."""
_SERVER = re.compile(r"[a-z0-9-]+")

_Translation = tuple[tuple[str, ...], str]

_TOOLS: Mapping[str, tuple[str, ...]] = {
    "Bash": ("bash",),
    "Read": ("read",),
    "Edit": ("edit", "write"),
    "Write": ("write",),
    "MultiEdit": ("multi_edit",),
    "Glob": ("glob",),
    "Grep": ("grep",),
    "WebFetch": ("web_fetch",),
    "TodoWrite": ("todo_write",),
    "BashOutput": ("bash_jobs",),
    "AskUserQuestion": ("ask_user",),
    "EnterPlanMode": ("enter_plan_mode",),
    "ExitPlanMode": ("exit_plan_mode",),
    "Task": ("task",),
    "Agent": ("task",),
    "Skill": ("skill",),
}
"""Tools that are there under another name."""

_OTHER_NAMES = {
    "Task": "agents have other names here; deny or allow the tool task as a whole",
    "Agent": "agents have other names here; deny or allow the tool task as a whole",
    "Skill": "skills have other names here; deny or allow the tool skill as a whole",
}


def _translated(in_list: RuleList, tool: str, pattern: str | None, origin: Origin) -> _Translation:
    if tool.startswith("mcp__"):
        return _server_rule(tool, pattern)
    names = _TOOLS.get(tool)
    if names is None:
        raise _NoCounterpartError(f"decode has no tool like {tool}")
    if pattern is None or pattern.strip() in ("*", "**"):
        every = tool == "Bash" and in_list is RuleList.ALLOW
        return names, "every command, whatever it does" if every else ""
    if not pattern.strip():
        raise _NoCounterpartError("its pattern is empty")
    match tool:
        case "Bash":
            return _command_rules(in_list, pattern)
        case "WebFetch":
            return _fetch_rules(in_list, pattern)
        case "Read" | "Edit" | "Write" | "MultiEdit" | "Glob" | "Grep":
            path, note = _path(in_list, pattern.strip(), origin)
            paths = _readings(path) if in_list.is_wide else (path,)
            return tuple(f"{name}({each})" for name in names for each in paths), note
        case _:
            raise _NoCounterpartError(_OTHER_NAMES.get(tool, f"{tool} has no pattern here"))


def _server_rule(tool: str, pattern: str | None) -> _Translation:
    if pattern is not None:
        raise _NoCounterpartError("rules for tools of servers have no pattern here")
    server, _, name = tool.removeprefix("mcp__").partition("__")
    if not _SERVER.fullmatch(server):
        raise _NoCounterpartError("names of servers are lower case letters, digits and - here")
    return (f"mcp__{server}__{name or '*'}",), ""


def _command_rules(in_list: RuleList, pattern: str) -> _Translation:
    prefix = pattern.removesuffix(":*").rstrip() if pattern.endswith(":*") else None
    if prefix == "":
        return _translated(in_list, "Bash", None, Origin.PROJECT)
    if in_list.is_wide:
        # a prefix is taken to the letter: `rm:*` may have been meant for `rmdir` as well
        text = _starred(pattern) if prefix is None else f"{_starred(prefix)}*"
        return (f"bash({text})",), ""
    note = "options and subcommands that run or write something else still ask" if "*" in pattern else ""
    if prefix is not None:
        return (f"bash({_starred(prefix)})", f"bash({_starred(prefix)} *)"), note
    return (f"bash({_starred(pattern)})",), note


def _starred(text: str) -> str:
    """The text with its stars as wildcards and everything else to the letter."""
    return "*".join(escape(piece) for piece in text.split("*"))


def _fetch_rules(in_list: RuleList, pattern: str) -> _Translation:
    kind, _, domain = pattern.strip().partition(":")
    domain = domain.strip().lower()
    if kind != "domain" or not re.fullmatch(r"(?:\*\.)?[a-z0-9.-]+", domain):
        raise _NoCounterpartError("only WebFetch(domain:…) names an address")
    if in_list.is_wide:
        return (f"web_fetch({domain})",), ""
    return (f"web_fetch(https://{domain}/*)",), "https only"


def _readings(path: str) -> tuple[str, ...]:
    """The pattern as it stands, and with each `/**/` standing for a single slash, which is one of its meanings."""
    found = [path]
    for _ in range(path.count("/**/")):
        found += [each.replace("/**/", "/", 1) for each in found if "/**/" in each]
        if len(found) > _MAX_READINGS:
            raise _NoCounterpartError("it holds too many **")
    return tuple(dict.fromkeys(found))


def _path(in_list: RuleList, pattern: str, origin: Origin) -> tuple[str, str]:
    """A path pattern of the gitignore kind in ours, and how it differs."""
    if pattern.startswith("!"):
        raise _NoCounterpartError("exceptions from a rule cannot be written here")
    if in_list.is_wide:
        pattern = _SETS.sub("*", pattern)
    if "\\" in pattern or _SETS.search(pattern):
        raise _NoCounterpartError("only * and ** are wildcards in paths here")
    if pattern.startswith("//"):
        path = pattern[1:]
    elif pattern.startswith("/") and origin is Origin.USER:
        raise _NoCounterpartError("it counts from the folder of those settings; write it with ~/ or in full")
    elif pattern.startswith("/"):
        path = pattern[1:]
    else:
        path = pattern.removeprefix("./")
    if path.endswith("/"):
        path += "**"
    if not path or path.startswith("../") or "/../" in path:
        raise _NoCounterpartError("paths with .. are not patterns here")
    anywhere = "/" not in path and not in_list.is_wide
    return path, "at the top of the workspace only" if anywhere else ""
