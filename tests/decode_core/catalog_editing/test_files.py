"""Writing agents' files: atomic, never over an unseen change, never through a project's link, trusted as written."""

import os
from pathlib import Path

import pytest

from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.files import (
    AgentFile,
    AgentFileError,
    ChangedUnderneath,
    delete_agent_file,
    read_agent_file,
    save_agent_file,
)
from decode_core.trust.content import read_content
from decode_core.trust.record import TrustRecord


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


def project(root: Path, name: str = "x") -> AgentFile:
    return AgentFile(root / ".decode" / "agents" / f"{name}.md", Layer.PROJECT, root)


def test_a_new_file_of_the_project_and_one_of_the_persons_own(root: Path, tmp_path: Path) -> None:
    save_agent_file(project(root), b"one", None)
    own = AgentFile(tmp_path / "config" / "agents" / "x.md", Layer.USER, root)
    save_agent_file(own, b"two", None)
    assert (read_agent_file(project(root).path), read_agent_file(own.path)) == (b"one", b"two")
    assert own.path.stat().st_mode & 0o077 == 0


def test_what_another_program_wrote_meanwhile_is_never_written_over(root: Path) -> None:
    file = project(root)
    save_agent_file(file, b"mine", None)
    file.path.write_bytes(b"theirs")
    for seen in (b"mine", None):
        with pytest.raises(ChangedUnderneath, match="another program"):
            save_agent_file(file, b"mine too", seen)
        with pytest.raises(ChangedUnderneath):
            delete_agent_file(file, seen)
    assert file.path.read_bytes() == b"theirs"
    save_agent_file(file, b"mine too", b"theirs")
    delete_agent_file(file, b"mine too")
    assert read_agent_file(file.path) is None


@pytest.mark.parametrize("link", [".decode", ".decode/agents", ".decode/agents/x.md"])
def test_nothing_is_written_through_a_link_of_the_project(root: Path, tmp_path: Path, link: str) -> None:
    target = tmp_path / "elsewhere"
    (target / "agents").mkdir(parents=True)
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(target)
    with pytest.raises(AgentFileError, match="is a link"):
        save_agent_file(project(root), b"mine", None)
    assert [path.name for path in target.rglob("*")] == ["agents"]


def test_a_link_of_the_persons_own_is_followed(root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.md"
    kept.write_bytes(b"old")
    link = tmp_path / "agents" / "x.md"
    link.parent.mkdir()
    link.symlink_to(kept)
    save_agent_file(AgentFile(link, Layer.USER, root), b"new", b"old")
    assert (kept.read_bytes(), link.is_symlink()) == (b"new", True)


def test_built_in_agents_and_what_is_too_large_are_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(AgentFileError, match="built in; duplicate it"):
        save_agent_file(AgentFile(tmp_path / "build.md", Layer.BUILTIN, root), b"x", None)
    with pytest.raises(AgentFileError, match="larger than 256 KiB"):
        save_agent_file(project(root), b"x" * (256 * 1024 + 1), None)
    assert not (root / ".decode").exists()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_told(root: Path, kind: str) -> None:
    path = project(root).path
    path.parent.mkdir(parents=True)
    if kind == "folder":
        path.mkdir()
        with pytest.raises(AgentFileError):
            read_agent_file(path)
    else:
        os.mkfifo(path)
        assert not read_agent_file(path)
    with pytest.raises(AgentFileError):
        save_agent_file(project(root), b"x", None)


def test_the_persons_own_write_is_trusted_and_nothing_beside_it(root: Path) -> None:
    """permissions.md §9: our own writes stamp trust anew."""
    trust = TrustRecord()
    save_agent_file(project(root), b"one", None)
    assert trust.is_trusted(read_content(root))
    save_agent_file(project(root), b"two", b"one")
    assert trust.is_trusted(read_content(root))
    project(root, "theirs").path.write_bytes(b"?")
    save_agent_file(project(root), b"three", b"two")
    assert not trust.is_trusted(read_content(root))
    project(root, "theirs").path.unlink()
    assert not trust.is_trusted(read_content(root))
    project(root).path.write_bytes(b"two")
    assert trust.is_trusted(read_content(root))
    delete_agent_file(project(root), b"two")
    assert not (root / ".decode/agents/x.md").exists()
