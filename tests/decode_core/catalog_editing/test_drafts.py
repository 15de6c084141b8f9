"""Unsaved texts survive: kept as a whole or not at all, and nothing in the folder stops anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.drafts import AgentDraft, AgentDrafts
from decode_core.catalog_editing.files import AgentFile

ROOT = Path("/ws")


def file(name: str = "x", layer: Layer = Layer.PROJECT, root: Path = ROOT) -> AgentFile:
    return AgentFile(root / ".decode" / "agents" / f"{name}.md", layer, root)


def test_drafts_of_the_workspace_and_of_the_persons_own_agents_come_back(tmp_path: Path) -> None:
    drafts = AgentDrafts(tmp_path / "drafts")
    assert drafts.of(ROOT) == []
    mine = AgentDraft(file("mine", Layer.USER, Path("/elsewhere")), "text\n", None)
    here = AgentDraft(file("here"), "é\n", b"\xff\r\n")
    there = AgentDraft(file("there", root=Path("/other")), "t", b"")
    for draft in (mine, here, there):
        assert drafts.keep(draft) is None
    assert drafts.of(ROOT) == [mine, here]
    drafts.drop(here.file.path)
    drafts.drop(here.file.path)
    assert drafts.of(ROOT) == [mine]


def test_a_name_that_is_no_unicode_comes_back_too(tmp_path: Path) -> None:
    odd = AgentFile(Path(os.fsdecode(b"/ws/.decode/agents/\xff.md")), Layer.PROJECT, ROOT)
    drafts = AgentDrafts(tmp_path)
    assert drafts.keep(AgentDraft(odd, "t", None)) is None
    assert [draft.file for draft in drafts.of(ROOT)] == [odd]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"path": 1}', b"\xff", b"null"])
def test_what_is_no_draft_is_passed_over(tmp_path: Path, content: bytes) -> None:
    drafts = AgentDrafts(tmp_path)
    good = AgentDraft(file(), "t", None)
    drafts.keep(good)
    (tmp_path / "other.json").write_bytes(content)
    (tmp_path / "folder.json").mkdir()
    assert drafts.of(ROOT) == [good]


def test_a_draft_that_cannot_be_kept_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in (AgentDrafts(tmp_path / "file").keep(AgentDraft(file(), "t", None)) or "")


KEEPS = """
import os, sys
from pathlib import Path
from decode_core.catalog_editing.drafts import AgentDraft, AgentDrafts
from decode_core.catalog_editing.files import AgentFile
from decode_core.catalog.definition import Layer
drafts = AgentDrafts(Path(sys.argv[1]))
file = AgentFile(Path("/ws/.decode/agents/x.md"), Layer.PROJECT, Path("/ws"))
real = os.rename
def rename(*args, **how):
    if len(sys.argv) > 2:
        os.kill(os.getpid(), 9)
    real(*args, **how)
os.rename = rename
drafts.keep(AgentDraft(file, "second", b"base"))
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(("when", "text"), [("after", "second"), ("before", "first")])
def test_a_killed_process_leaves_the_old_draft_or_the_new_one(tmp_path: Path, when: str, text: str) -> None:
    drafts = AgentDrafts(tmp_path)
    drafts.keep(AgentDraft(file(), "first", b"base"))
    extra = ["in the middle"] if when == "before" else []
    done = subprocess.run([sys.executable, "-c", KEEPS, str(tmp_path), *extra], check=False)
    assert done.returncode == -9
    assert [draft.text for draft in drafts.of(ROOT)] == [text]
