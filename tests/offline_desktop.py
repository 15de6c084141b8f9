"""A few files in memory, tools over them, and a talk with the offline model about them."""

import asyncio
import fnmatch
import re
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, FunctionToolset, ToolDenied, ToolFailed
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

from decode_core.engine.offline import OfflineModel

PLAN_CHANGES_NOTHING = "Not permitted: plan mode changes nothing; finish the plan with exit_plan_mode."


@dataclass
class Desktop:
    """Files, and tools over them that behave like the real ones."""

    files: dict[str, str] = field(
        default_factory=lambda: {
            "README.md": "# Demo\n\n## Install\n\nfoo bar foo\n",
            "src/app.py": "import os\n# TODO one\ndef main():\n    pass\n",
            "src/b.py": "x = 1  # TODO two\n",
        }
    )
    in_plan_mode: bool = False
    reviews: list[str] = field(default_factory=list)
    """What the person answers to each plan, in order."""
    plans: list[str] = field(default_factory=list)
    diff: str = ""

    def tools(self) -> FunctionToolset[None]:
        toolset: FunctionToolset[None] = FunctionToolset()
        for tool in (
            self.read,
            self.glob,
            self.grep,
            self.write,
            self.edit,
            self.bash,
            self.enter_plan_mode,
            self.exit_plan_mode,
            self.todo_write,
            self.ask_user,
        ):
            toolset.add_function(tool, takes_ctx=False, description=tool.__name__)
        return toolset

    def read(self, path: str, offset: int = 1, limit: int | None = None) -> str:
        if path not in self.files:
            raise ToolFailed(f"{path} does not exist. Find it with glob.")
        lines = list(enumerate(self.files[path].splitlines(), start=1))[offset - 1 :]
        return "\n".join(f"{number:6}\t{line}" for number, line in lines[:limit]) or "(The file is empty.)"

    def glob(self, pattern: str, path: str | None = None) -> str:
        wanted = re.sub(r"^\*\*/", "*", pattern)
        found = [
            name
            for name in self.files
            if fnmatch.fnmatchcase(f"/{name}", f"*/{wanted.lstrip('*/')}") or fnmatch.fnmatchcase(name, wanted)
        ]
        found = [name for name in found if path is None or name.startswith(f"{path}/")]
        return "\n".join(found) or "No file matches."

    def grep(self, pattern: str, path: str | None = None, glob: str | None = None, files_only: bool = False) -> str:
        found = [
            name if files_only else f"{name}:{number}:{line}"
            for name, text in self.files.items()
            for number, line in enumerate(text.splitlines(), start=1)
            if re.search(pattern, line) and (path is None or name.startswith(path))
        ]
        return "\n".join(dict.fromkeys(found)) or "No match."

    def write(self, path: str, content: str) -> Any:
        if self.in_plan_mode:
            return ToolDenied(PLAN_CHANGES_NOTHING)
        if path in self.files:
            raise ToolFailed(f"{path} exists and was not read in this session; read it first.")
        self.files[path] = content
        return f"Wrote {path}."

    def edit(self, path: str, old: str, new: str, replace_all: bool = False) -> Any:
        if self.in_plan_mode:
            return ToolDenied(PLAN_CHANGES_NOTHING)
        count = self.files[path].count(old)
        if not count:
            raise ToolFailed(f"old was not found in {path}.")
        self.files[path] = self.files[path].replace(old, new)
        return f"Edited {path}: {count} replacement{'s' if count > 1 else ''} at line 1 (+1 −1)."

    def bash(self, command: str) -> Any:
        if command.startswith("git diff"):
            return self.diff
        if command == "secret":
            return ToolDenied("The person refused this call and says: use make instead")
        return f"ran {command}\nexit 0"

    def enter_plan_mode(self) -> str:
        self.in_plan_mode = True
        return "Plan mode is on; finish with exit_plan_mode."

    def exit_plan_mode(self, plan: str, title: str = "") -> str:
        self.plans.append(plan)
        if not self.reviews:
            raise ToolFailed("Nobody is here to review the plan.")
        answer = self.reviews.pop(0)
        self.in_plan_mode = "approved" not in answer
        return answer

    def todo_write(self, items: list[dict[str, Any]]) -> str:
        return f"{len(items)} items."

    def ask_user(self, question: str, options: list[str] | None = None) -> str:
        return (options or ["yes"])[-1]


def talk(desktop: Desktop, prompt: str, history: list[ModelMessage] | None = None) -> tuple[str, list[ModelMessage]]:
    agent = Agent(OfflineModel(), toolsets=[desktop.tools()])
    result = asyncio.run(agent.run(prompt, message_history=history))
    return result.output, result.new_messages()


def calls(messages: list[ModelMessage]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (part.tool_name, part.args_as_dict())
        for message in messages
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]


def prompt(text: str, run_id: str | None = "a") -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(text)], run_id=run_id)


def called(tool: str, call_id: str = "1", run_id: str | None = "a", **args: object) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart(tool, args, tool_call_id=call_id)], run_id=run_id)


def gave(tool: str, text: str, call_id: str = "1", run_id: str | None = "a", outcome: Any = "success") -> ModelRequest:
    return ModelRequest(parts=[ToolReturnPart(tool, text, tool_call_id=call_id, outcome=outcome)], run_id=run_id)
