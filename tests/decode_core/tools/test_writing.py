"""write: whole files, and what of a file stays when its content changes."""

import os
import stat
from pathlib import Path

import pytest

from decode_core.events import CallOutcome
from decode_core.tools import files
from decode_core.tools.changes import MAX_DETAIL_BYTES
from decode_core.tools.spec import ChangePreview
from tool_bench import Bench


def test_a_new_file_is_made_with_its_folders(bench: Bench) -> None:
    result = bench.call("write", path="a/b/c.txt", content="one\ntwo\n")
    assert (bench.root / "a/b/c.txt").read_text() == "one\ntwo\n"
    assert result.text == "Created a/b/c.txt (2 lines)."
    assert result.summary == "+2 −0"
    assert result.detail == {"path": "a/b/c.txt", "added": 2, "removed": 0, "before": None, "after": "one\ntwo\n"}


def test_a_new_file_gets_the_mode_bits_that_the_umask_leaves(bench: Bench) -> None:
    before = os.umask(0o027)
    try:
        bench.call("write", path="d/a.txt", content="x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((bench.root / "d/a.txt").stat().st_mode) == 0o640
    assert stat.S_IMODE((bench.root / "d").stat().st_mode) == 0o750


def test_an_existing_file_must_have_been_read(bench: Bench) -> None:
    bench.file("a.txt", "old\n")
    result = bench.call("write", path="a.txt", content="new\n")
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "a.txt was not read in this session; read it first, then repeat the call."
    assert (bench.root / "a.txt").read_text() == "old\n"


def test_a_file_that_changed_since_it_was_read_stays_as_it_is(bench: Bench) -> None:
    path = bench.file("a.txt", "old\n")
    bench.call("read", path="a.txt")
    path.write_text("the person's own words\n")
    result = bench.call("write", path="a.txt", content="new\n")
    assert result.text == "a.txt changed since it was read; read it again, then repeat the call."
    assert path.read_text() == "the person's own words\n"


def test_what_was_written_counts_as_read(bench: Bench) -> None:
    bench.call("write", path="a.txt", content="one\n")
    assert bench.call("write", path="a.txt", content="two\n").outcome is CallOutcome.OK
    assert bench.call("edit", path="a.txt", old="two", new="three").outcome is CallOutcome.OK
    assert bench.call("write", path="a.txt", content="four\n").summary == "+1 −1"


def test_a_file_read_through_a_link_is_known_by_its_real_path(bench: Bench) -> None:
    bench.file("a.txt", "one\n")
    (bench.root / "link").symlink_to("a.txt")
    bench.call("read", path="link")
    assert bench.call("write", path="a.txt", content="two\n").outcome is CallOutcome.OK


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4750, 0o664])
def test_mode_bits_are_kept(bench: Bench, mode: int) -> None:
    bench.file("run.sh", "a\n", mode)
    bench.changed("run.sh", "write", content="b\n")
    info = (bench.root / "run.sh").stat()
    assert (bench.root / "run.sh").read_text() == "b\n"
    assert stat.S_IMODE(info.st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(bench: Bench) -> None:
    path = bench.file("a.txt", "a\n", 0o4755)
    os.chown(path, 12345, 23456)
    path.chmod(0o4755)
    bench.changed("a.txt", "write", content="b\n")
    info = path.stat()
    assert (info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)) == (12345, 23456, 0o4755)


