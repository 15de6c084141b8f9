"""read: what models and people get to see of a file."""

import os
import socket
from pathlib import Path

import pytest

from decode_core.events import CallOutcome
from decode_core.permissions.path_facts import MAX_DIGEST_BYTES
from decode_core.tools.spec import Limits
from tool_bench import Bench

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0"


def test_lines_are_numbered_and_counted(bench: Bench) -> None:
    bench.file("a.txt", "one\ntwo\n")
    result = bench.call("read", path="a.txt")
    assert result.text == "     1\tone\n     2\ttwo"
    assert result.summary == "2 lines"
    assert result.outcome is CallOutcome.OK


def test_a_last_line_without_newline_counts(bench: Bench) -> None:
    bench.file("a.txt", "one\ntwo")
    assert bench.call("read", path="a.txt").summary == "2 lines"


def test_an_empty_file_is_a_normal_answer(bench: Bench) -> None:
    bench.file("empty")
    result = bench.call("read", path="empty")
    assert (result.outcome, result.text, result.summary) == (CallOutcome.OK, "(The file is empty.)", "empty")


@pytest.mark.parametrize(
    ("offset", "limit", "first", "last", "goes_on"),
    [
        (None, None, 1, 2_000, 2_001),
        (2_001, None, 2_001, 2_500, None),
        (10, 3, 10, 12, 13),
        (2_500, 1, 2_500, 2_500, None),
        (None, 2_500, 1, 2_000, 2_001),
    ],
)
def test_a_long_file_comes_in_parts_and_says_how_to_go_on(
    bench: Bench, offset: int | None, limit: int | None, first: int, last: int, goes_on: int | None
) -> None:
    bench.file("long.txt", "".join(f"line {number}\n" for number in range(1, 2_501)))
    result = bench.call("read", path="long.txt", offset=offset, limit=limit)
    rows = [row for row in result.text.split("\n") if not row.startswith("(")]
    assert rows[0] == f"{first:>6}\tline {first}"
    assert rows[-1] == f"{last:>6}\tline {last}"
    assert (f"go on with offset={goes_on}" in result.text) == (goes_on is not None)
    assert ("go on" in result.text) == (goes_on is not None)


def test_going_on_as_told_gives_every_line_once(bench: Bench) -> None:
    bench.limits = Limits(output_lines=7, output_bytes=200)
    lines = [f"{'x' * (number % 40)} {number}" for number in range(1, 60)]
    bench.file("a.txt", "\n".join(lines) + "\n")
    seen: list[str] = []
    offset: int | None = 1
    while offset is not None:
        result = bench.call("read", path="a.txt", offset=offset)
        rows = [row for row in result.text.split("\n") if not row.startswith("(")]
        seen += [row.split("\t", 1)[1] for row in rows]
        last = int(result.detail["last"])
        offset = last + 1 if f"offset={last + 1}" in result.text else None
    assert seen == lines


def test_bytes_are_capped_as_well_as_lines(bench: Bench) -> None:
    bench.file("wide.txt", ("y" * 1_000 + "\n") * 200)
    result = bench.call("read", path="wide.txt")
    assert len(result.text.encode()) < 51_000
    assert "go on with offset=" in result.text


def test_one_huge_line_is_cut_and_says_so(bench: Bench) -> None:
    bench.file("min.js", "z" * 3_000_000)
    result = bench.call("read", path="min.js")
    assert len(result.text) < 3_000
    assert "3,000,000 characters" in result.text
    assert "grep" in result.text


def test_an_offset_behind_the_end_fails_with_the_length(bench: Bench) -> None:
    bench.file("a.txt", "one\n")
    result = bench.call("read", path="a.txt", offset=9)
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "a.txt has 1 line; offset 9 lies behind its end."


@pytest.mark.parametrize(
    ("data", "shown", "told"),
    [
        (b"\xef\xbb\xbfhi\n", "     1\thi", "UTF-8 with BOM"),
        ("hé\n".encode("utf-16"), "     1\thé", "UTF-16 LE"),
        (b"\xfe\xff\0h\0i", "     1\thi", "UTF-16 BE"),
        ("caf\xe9 ol\xe9\n".encode("latin-1"), "     1\tcafé olé", "Latin-1"),
    ],
)
def test_encodings_other_than_plain_utf8_are_stated(bench: Bench, data: bytes, shown: str, told: str) -> None:
    bench.file("a.txt", data)
    result = bench.call("read", path="a.txt")
    assert result.text.split("\n")[0] == shown
    assert f"(The file is {told}" in result.text


@pytest.mark.parametrize(
    ("text", "told"),
    [("a\r\nb\r\n", "CRLF"), ("a\r\nb\nc\r\n", "CRLF and LF mixed"), ("a\nb\n", None), ("a\r\nb", "CRLF")],
)
def test_line_ends_are_stated_and_not_shown(bench: Bench, text: str, told: str | None) -> None:
    bench.file("a.txt", text)
    result = bench.call("read", path="a.txt")
    assert "\r" not in result.text
    assert (f"(Line ends: {told};" in result.text) if told else ("Line ends" not in result.text)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0", "an ELF binary"),
        (b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
        (b"%PDF-1.7\n\xe2\xe3\0", "a PDF document"),
        (b"SQLite format 3\0\x10\0", "an SQLite database"),
        (bytes(range(256)) * 10, "a binary file"),
        (bytes([*range(1, 32), *range(128, 256)]) * 10, "a binary file"),
        (b"\xff\xfeodd", "a binary file"),
    ],
)
def test_binary_files_are_named_not_dumped(bench: Bench, data: bytes, name: str) -> None:
    bench.file("thing", data)
    result = bench.call("read", path="thing")
    assert result.outcome is CallOutcome.OK
    assert result.text.startswith(f"(thing is {name}, ")
    assert "not shown" in result.text
    assert "\0" not in result.text


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (PNG, "a PNG image of 640 × 480 pixels"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"),
        (b"GIF89a\1\0\1\0", "a GIF image"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP image"),
    ],
)
def test_images_are_named_and_it_is_said_that_they_cannot_be_shown(bench: Bench, data: bytes, name: str) -> None:
    bench.file("p", data)
    result = bench.call("read", path="p")
    assert result.text.startswith(f"(p is {name}, ")
    assert "Images cannot be shown to you yet" in result.text


