"""The person's editor: found on the search path, never in the workspace, and what goes wrong is one sentence."""

import contextlib
from pathlib import Path

import pytest

from decode_ui.external_editor import EditorError, at_line, edit_text, editor_argv


def program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    program(tmp_path / "bin", "ed it", 'printf "%s" " more" >> "$2"; echo >> "$2"')
    environ = {"EDITOR": "'ed it' --wait", "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    assert edit_text("text", contextlib.nullcontext(), environ) == "text more"


def test_visual_wins_over_editor(tmp_path: Path) -> None:
    file = program(tmp_path / "bin", "one", "")
    assert editor_argv({"VISUAL": "one", "EDITOR": "two", "PATH": str(file.parent)}) == [str(file)]


@pytest.mark.parametrize("path", [".", "", "here", "./here"])
def test_a_program_of_the_workspace_is_no_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    program(tmp_path, "vi", "")
    program(tmp_path / "here", "vi", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EditorError, match="was not found"):
        editor_argv({"EDITOR": "vi", "PATH": path})


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({}, "There is no editor; set VISUAL or EDITOR."),
        ({"EDITOR": "nothing-like-it"}, "The editor 'nothing-like-it' was not found; set VISUAL or EDITOR."),
        ({"EDITOR": "vi 'open"}, "is no command line; set VISUAL or EDITOR."),
        ({"EDITOR": "  "}, "is no command line; set VISUAL or EDITOR."),
        ({"EDITOR": "false"}, "failed: "),
    ],
)
def test_what_goes_wrong_is_one_sentence(environ: dict[str, str], sentence: str) -> None:
    with pytest.raises(EditorError) as raised:
        edit_text("text", contextlib.nullcontext(), {"PATH": "/usr/bin:/bin", **environ})
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("program", "line", "arguments"),
    [
        ("vim", 12, ["+12", "/p/x.json"]),
        ("nano", 12, ["+12", "/p/x.json"]),
        ("code", 12, ["--goto", "/p/x.json:12"]),
        ("hx", 12, ["/p/x.json:12"]),
        ("unheard-of", 12, ["/p/x.json"]),
        ("vim", None, ["/p/x.json"]),
    ],
)
def test_an_editor_is_told_the_line_in_its_own_way(program: str, line: int | None, arguments: list[str]) -> None:
    assert at_line(program, Path("/p/x.json"), line) == arguments
