"""Our own writes keep a folder trusted, and bless nothing that somebody else wrote (permissions.md §3.2, §9)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import decode_core
from decode_core.permissions.rules import RuleList
from decode_core.settings.files import project_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import load_settings
from decode_core.settings.replace import SettingsWriteError
from decode_core.settings.writing import set_value
from decode_core.trust.content import read_content
from decode_core.trust.folder import Standing, look_at, reader_of
from decode_core.trust.record import TrustRecord
from decode_core.trust.storing import drop_rule, keep_rule, rules_place, trust_stamp

RULE = "bash(npm test)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def write(root: Path, value: Any) -> Path:
    file = project_settings_file(root)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value))
    return file


def in_force(root: Path) -> list[str]:
    trust = look_at(root)
    file = project_settings_file(root)
    found = load_settings(
        None, file, project_trusted=trust.counts, grants=GrantedRules(), read=reader_of(trust.content)
    )
    return [f"{rule.source} {rule.list} {rule.text}" for rule in found.rules]


def test_always_in_a_fresh_folder_makes_a_file_that_is_trusted(root: Path) -> None:
    assert rules_place(root) == project_settings_file(root)
    kept = keep_rule(root, RuleList.ALLOW, RULE)
    assert (kept.file, kept.changed, kept.line, kept.is_private) == (project_settings_file(root), True, 4, False)
    assert look_at(root).standing is Standing.TRUSTED
    assert in_force(root) == [f"project allow {RULE}"]
    assert not keep_rule(root, RuleList.ALLOW, RULE).changed


def test_what_a_colleague_adds_to_that_file_makes_it_untrusted_again(root: Path) -> None:
    keep_rule(root, RuleList.ALLOW, RULE)
    ours = project_settings_file(root).read_bytes()
    write(root, {"permissions": {"allow": [RULE, "bash(curl *)"]}})
    assert look_at(root).standing is Standing.UNTRUSTED
    assert in_force(root) == []
    project_settings_file(root).write_bytes(ours)
    assert look_at(root).standing is Standing.TRUSTED, "a branch switched back is not asked about again"


def test_always_in_an_untrusted_folder_goes_to_the_persons_data_directory(root: Path) -> None:
    file = write(root, {"permissions": {"allow": ["bash(curl *)"]}})
    before = file.read_bytes()
    assert rules_place(root) == GrantedRules().file
    kept = keep_rule(root, RuleList.ALLOW, RULE)
    assert (kept.file, kept.is_private) == (GrantedRules().file, True)
    assert file.read_bytes() == before, "the repository's file is left alone"
    assert look_at(root).standing is Standing.UNTRUSTED
    assert in_force(root) == [f"user allow {RULE}"]
    assert drop_rule(root, RuleList.ALLOW, RULE).changed
    assert in_force(root) == []
    assert not drop_rule(root, RuleList.ALLOW, RULE).changed


def test_our_own_change_of_a_trusted_folder_keeps_it_trusted(root: Path) -> None:
    write(root, {"mode": "edit"})
    (root / ".mcp.json").write_text("{}")
    TrustRecord().trust(read_content(root))
    keep_rule(root, RuleList.DENY, "bash(rm *)")
    set_value(project_settings_file(root), ("agent",), "plan", before_write=trust_stamp(root))
    assert look_at(root).standing is Standing.TRUSTED
    drop_rule(root, RuleList.DENY, "bash(rm *)")
    assert look_at(root).standing is Standing.TRUSTED
    assert in_force(root) == []


def test_our_own_change_blesses_nothing_that_changed_beside_it(root: Path) -> None:
    write(root, {})
    TrustRecord().trust(read_content(root))
    (root / ".mcp.json").write_text('{"mcpServers": {"evil": {"command": "sh"}}}')
    stamp = trust_stamp(root)
    set_value(project_settings_file(root), ("agent",), "plan", before_write=stamp)
    assert look_at(root).standing is Standing.UNTRUSTED


def test_where_trust_cannot_be_kept_nothing_is_written(root: Path) -> None:
    file = write(root, {})
    record = TrustRecord()
    record.trust(read_content(root))
    record.file.write_text("{")
    with pytest.raises(SettingsWriteError, match=r"was not changed: .*delete it to start anew"):
        set_value(file, ("agent",), "plan", before_write=trust_stamp(root))
    assert json.loads(file.read_text()) == {}


WRITER = """
import sys
from pathlib import Path
from decode_core.permissions.rules import RuleList
from decode_core.trust.storing import keep_rule

for number in range(int(sys.argv[3])):
    keep_rule(Path(sys.argv[1]), RuleList.ALLOW, f"bash({sys.argv[2]} {number})")
    print(number, flush=True)
"""


def writer(root: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    source = str(Path(next(iter(decode_core.__path__))).parent)
    command = [sys.executable, "-c", WRITER, str(root), name, str(count)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.PIPE)


def test_two_sessions_that_say_always_at_once_lose_no_rule_and_no_trust(root: Path) -> None:
    writers = [writer(root, name, 8) for name in ("one", "two")]
    for each in writers:
        each.communicate(timeout=60)
        assert each.returncode == 0
    assert sorted(in_force(root)) == sorted(
        f"project allow bash({name} {number})" for name in ("one", "two") for number in range(8)
    )


@pytest.mark.parametrize("after", [1, 3])
def test_killed_while_always_is_written_the_file_is_the_old_one_or_the_new_one(root: Path, after: int) -> None:
    """peers.md §3 case 31: kill -9 at any moment leaves a file that reads, and is trusted."""
    process = writer(root, "x", 10_000)
    assert process.stdout is not None
    for _ in range(after):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    stored = json.loads(project_settings_file(root).read_text())["permissions"]["allow"]
    assert stored == [f"bash(x {number})" for number in range(len(stored))]
    assert len(stored) >= after
    assert look_at(root).standing is Standing.TRUSTED
    keep_rule(root, RuleList.ALLOW, RULE)
    assert in_force(root)[-1] == f"project allow {RULE}", "the lock of the dead one is no lock"
