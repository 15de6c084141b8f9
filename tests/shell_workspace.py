"""A workspace for permission tests, and the verdict over a call in it, taken the way the engine takes it."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.request import PermissionDecision, PermissionRequest
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.tools.calls import freeze_call
from decode_core.tools.registry import builtin_registry
from decode_core.tools.spec import ToolArgs
from decode_core.workspace import Workspace

FILES = (
    "README.md",
    "src/a.py",
    "src/deep/x/a.py",
    "docs/.keep",
    "list",
    "a",
    "b",
    "package.json",
    ".env",
    "secret.txt",
    "file with spaces.txt",
)

_REGISTRY = builtin_registry()


def make_workspace(root: Path) -> Path:
    """The workspace that the case files assume: a git repository with one commit, and two links."""
    ws = root / "ws"
    for name in FILES:
        path = ws / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n" if name.endswith(".json") else "x\n")
    (ws / ".gitignore").write_text(".env\n")
    (ws / "link").symlink_to("/etc")
    (ws / "lnk").symlink_to("src")
    run_git(ws, "init", "-q", "-b", "main")
    run_git(ws, "add", "-A")
    run_git(ws, "commit", "-qm", "start")
    return ws


def run_git(folder: Path, *words: str) -> None:
    """Run git as nobody in particular."""
    git = shutil.which("git")
    assert git is not None
    who = ("-c", "user.name=cases", "-c", "user.email=cases@example.invalid")
    subprocess.run([git, *who, *words], cwd=folder, check=True, capture_output=True)


def request_of(ws: Path, tool: str, args: Mapping[str, Any], folder: Path | None = None) -> PermissionRequest:
    """The request of a call, with its facts looked up."""
    spec = _REGISTRY.get(tool)
    if spec is None:
        return PermissionRequest("c", tool, None)
    valid = _REGISTRY.validate(tool, args)
    if not isinstance(valid, ToolArgs):
        return PermissionRequest("c", tool, spec.kind, invalid=valid)
    return freeze_call(spec, valid, Workspace(ws), call_id="c", folder=folder)


def judge(
    ws: Path, command: str, mode: str = "default", folder: Path | None = None, **lists: Sequence[str]
) -> PermissionDecision:
    """The verdict over a shell command under these rules alone."""
    return judge_call(ws, "bash", {"command": command}, mode, lists, folder)


def judge_call(
    ws: Path,
    tool: str,
    args: Mapping[str, Any],
    mode: str,
    lists: Mapping[str, Sequence[str]],
    folder: Path | None = None,
) -> PermissionDecision:
    """The verdict over a call under these rules alone."""
    rules = [parse_rule(text, RuleList(name), RuleSource.USER) for name, texts in lists.items() for text in texts]
    return PermissionGate(PermissionMode.parse(mode), rules).check(request_of(ws, tool, args, folder))


def is_read(ws: Path, command: str, folder: Path | None = None) -> bool:
    """Whether the command is proven to only read."""
    facts = request_of(ws, "bash", {"command": command}, folder).shell
    assert facts is not None
    return facts.is_proven


def why_not_read(ws: Path, command: str) -> str:
    """Why the command is not proven to only read."""
    facts = request_of(ws, "bash", {"command": command}).shell
    assert facts is not None
    return next((problem for problem in facts.unproven if problem is not None), "")
