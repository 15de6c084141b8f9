"""What an agent is, and what can be wrong with its file (catalog.md §1 and §3)."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import Rule

TOOL_NAMES = frozenset(
    {"read", "glob", "grep", "write", "edit", "multi_edit", "bash", "bash_jobs", "web_fetch", "todo_write", "ask_user"}
    | {"enter_plan_mode", "exit_plan_mode", "sleep", "task", "agent_status", "agent_await", "skill"}
)
"""Every tool that the product knows by name; an agent may name them also where one is not there yet."""


class Layer(StrEnum):
    """Where an agent's file lies; a later layer overrides an earlier one of the same name."""

    BUILTIN = "built-in"
    USER = "user"
    PROJECT = "project"


class Subagent(StrEnum):
    """Who may start an agent: the person only, another agent only, or both."""

    PRIMARY = "primary"
    ONLY = "only"
    BOTH = "both"


@dataclass(frozen=True)
class CatalogError:
    """One fault of one file. Line and column count from 1; 1:1 where the place is not known."""

    path: Path
    line: int
    column: int
    field: str
    problem: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.path}:{self.line}:{self.column}: {self.problem}"
        return f"{text}; {self.hint}" if self.hint else text


class AgentDef(BaseModel):
    """A validated agent. `rules` carry the source agent and their line in the file."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, defer_build=True)

    name: str
    description: str
    tools: tuple[str, ...]
    mode: PermissionMode = PermissionMode.DEFAULT
    model: str | None = None
    rules: tuple[Rule, ...] = ()
    subagent: Subagent = Subagent.PRIMARY
    max_turns: int | None = None
    color: str | None = None
    prompt: str
    path: Path
    layer: Layer

    def offers(self, tool: str) -> bool:
        """Whether this agent may use the tool: named, `*`, or a prefix such as `mcp__github__*`."""
        return any(name in ("*", tool) or (name.endswith("*") and tool.startswith(name[:-1])) for name in self.tools)
