"""Files that survive a crash: the order of writes, syncs and renames, and what is refused."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.durable import append_durably, file_inside, read_if_there, truncate_durably, write_whole
from decode_core.plans.errors import JournalCollisionError, PlanError


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that matter, in their order, with the kind of file they go to."""
    seen: list[str] = []

    def watch(name: str, what: Callable[..., str]) -> None:
        real = getattr(os, name)

        def watched(*args: Any, **options: Any) -> Any:
            seen.append(what(*args))
            return real(*args, **options)

        monkeypatch.setattr(os, name, watched)

    watch("write", lambda *_: "write")
    watch("fsync", lambda descriptor: "sync folder" if Path(f"/dev/fd/{descriptor}").is_dir() else "sync file")
    watch("replace", lambda *_: "rename")
    watch("ftruncate", lambda *_: "cut")
    return seen


def test_a_line_is_on_disk_when_its_append_returns(tmp_path: Path, calls: list[str]) -> None:
    size = append_durably(tmp_path / "j", b"one\n", expected_size=0)
    append_durably(tmp_path / "j", b"two\n", expected_size=size)
    assert calls == ["write", "sync file", "sync folder", "write", "sync file"]
    assert (tmp_path / "j").read_bytes() == b"one\ntwo\n"


def test_a_whole_file_is_synced_before_it_takes_its_name(tmp_path: Path, calls: list[str]) -> None:
    write_whole(tmp_path / "f", b"x")
    assert calls == ["sync file", "rename", "sync folder"]


def test_a_cut_is_on_disk_when_it_returns(tmp_path: Path, calls: list[str]) -> None:
    (tmp_path / "j").write_bytes(b"one\ntw")
    truncate_durably(tmp_path / "j", 4)
    assert calls == ["cut", "sync file"]
    assert (tmp_path / "j").read_bytes() == b"one\n"


def test_a_line_that_cannot_be_synced_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "j").write_bytes(b"one\n")
    monkeypatch.setattr(os, "fsync", _no_space)
    with pytest.raises(PlanError, match="No space"):
        append_durably(tmp_path / "j", b"two\n", expected_size=4)
    assert (tmp_path / "j").read_bytes() == b"one\n"


def test_a_whole_file_that_cannot_be_synced_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "f", b"old")
    monkeypatch.setattr(os, "fsync", _no_space)
    with pytest.raises(PlanError, match="No space"):
        write_whole(tmp_path / "f", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("f", b"old")]


def test_a_write_that_takes_a_part_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:1]))
    append_durably(tmp_path / "j", b"one\n", expected_size=0)
    assert (tmp_path / "j").read_bytes() == b"one\n"


def test_a_file_of_another_size_was_written_by_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(b"one\n")
    with pytest.raises(JournalCollisionError, match="4 bytes instead of 3"):
        append_durably(tmp_path / "j", b"two\n", expected_size=3)
    assert (tmp_path / "j").read_bytes() == b"one\n"


@pytest.mark.parametrize(
    "act",
    [
        lambda path: write_whole(path, b"x"),
        lambda path: append_durably(path, b"x", expected_size=0),
        lambda path: truncate_durably(path, 0),
    ],
)
def test_no_link_is_written_through(tmp_path: Path, act: Callable[[Path], object]) -> None:
    (tmp_path / "target").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(PlanError):
        act(tmp_path / "link")
    assert (tmp_path / "target").read_bytes() == b""
    assert (tmp_path / "link").is_symlink()


def test_a_file_keeps_its_mode_and_a_new_one_is_readable(tmp_path: Path) -> None:
    write_whole(tmp_path / "f", b"x")
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o644
    (tmp_path / "f").chmod(0o600)
    write_whole(tmp_path / "f", b"y")
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600


def test_a_pipe_or_folder_is_no_file_to_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(PlanError, match="no regular file"):
            read_if_there(tmp_path / name)
    assert read_if_there(tmp_path / "none") is None


@pytest.mark.parametrize("text", ["", "/etc/passwd", "../x", "a/../b", "a\0b", "out", "loop", "folder"])
def test_what_is_not_inside_is_no_file(tmp_path: Path, text: str) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "b").write_text("x")
    (tmp_path / "x").write_text("x")
    (root / "out").symlink_to(tmp_path / "x")
    (root / "loop").symlink_to("loop")
    assert file_inside(text, root) is None
    assert file_inside("b", root) == root / "b"


def _no_space(_: int) -> None:
    raise OSError(28, "No space left on device")
