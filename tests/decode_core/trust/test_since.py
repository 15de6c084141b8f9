"""A folder that changed while decode was closed: what loosens nothing stays trusted, else the difference is known."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from decode_core.trust.content import read_content
from decode_core.trust.folder import FolderTrust, Standing, look_at
from decode_core.trust.record import TrustRecord
from decode_core.trust.since import since_trusted

AGENT = "---\nname: x\ndescription: d\ntools: [read]\nmode: default\n---\nOld.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".decode" / "agents").mkdir(parents=True)
    (folder / ".decode" / "agents" / "x.md").write_text(AGENT)
    write(folder, {"permissions": {"allow": ["bash(make)"]}})
    TrustRecord().trust(read_content(folder))
    return folder


def write(root: Path, value: Any) -> None:
    (root / ".decode" / "settings.json").write_text(value if isinstance(value, str) else json.dumps(value))


def now(root: Path) -> FolderTrust:
    return since_trusted(look_at(root))


def test_a_change_that_loosens_nothing_keeps_it_trusted(root: Path) -> None:
    write(root, {"permissions": {"deny": ["read(.env)"]}, "compaction": {"at": 0.5}})
    (root / ".decode" / "agents" / "x.md").write_text(AGENT.replace("Old", "New"))
    assert look_at(root).standing is Standing.UNTRUSTED
    assert now(root).standing is Standing.TRUSTED
    assert look_at(root).standing is Standing.TRUSTED


def test_a_change_that_loosens_is_told_and_does_not_count(root: Path) -> None:
    write(root, {"permissions": {"allow": ["bash(make)", "bash(curl *)"]}})
    (root / ".decode" / "agents" / "x.md").write_text(AGENT.replace("[read]", "[read, bash]"))
    found = now(root)
    assert found.standing is Standing.UNTRUSTED
    assert found.loosens == ("settings: allow bash(curl *)", "agent x: more tools: bash")


@pytest.mark.parametrize("broken", ["{", '{"permissions": {"deny": ["read("]}}'])
def test_a_broken_file_is_not_taken_for_a_tightening(root: Path, broken: str) -> None:
    write(root, broken)
    assert now(root).standing is Standing.UNTRUSTED


def test_a_folder_that_nobody_trusted_is_not_compared(root: Path) -> None:
    TrustRecord().revoke(root)
    found = now(root)
    assert (found.standing, found.loosens) == (Standing.UNTRUSTED, ())


def test_a_kept_content_that_the_record_does_not_vouch_for_is_not_believed(root: Path) -> None:
    """Whoever can write the kept content alone gains nothing by it."""
    (kept,) = (file for file in TrustRecord().file.parent.glob("*.json") if file != TrustRecord().file)
    value = json.loads(kept.read_text())
    write(root, {"permissions": {"allow": ["bash"]}})
    value["files"][".decode/settings.json"] = base64.b64encode((root / ".decode/settings.json").read_bytes()).decode()
    kept.write_text(json.dumps(value))
    found = now(root)
    assert (found.standing, found.loosens) == (Standing.UNTRUSTED, ())
    kept.write_text("rubbish")
    assert now(root).standing is Standing.UNTRUSTED