def test_a_file_whose_owner_cannot_be_kept_stays_as_it_is(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bench.file("a.txt", "a\n")
    bench.call("read", path="a.txt")
    frozen = bench.freeze("write", path="a.txt", content="b\n")
    real_fstat = os.fstat
    monkeypatch.setattr(os, "fstat", lambda file: _owned(real_fstat(file)))

    def refuse(*args: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr(files, "_identity", lambda info: info.st_ino)
    result = frozen.run()
    assert result.outcome is CallOutcome.FAILED
    assert "cannot be changed (Operation not permitted)" in result.text
    assert path.read_text() == "a\n"
    assert sorted(os.listdir(bench.root)) == ["a.txt"]  # noqa: PTH208


def _owned(info: os.stat_result, counter: list[int] = []) -> os.stat_result:  # noqa: B006 - each call another owner
    counter.append(1)
    values = list(info)
    values[4] = 10_000 + len(counter)
    fields = {name: getattr(info, name) for name in ("st_mtime_ns", "st_ctime_ns")}
    return os.stat_result(values, fields)


def test_a_file_closed_to_writing_stays_as_it_is(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bench.file("a.txt", "a\n", 0o444)
    bench.call("read", path="a.txt")
    frozen = bench.freeze("write", path="a.txt", content="b\n")
    real_open = os.open

    def refuse(name: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        # root may write everything, so that the refusal has to be played
        if name == "a.txt" and flags & os.O_WRONLY:
            raise PermissionError(13, "Permission denied")
        return real_open(name, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    result = frozen.run()
    assert result.text.startswith("a.txt cannot be changed (Permission denied);")
    assert path.read_text() == "a\n"


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"a\r\nb\r\n", "a\nc\nd\n", b"a\r\nc\r\nd\r\n"),
        (b"a\nb\r\nc\n", "a\nb\nx\nc\n", b"a\nb\r\nx\r\nc\n"),
        (b"a\nb\n", "x\ny\n", b"x\ny\n"),
        (b"a\r\nb\r\n", "a\r\nc\n", b"a\r\nc\n"),
        (b"\xef\xbb\xbfa\n", "b\n", b"\xef\xbb\xbfb\n"),
        (b"\xef\xbb\xbfa\n", "\ufeffb\n", b"\xef\xbb\xbfb\n"),
        ("é\n".encode("utf-16-le").join([b"\xff\xfe", b""]), "ü\n", b"\xff\xfe" + "ü\n".encode("utf-16-le")),
        (b"caf\xe9\n", "olé\n", b"ol\xe9\n"),
        (b"", "now\n", b"now\n"),
    ],
)
def test_line_ends_and_encoding_stay(bench: Bench, before: bytes, content: str, after: bytes) -> None:
    path = bench.file("a.txt", before)
    assert bench.changed("a.txt", "write", content=content).outcome is CallOutcome.OK
    assert path.read_bytes() == after


def test_a_character_that_the_encoding_cannot_hold_fails_and_changes_nothing(bench: Bench) -> None:
    path = bench.file("a.txt", b"caf\xe9\n")
    result = bench.changed("a.txt", "write", content="one\ntwo €\n")
    assert result.outcome is CallOutcome.FAILED
    assert "Latin-1 cannot hold U+20AC of line 2" in result.text
    assert path.read_bytes() == b"caf\xe9\n"


def test_a_binary_file_is_not_overwritten(bench: Bench) -> None:
    path = bench.file("x.bin", b"\0\1\2")
    result = bench.changed("x.bin", "write", content="text")
    assert result.text == "x.bin is a binary file; write and edit change text files only."
    assert path.read_bytes() == b"\0\1\2"


def test_the_same_content_writes_nothing(bench: Bench) -> None:
    path = bench.file("a.txt", "same\n")
    inode = path.stat().st_ino
    result = bench.changed("a.txt", "write", content="same\n")
    assert (result.outcome, result.summary) == (CallOutcome.OK, "no change")
    assert path.stat().st_ino == inode


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src", "src is a folder"),
        ("new/", "new/ names a folder"),
        ("file.txt/below", "part of its path is a file"),
        ("pipe", "pipe is a FIFO"),
    ],
)
def test_what_cannot_be_written_is_told_in_one_sentence(bench: Bench, path: str, told: str) -> None:
    bench.file("src/a.py")
    bench.file("file.txt", "x")
    os.mkfifo(bench.root / "pipe")
    result = bench.call("write", path=path, content="x")
    assert result.outcome is CallOutcome.FAILED
    assert told in result.text