def test_a_missing_file_fails_and_names_its_like(bench: Bench) -> None:
    bench.file("src/settings.py", "x")
    result = bench.call("read", path="src/setings.py")
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "src/setings.py does not exist. Did you mean settings.py?"


def test_a_missing_file_never_names_a_secret(bench: Bench) -> None:
    bench.file(".env.production", "KEY=1")
    assert ".env.production" not in bench.call("read", path=".env.productio").text


def test_a_file_in_a_missing_folder_fails(bench: Bench) -> None:
    result = bench.call("read", path="no/such/file")
    assert result.text == "no/such/file does not exist. Find it with glob."


def test_a_folder_fails_with_the_way_to_list_it(bench: Bench) -> None:
    bench.file("src/a.py")
    result = bench.call("read", path="src")
    assert result.text == "src is a folder; list it with glob."


def test_a_fifo_is_refused_without_waiting_for_a_writer(bench: Bench) -> None:
    os.mkfifo(bench.root / "pipe")
    assert bench.call("read", path="pipe").text.startswith("pipe is a FIFO;")


def test_a_socket_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bench.root)  # the address of a socket may be short of a path's length
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert bench.call("read", path="s").text.startswith("s is a socket;")


def test_a_device_is_refused_unopened(bench: Bench) -> None:
    assert bench.call("read", path="/dev/zero").text.startswith("/dev/zero is a device;")


def test_a_file_that_may_not_be_read_fails_with_the_reason(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.file("closed.txt", "x")
    frozen = bench.freeze("read", path="closed.txt")
    real_open = os.open

    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "closed.txt":
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    result = frozen.run()
    assert result.outcome is CallOutcome.FAILED
    assert result.text.startswith("closed.txt cannot be read (Permission denied); ")


def test_a_file_beyond_the_limit_is_not_read(bench: Bench) -> None:
    with (bench.root / "huge").open("wb") as file:
        file.truncate(MAX_DIGEST_BYTES + 1)
    result = bench.call("read", path="huge")
    assert result.outcome is CallOutcome.FAILED
    assert "64 MB" in result.text
    assert "grep" in result.text


def test_a_link_inside_the_workspace_is_read_at_its_target(bench: Bench) -> None:
    bench.file("real.txt", "here\n")
    (bench.root / "link.txt").symlink_to("real.txt")
    assert bench.call("read", path="link.txt").text == "     1\there"


def swap_file(bench: Bench) -> None:
    (bench.root / "dir" / "a.txt").unlink()
    (bench.root / "dir" / "a.txt").symlink_to(bench.root.parent / "outside" / "a.txt")


def swap_folder(bench: Bench) -> None:
    (bench.root / "dir").rename(bench.root / "moved")
    (bench.root / "dir").symlink_to(bench.root.parent / "outside")


def replace_file(bench: Bench) -> None:
    (bench.root / "dir" / "b.txt").write_text("other")
    (bench.root / "dir" / "b.txt").rename(bench.root / "dir" / "a.txt")


def remove_file(bench: Bench) -> None:
    (bench.root / "dir" / "a.txt").unlink()


@pytest.mark.parametrize("act", [swap_file, swap_folder, replace_file, remove_file])
@pytest.mark.parametrize(
    ("tool", "args"),
    [("read", {}), ("grep", {"pattern": "o"}), ("write", {"content": "n"}), ("edit", {"old": "o", "new": "n"})],
)
def test_what_changed_after_the_check_is_not_followed(
    bench: Bench, act: object, tool: str, args: dict[str, str]
) -> None:
    outside = bench.root.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("stolen secret outside")
    bench.file("dir/a.txt", "own\n")
    bench.call("read", path="dir/a.txt")
    frozen = bench.freeze(tool, path="dir/a.txt", **args)
    assert callable(act)
    act(bench)
    result = frozen.run()
    assert result.outcome is CallOutcome.FAILED
    assert "changed after this call was checked" in result.text
    assert "stolen" not in result.text
    assert (outside / "a.txt").read_text() == "stolen secret outside"


def test_a_full_output_of_a_command_can_be_read(bench: Bench) -> None:
    (bench.spill / "bash-1.txt").write_text("all\n")
    frozen = bench.freeze("read", path=str(bench.spill / "bash-1.txt"))
    assert frozen.context.request.paths[0].free_to_read
    assert frozen.run().text == "     1\tall"


def test_control_characters_are_kept_as_data(bench: Bench, tmp_path: Path) -> None:
    bench.file("a.txt", "red \x1b[31m\n")
    assert bench.call("read", path="a.txt").text == "     1\tred \x1b[31m"
