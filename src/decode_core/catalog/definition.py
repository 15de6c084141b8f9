"""What an agent is, and what can be wrong with its file (catalog.md §1 and §3)."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import Rule

TOOL_NAMES = frozenset(
    {"read", "glob", "grep", "write", "edit", "multi_edit", "bash", "bash_jobs", "web_fetch", "todo_write", "ask_user"}
    | {"enter_plan_mode", "exit_plan_mode", "sleep", "task", "agent_status", "agent_await", "skill"}
)
"""Every tool that the product knows by name (core.md §4); an agent may name them also where one is not there yet."""

EVERY_TOOL = "*"
NAME_PATTERN = "^[a-z0-9][a-z0-9-]{0,63}$"
COLOR_PATTERN = "^#[0-9a-fA-F]{6}$"
MAX_TURNS = 99_999


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
    """One fault of one file. Line and column count from 1; 1:1 where the place is not known.

    `field` is the key of the front matter that the fault is about, `prompt` for the text below it, empty for the file
    as a whole.
    """

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

    # built at first use: the command line answers most questions without an agent
    model_config = ConfigDict(frozen=True, defer_build=True)

    name: Annotated[str, Field(pattern=NAME_PATTERN)]
    description: Annotated[str, Field(min_length=1)]
    tools: tuple[str, ...]
    """Names of tools, `*` for all, and prefixes such as `mcp__github__*`."""
    mode: PermissionMode
    """The gate's mode once the agent is selected."""
    model: str | None = None
    """None: the session's model."""
    rules: tuple[Rule, ...] = ()
    subagent: Subagent = Subagent.PRIMARY
    max_turns: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None
    """Limit of model requests when it runs as a sub-agent."""
    color: Annotated[str, Field(pattern=COLOR_PATTERN)] | None = None
    prompt: Annotated[str, Field(min_length=1)]
    """The system prompt, lines ending in LF."""
    extra: tuple[tuple[str, str], ...] = ()
    """Keys that this version does not know, each with its value as it is written."""
    path: Path
    layer: Layer
    stands_in: bool = False
    """Whether it was narrowed, because a broken file would have overridden it."""

    def offers(self, tool: str) -> bool:
        """Whether this agent may use the tool: named, `*`, or a prefix such as `mcp__github__*`."""
        return any(
            name in (EVERY_TOOL, tool) or (name.endswith("*") and tool.startswith(name[:-1])) for name in self.tools
        )

    def narrowed(self, rules: tuple[Rule, ...] = ()) -> "AgentDef":
        """This agent where it stands in for a broken one: nothing runs unasked that the mode default would not run.

        Without its allow and readonly rules, in its own mode where that is stricter than default, and under `rules`
        besides.
        """
        return self.model_copy(
            update={
                "rules": (*(rule for rule in self.rules if rule.list.is_wide), *rules),
                "mode": min(self.mode, PermissionMode.DEFAULT, key=lambda mode: mode.strictness),
                "stands_in": True,
            }
        )
