"""Every lasting answer by keyboard, on real files, and what it comes to (keys.md §5.2)."""

import asyncio
import json
from pathlib import Path

from decode_core.events import DecisionRequested, PermissionDecided, ToolCallFinished, TurnFinished
from decode_core.permissions.modes import DecidedBy, PermissionMode
from decode_ui.testing import workbench
from sessions import write_script

SCRIPT = """
- calls: [{tool: bash, args: {command: "touch ./one"}}]
- calls: [{tool: bash, args: {command: "touch ./two"}}]
- calls: [{tool: write, args: {path: wrong.txt, content: x}}]
- calls: [{tool: write, args: {path: third.txt, content: x}}]
- calls: [{tool: write, args: {path: fourth.txt, content: x}}]
- calls: [{tool: bash, args: {command: "mkdir never"}}]
- calls: [{tool: bash, args: {command: "mkdir never"}}]
- text: Done.
"""


def test_a_pattern_a_change_the_mode_and_a_lasting_refusal(tmp_path: Path) -> None:
    async def go() -> None:
        root = tmp_path / "ws"
        root.mkdir()
        async with workbench(root, size=(120, 36), model=write_script(tmp_path, SCRIPT)) as bench:
            await bench.send("go")
            await bench.open_question()
            await bench.press("p", "enter")
            await bench.open_question(2)  # the second touch ran by the pattern: this is about the file
            assert (root / "two").exists()
            await bench.press("e", "home", *["delete"] * len("wrong"))
            await bench.write("right")
            await bench.press("enter")
            await bench.open_question(3)
            assert (root / "right.txt").read_text() == "x" and not (root / "wrong.txt").exists()
            await bench.press("m")
            await bench.open_question(4)  # the fourth file ran in mode edit: this is about mkdir
            assert bench.session.mode is PermissionMode.EDIT
            assert (root / "fourth.txt").exists()
            await bench.press("d")
            await bench.wait_for(TurnFinished)
            assert len(bench.all_of(DecisionRequested)) == 4
            assert [event.outcome.value for event in bench.all_of(ToolCallFinished)] == ["ok"] * 5 + ["denied"] * 2
            assert bench.all_of(PermissionDecided)[-1].by is DecidedBy.RULE
        stored = json.loads((root / ".decode" / "settings.json").read_text())["permissions"]
        assert stored == {"allow": ["bash(touch *)"], "deny": ["bash(mkdir never)"]}

    asyncio.run(go())
