"""Rules: `Tool` or `Tool(pattern)`, in four lists, from five sources (permissions.md §3)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from decode_core.permissions.patterns import Pattern, compile_pattern, matches

MAX_RULES_PER_LAYER = 2_000

_RULE = re.compile(r"(?P<tool>[A-Za-z_][A-Za-z0-9_.-]*\*?)(?:\((?P<pattern>.*)\))?", re.DOTALL)


class RuleList(StrEnum):
    """Which list a rule stands in."""

    DENY = "deny"
    ASK = "ask"
    ALLOW = "allow"
    READONLY = "readonly"

    @property
    def is_wide(self) -> bool:
        """Deny and ask match any reasonable reading of a call; allow and readonly only what is wholly covered."""
        return self in (RuleList.DENY, RuleList.ASK)


class RuleSource(StrEnum):
    """Where a rule comes from."""

    USER = "user"
    PROJECT = "project"
    AGENT = "agent"
    SESSION = "session"
    PARENT = "parent"


class RuleError(ValueError):
    """A rule that cannot be read. The message is one sentence without the rule's place."""


@dataclass(frozen=True)
class Rule:
    """One rule. `pattern` is None for a bare `Tool`, which matches every call of the tool."""

    text: str
    list: RuleList
    source: RuleSource
    tool: str
    pattern: Pattern | None = None
    line: int | None = None
    """Line of the rule in its file, counted from 1, where known."""

    def names(self, tool: str) -> bool:
        """Whether this rule speaks of `tool`; `mcp__server__*` names every tool that begins so."""
        if self.tool.endswith("*"):
            return tool.startswith(self.tool[:-1])
        return tool == self.tool

    def covers_text(self, subject: str) -> bool:
        """Whether the pattern matches a plain text subject, `*` standing for any run of characters."""
        return self.pattern is None or matches(self.pattern, subject, star_crosses_slash=True)


def parse_rule(text: object, in_list: RuleList, source: RuleSource, line: int | None = None) -> Rule:
    """Read one rule.

    Raises RuleError with one sentence: not a string, malformed, an empty pattern, or a pattern for a URL whose host is
    not closed (`https://docs.python.org*` would also match `docs.python.org.evil.example`).
    """
    if not isinstance(text, str):
        raise RuleError(f'a rule is a string like "bash(git *)", not {type(text).__name__}')
    found = _RULE.fullmatch(text.strip())
    if found is None:
        raise RuleError(f"malformed rule {_clipped(text)}; write Tool or Tool(pattern)")
    tool, pattern = found["tool"], found["pattern"]
    if tool.endswith("*") and not tool.startswith("mcp__"):
        raise RuleError(f"malformed rule {_clipped(text)}; only the names of MCP tools may end in *")
    if pattern is not None and not pattern.strip():
        raise RuleError(f"malformed rule {_clipped(text)}; the pattern is empty, write {tool!r} for every call")
    if pattern is not None and tool == "web_fetch" and not in_list.is_wide:
        _check_url_pattern(text, pattern)
    if pattern is not None and in_list.is_wide:
        # a stray blank must not cost anybody a deny; a narrow rule means its text to the letter
        pattern = pattern.strip()
    return Rule(text.strip(), in_list, source, tool, None if pattern is None else compile_pattern(pattern), line)


def _clipped(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:79] + "…")


def _check_url_pattern(text: str, pattern: str) -> None:
    scheme, _, rest = pattern.strip().partition("://")
    if scheme not in ("http", "https", "*") or not rest:
        raise RuleError(f"malformed rule {_clipped(text)}; a URL pattern begins with http:// or https://")
    host = re.split(r"[/:]", rest, maxsplit=1)[0]
    if "*" in host and not re.fullmatch(r"(?:\*\.)*[^*]+", host):
        raise RuleError(
            f"malformed rule {_clipped(text)}; "
            "* in a host stands for whole left-hand labels only, like https://*.example.org/*"
        )
