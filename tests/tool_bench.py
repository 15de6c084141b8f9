"""Calls of single tools in a scratch workspace, without engine and gate, for tests of the tools."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decode_core.events import TodoItem
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.tools.calls import freeze_call
from decode_core.tools.registry import builtin_registry
from decode_core.tools.shell_sandbox import CommandSandbox, open_sandbox
from decode_core.tools.spec import (
    ChangePreview,
    FileMemory,
    Limits,
    PlanAnswer,
    ToolArgs,
    ToolContext,
    ToolResult,
    ToolSpec,
    UserAnswer,
)
from decode_core.workspace import Workspace


@dataclass
class Person:
    """A `SessionControl` that gives one prepared answer to every plan and keeps what it was asked."""

    plan_mode: bool = False
    answer: PlanAnswer = field(default_factory=lambda: PlanAnswer("approve"))
    reviewed: list[tuple[str, str, str]] = field(default_factory=list)
    todos: tuple[TodoItem, ...] = ()
    steps: tuple[int, ...] | None = None
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    reply: UserAnswer = field(default_factory=lambda: UserAnswer(nobody=True))

    def in_plan_mode(self) -> bool:
        return self.plan_mode

    def enter_plan_mode(self) -> None:
        self.plan_mode = True

    async def review_plan(self, call_id: str, plan: str, title: str) -> PlanAnswer:
        self.reviewed.append((call_id, plan, title))
        return self.answer

    async def ask_user(
        self, call_id: str, question: str, options: tuple[str, ...], *, multiple: bool, allow_free_text: bool
    ) -> UserAnswer:
        self.asked.append((question, options))
        return self.reply

    def set_todos(self, items: tuple[TodoItem, ...]) -> None:
        self.todos = items

    def approved_steps(self) -> tuple[int, ...] | None:
        return self.steps


@dataclass
class Frozen:
    """A call whose facts are frozen and that has not run yet: time for the world to change."""

    spec: ToolSpec
    args: ToolArgs
    context: ToolContext

    async def start(self) -> ToolResult:
        """Run it on the running loop."""
        return await self.spec.run(self.args, self.context)

    def run(self) -> ToolResult:
        """Run it on a loop of its own."""
        return asyncio.run(self.start())

    def preview(self) -> ChangePreview | str:
        """What it would change."""
        assert self.spec.preview is not None
        return self.spec.preview(self.args, self.context.request)


class Bench:
    """A workspace `root` with one session's memory; `spill` is the folder of full outputs."""

    def __init__(self, folder: Path) -> None:
        self.root = (folder / "project").resolve()
        self.root.mkdir()
        self.spill = (folder / "spill").resolve()
        self.spill.mkdir(mode=0o700)
        self.workspace = Workspace(self.root, readable=(self.spill,))
        self.files = FileMemory()
        self.person = Person()
        self.limits = Limits()
        self.shell: dict[str, Any] = {}
        self.sandbox: CommandSandbox | None = None
        self.shown: list[str] = []
        self.on_progress = self.shown.append

    def file(self, path: str, content: str | bytes = "", mode: int | None = None) -> Path:
        """Make a file and its folders."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        if mode is not None:
            target.chmod(mode)
        return target

    def sandboxed(self, *, network: bool = True) -> None:
        """Run the commands that follow in the sandbox that the test has chosen."""
        self.sandbox = open_sandbox(self.workspace, self.spill, Standing(SandboxMode.AUTO, network=network))

    def freeze(self, tool: str, **args: Any) -> Frozen:
        """Validate the arguments and freeze the facts of a call."""
        registry = builtin_registry()
        spec = registry.get(tool)
        valid = registry.validate(tool, args)
        assert spec is not None
        assert isinstance(valid, ToolArgs), valid
        request: PermissionRequest = freeze_call(spec, valid, self.workspace, call_id="c1")
        assert request.invalid is None, request.invalid
        context = ToolContext(
            workspace=self.workspace,
            request=request,
            files=self.files,
            control=self.person,
            limits=self.limits,
            progress=self.on_progress,
            spill_folder=self.spill,
            shell_state=self.shell,
            sandbox=self.sandbox,
        )
        return Frozen(spec, valid, context)

    def call(self, tool: str, **args: Any) -> ToolResult:
        """Make a call from beginning to end."""
        return self.freeze(tool, **args).run()

    def changed(self, path: str, tool: str = "edit", **args: Any) -> ToolResult:
        """Read a file and change it."""
        self.call("read", path=path)
        return self.call(tool, path=path, **args)