def test_a_file_that_appears_after_the_check_is_not_replaced(bench: Bench) -> None:
    frozen = bench.freeze("write", path="new.txt", content="mine")
    bench.file("new.txt", "theirs")
    result = frozen.run()
    assert result.outcome is CallOutcome.FAILED
    assert "changed after this call was checked" in result.text
    assert (bench.root / "new.txt").read_text() == "theirs"


def test_a_file_that_appears_at_the_last_moment_is_not_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = bench.freeze("write", path="new.txt", content="mine")
    real_link = os.link

    def link(source: str, target: str, **how: object) -> None:
        bench.file("new.txt", "theirs")
        real_link(source, target, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "link", link)
    assert frozen.run().outcome is CallOutcome.FAILED
    assert (bench.root / "new.txt").read_text() == "theirs"
    assert sorted(os.listdir(bench.root)) == ["new.txt"]  # noqa: PTH208


def test_without_hard_links_a_new_file_is_made_all_the_same(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **how: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    assert bench.call("write", path="a.txt", content="x").outcome is CallOutcome.OK
    assert (bench.root / "a.txt").read_text() == "x"


def test_a_file_that_changes_at_the_last_moment_is_not_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bench.file("a.txt", "old\n")
    bench.call("read", path="a.txt")
    frozen = bench.freeze("write", path="a.txt", content="mine\n")
    real_fsync = os.fsync

    def fsync(file: int) -> None:
        path.write_text("theirs, meanwhile\n")
        real_fsync(file)

    monkeypatch.setattr(os, "fsync", fsync)
    assert "changed after this call was checked" in frozen.run().text
    assert path.read_text() == "theirs, meanwhile\n"
    assert sorted(os.listdir(bench.root)) == ["a.txt"]  # noqa: PTH208


def test_a_new_folder_that_becomes_a_link_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    frozen = bench.freeze("write", path="build/x.txt", content="x")
    (bench.root / "build").symlink_to(outside)
    assert frozen.run().outcome is CallOutcome.FAILED
    assert not list(outside.iterdir())


def test_a_dangling_link_is_written_at_its_target(bench: Bench) -> None:
    (bench.root / "link").symlink_to("target.txt")
    bench.call("write", path="link", content="x")
    assert (bench.root / "link").is_symlink()
    assert (bench.root / "target.txt").read_text() == "x"


def test_a_link_stays_a_link_when_its_target_is_written(bench: Bench) -> None:
    bench.file("target.txt", "a\n")
    (bench.root / "link").symlink_to("target.txt")
    bench.changed("link", "write", content="b\n")
    assert (bench.root / "link").is_symlink()
    assert (bench.root / "target.txt").read_text() == "b\n"


def test_a_failed_write_leaves_the_old_file_and_no_rest(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bench.file("a.txt", "old\n")
    bench.call("read", path="a.txt")
    frozen = bench.freeze("write", path="a.txt", content="new\n")

    def full(file: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    result = frozen.run()
    monkeypatch.undo()
    assert result.text == "a.txt cannot be changed: No space left on device."
    assert path.read_text() == "old\n"
    assert sorted(os.listdir(bench.root)) == ["a.txt"]  # noqa: PTH208


def test_the_preview_shows_the_change_and_makes_none(bench: Bench) -> None:
    path = bench.file("a.txt", "old\n")
    preview = bench.freeze("write", path="./a.txt", content="new\n").preview()
    assert preview == ChangePreview("a.txt", "old\n", "new\n")
    assert bench.freeze("write", path="b/c.txt", content="x").preview() == ChangePreview("b/c.txt", None, "x")
    assert path.read_text() == "old\n"
    assert not (bench.root / "b").exists()


def test_the_preview_of_a_call_that_would_fail_says_why(bench: Bench) -> None:
    bench.file("src/a.py")
    assert bench.freeze("write", path="src", content="x").preview() == "src is a folder; list it with glob."


def test_large_texts_stay_out_of_the_detail(bench: Bench) -> None:
    result = bench.call("write", path="a.txt", content="x\n" * MAX_DETAIL_BYTES)
    assert "before" not in result.detail
    assert "after" not in result.detail
    assert result.detail["added"] == MAX_DETAIL_BYTES
