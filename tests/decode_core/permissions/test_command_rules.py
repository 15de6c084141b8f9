"""What rules say of a command is kept for as long as they stand; the facts of each call are its own."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionOutcome
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from shell_workspace import make_workspace, request_of


def rule(text: str, in_list: str) -> Rule:
    return parse_rule(text, RuleList(in_list), RuleSource.USER)


def test_the_analysis_of_shell_text_is_not_loaded_before_the_first_command() -> None:
    code = (
        "import sys\n"
        "import decode_core.permissions.gate, decode_core.permissions.resolve, decode_core.tools.registry\n"
        "early = [name for name in sys.modules if name.startswith('decode_core.permissions.shell.')]\n"
        "assert not early, early\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_command_seen_before_is_judged_on_its_own_facts(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    gate = PermissionGate(rules=[rule("bash", "readonly")])
    assert gate.check(request_of(ws, "bash", {"command": "cat a"})).outcome is PermissionOutcome.ALLOW
    (ws / "a").unlink()
    (ws / "a").symlink_to("/etc/passwd")
    assert gate.check(request_of(ws, "bash", {"command": "cat a"})).outcome is PermissionOutcome.ASK


def test_a_pattern_that_matches_another_file_now_is_another_command(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    gate = PermissionGate(rules=[rule("bash(ls *)", "allow"), rule("read(*.secret)", "deny")])
    assert gate.check(request_of(ws, "bash", {"command": "ls x*"})).outcome is PermissionOutcome.ALLOW
    (ws / "x.secret").touch()
    assert gate.check(request_of(ws, "bash", {"command": "ls x*"})).outcome is PermissionOutcome.DENY
    (ws / "x.secret").rename(ws / "x-la")
    assert gate.check(request_of(ws, "bash", {"command": "ls x*"})).outcome is PermissionOutcome.ALLOW


def test_rules_hold_for_the_tool_that_they_name_whatever_was_seen_before(tmp_path: Path) -> None:
    gate = PermissionGate(rules=[rule("bash", "allow")])
    call = request_of(make_workspace(tmp_path), "bash", {"command": "make"})
    assert gate.check(call).outcome is PermissionOutcome.ALLOW
    assert gate.check(replace(call, tool="other_shell")).outcome is PermissionOutcome.ASK
    gate.set_rules(RuleSource.USER, [])
    assert gate.check(call).outcome is PermissionOutcome.ASK
