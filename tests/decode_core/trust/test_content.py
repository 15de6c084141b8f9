"""What a folder brings: the bytes that would be loaded, whatever stands in their place (permissions.md §9)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from decode_core.trust import content as module
from decode_core.trust.content import FolderContent, read_content

HOOKS = '{"hooks": {"before_tool": {"command": "sh tools/check.sh --fast"}}}'


def put(root: Path, name: str, text: str = "x") -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def names(root: Path) -> list[str]:
    return [file.name for file in read_content(root).files]


def test_a_folder_without_anything_of_ours_has_nothing_to_trust(tmp_path: Path) -> None:
    put(tmp_path, "src/main.py")
    put(tmp_path, "AGENTS.md")
    assert read_content(tmp_path).is_empty
    assert read_content(tmp_path / "gone").is_empty


@pytest.mark.parametrize(
    "name",
    [
        ".decode/settings.json",
        ".decode/agents/reviewer.md",
        ".mcp.json",
        ".decode/hooks/deep/below.sh",
        ".decode/skills/pdf/SKILL.md",
        ".decode/commands/release.md",
    ],
)
def test_everything_that_has_effect_is_in_the_digest(tmp_path: Path, name: str) -> None:
    before = read_content(tmp_path).digest
    file = put(tmp_path, name)
    first = read_content(tmp_path)
    assert [each.name for each in first.files] == [name]
    file.write_text("y")
    second = read_content(tmp_path)
    assert len({before, first.digest, second.digest}) == 3
    file.write_text("x")
    assert read_content(tmp_path).digest == first.digest


@pytest.mark.parametrize("name", [".decode/agents/.#x.md", ".decode/agents/notes.txt", ".decode/plans/p.json", "x.md"])
def test_what_is_never_loaded_does_not_count(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    assert read_content(tmp_path).is_empty


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".decode/settings.json", HOOKS),
        (".decode/settings.json", '{"hooks": {"stop": ["./tools/check.sh"]}}'),
        (".decode/settings.json", '{"mcp": {"a": {"command": "bash", "args": ["-c", "cd x; tools/check.sh&& y"]}}}'),
        (".mcp.json", '{"mcpServers": {"a": {"command": "node", "args": ["--require=tools/check.sh"]}}}'),
        (".mcp.json", '{"mcpServers": {"a": {"command": "sub/../tools/check.sh"}}}'),
    ],
)
def test_scripts_that_hooks_and_servers_name_are_part_of_it(tmp_path: Path, file: str, text: str) -> None:
    script = put(tmp_path, "tools/check.sh")
    put(tmp_path, file, text)
    content = read_content(tmp_path)
    assert "tools/check.sh" in [each.name for each in content.files]
    script.write_text("rm -rf .")
    assert read_content(tmp_path).digest != content.digest


def test_words_that_lead_out_or_name_nothing_are_no_scripts(tmp_path: Path) -> None:
    put(
        tmp_path, "inside/.decode/settings.json", '{"hooks": {"a": ["../outside.sh", "/bin/sh", "gone.sh", "\\u0000"]}}'
    )
    put(tmp_path, "outside.sh")
    assert names(tmp_path / "inside") == [".decode/settings.json"]


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("make", [_fifo, _dangling, _loop])
def test_whatever_stands_in_a_files_place_is_told_and_never_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / ".decode").mkdir()
    make(tmp_path / ".decode" / "settings.json")
    content = read_content(tmp_path)
    (file,) = content.files
    assert file.data is None
    assert file.problem
    assert content.digest != read_content(tmp_path / "gone").digest


def test_a_link_is_read_as_a_loader_would_read_it(tmp_path: Path) -> None:
    put(tmp_path, "far/settings.json", "{}")
    (tmp_path / "project" / ".decode").mkdir(parents=True)
    (tmp_path / "project" / ".decode" / "settings.json").symlink_to(tmp_path / "far" / "settings.json")
    before = read_content(tmp_path / "project")
    assert before.files[0].data == b"{}"
    put(tmp_path, "far/settings.json", '{"mode": "edit"}')
    assert read_content(tmp_path / "project").digest != before.digest


def test_what_lies_behind_a_link_to_a_folder_cannot_be_vouched_for(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "a" / ".decode" / "skills").mkdir(parents=True)
    (tmp_path / "a" / ".decode" / "skills" / "pdf").symlink_to(tmp_path / "far")
    (tmp_path / "b" / ".decode").mkdir(parents=True)
    (tmp_path / "b" / ".decode" / "hooks").symlink_to(tmp_path / "far")
    assert "link to a folder" in read_content(tmp_path / "a").refused
    assert "link to a folder" in read_content(tmp_path / "b").refused


def test_more_than_can_be_vouched_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 3)
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 100)
    for number in range(4):
        put(tmp_path, f"many/.decode/commands/{number}.md")
    put(tmp_path, "big/.decode/hooks/run.sh", "x" * 101)
    assert "more than 3 files" in read_content(tmp_path / "many").refused
    assert "larger" in read_content(tmp_path / "big").refused
    assert not read_content(tmp_path / "big").is_empty


def test_names_and_bytes_cannot_be_traded(tmp_path: Path) -> None:
    """Two contents whose names and bytes join to the same text are two contents."""
    put(tmp_path, "a/.decode/commands/x", "yz")
    put(tmp_path, "b/.decode/commands/xy", "z")
    assert read_content(tmp_path / "a").digest != read_content(tmp_path / "b").digest


def test_a_name_that_is_no_unicode_counts_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / ".decode" / "commands"
    folder.mkdir(parents=True)
    (Path(os.fsdecode(bytes(folder) + b"/\xff.md"))).write_text("x")
    assert len(read_content(tmp_path).files) == 1
    assert read_content(tmp_path).digest


def test_content_with_another_file_is_what_would_be_read(tmp_path: Path) -> None:
    put(tmp_path, ".mcp.json", "{}")
    planned = read_content(tmp_path).with_file(".decode/settings.json", b"{}")
    put(tmp_path, ".decode/settings.json", "{}")
    assert planned == read_content(tmp_path)
    assert planned.with_file(".decode/settings.json", None) == read_content(tmp_path).with_file(
        ".decode/settings.json", None
    )
    assert isinstance(planned, FolderContent)
