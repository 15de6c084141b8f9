"""In plan nothing changes, whatever rules say and whatever the person types (permissions.md §2, peers.md case 33).

Real sessions on real files: every way to write is tried after "just edit it", and the tree is the same byte for byte.
"""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest

from decode_core import open_session, tool
from decode_core.events import DecisionRequested, EventBase, PermissionDecided, ToolCallFinished
from decode_core.permissions.by_mode import PLAN_REASON
from decode_core.permissions.modes import DecidedBy, ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.trust.content import read_content
from decode_core.trust.record import TrustRecord
from sessions import write_script

ATTEMPTS = {
    "write": ("write", {"path": "new.txt", "content": "x"}),
    "overwrite": ("write", {"path": "f.txt", "content": "x"}),
    "edit": ("edit", {"path": "f.txt", "old": "one", "new": "two"}),
    "multi_edit": ("multi_edit", {"path": "f.txt", "edits": [{"old": "one", "new": "two"}]}),
    "echo into a file": ("bash", {"command": "echo x > f.txt"}),
    "append": ("bash", {"command": "cat f.txt >> f.txt"}),
    "sed -i": ("bash", {"command": "sed -i s/one/two/ f.txt"}),
    "python -c": ("bash", {"command": "python3 -c \"open('f.txt','w').write('x')\""}),
    "tee": ("bash", {"command": "echo x | tee f.txt"}),
    "hidden in a read": ("bash", {"command": "ls $(touch new.txt)"}),
    "git": ("bash", {"command": "git init new"}),
    "a tool of the program": ("stamp", {"path": "f.txt"}),
}

RULES: dict[str, dict[str, list[str]]] = {
    "no rules": {},
    "every tool by name": {"allow": ["write", "edit", "multi_edit", "bash", "stamp"]},
    "everything by pattern": {"allow": ["write(**)", "edit(**)", "bash(*)", "stamp(*)"]},
    "these very calls": {
        "allow": [
            "bash(echo x > f.txt)",
            "bash(sed -i s/one/two/ f.txt)",
            "write(f.txt)",
            "edit(f.txt)",
            "write(new.txt)",
        ]
    },
    "readonly": {"readonly": ["bash", "write", "edit", "stamp"], "allow": ["bash"]},
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)  # where a program's own tool writes
    (folder / "f.txt").write_text("one\n")
    (folder / "g.txt").write_bytes(b"\x00\xff")
    return folder


def tree(root: Path) -> dict[str, str]:
    """Every file and folder with the digest of its bytes, what decode itself keeps there included."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(root.rglob("*"))
    }


def stamp(path: str) -> str:
    """Write into a file."""
    Path(path).write_text("stamped")
    return "done"


@pytest.mark.parametrize("rules", RULES)
def test_in_plan_every_write_is_refused_by_the_core_under_any_rules(workspace: Path, rules: str) -> None:
    trusted(workspace, RULES[rules])
    before = tree(workspace)
    events = attempt(workspace, "plan")
    assert tree(workspace) == before
    verdicts = [event for event in events if isinstance(event, PermissionDecided)]
    assert [(event.outcome.value, event.by) for event in verdicts] == [("deny", DecidedBy.PLAN_CEILING)] * len(ATTEMPTS)
    assert all(event.reason.startswith(PLAN_REASON) for event in verdicts)
    ends = [event.outcome.value for event in events if isinstance(event, ToolCallFinished)]
    assert ends == ["denied"] * len(ATTEMPTS)
    # nobody is asked either: no answer could allow it
    assert not [event for event in events if isinstance(event, DecisionRequested)]


def test_out_of_plan_the_same_rules_let_the_same_calls_write(workspace: Path) -> None:
    """What the tests above refuse would run: the rules are in force, and the calls can write."""
    trusted(workspace, RULES["every tool by name"])
    before = tree(workspace)
    verdicts = [event.outcome.value for event in attempt(workspace, "edit") if isinstance(event, PermissionDecided)]
    assert verdicts == ["allow"] * len(ATTEMPTS)
    assert {name for name, digest in tree(workspace).items() if before.get(name) != digest} >= {"f.txt", "new.txt"}


def trusted(workspace: Path, rules: dict[str, list[str]]) -> None:
    """Put the rules into the project's settings, and trust them."""
    (workspace / ".decode").mkdir()
    (workspace / ".decode" / "settings.json").write_text(json.dumps({"permissions": rules}))
    TrustRecord().trust(read_content(workspace))


def attempt(workspace: Path, mode: str) -> list[EventBase]:
    """The person switches to a mode, says "just edit it", and the model tries everything."""
    calls = [f"- calls: [{{tool: {name}, args: {json.dumps(args)}}}]" for name, args in ATTEMPTS.values()]
    model = write_script(workspace.parent, "\n".join([*calls, "- text: I may not."]))
    writing = tool(stamp, kind=ToolKind.OTHER, subject="path", subject_kind=SubjectKind.TEXT, needs_approval=False)

    async def main() -> list[EventBase]:
        async with open_session(workspace, mode="default", model=model, tools=[writing]) as session:
            session.set_mode(mode, "key")
            return [event async for event in session.send("just edit it, I allow everything")]

    return asyncio.run(main())
