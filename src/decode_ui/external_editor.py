"""A text in the person's own editor, $VISUAL or $EDITOR, started by argv, without a shell."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path


class EditorError(Exception):
    """The text was not edited. The message is one sentence for the person."""


def edit_text(text: str, suspended: AbstractContextManager[None], environ: Mapping[str, str]) -> str:
    """Let the person edit `text` while the application is `suspended`, and return what was saved.

    Raises EditorError where there is no editor or it failed.
    """
    argv = editor_argv(environ)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "prompt.md"
        file.write_text(text, encoding="utf-8")
        try:
            with suspended:
                subprocess.run([*argv, str(file)], check=True)
            return file.read_text(encoding="utf-8", errors="replace").rstrip("\n")
        except (OSError, subprocess.CalledProcessError) as error:
            raise EditorError(f"The editor {argv[0]} failed: {error}.") from error


def open_file(
    file: Path, line: int | None, suspended: AbstractContextManager[None], environ: Mapping[str, str]
) -> None:
    """Let the person edit a file of theirs, at a line where the editor is known to take one.

    Raises EditorError where there is no editor or it failed.
    """
    argv = editor_argv(environ)
    try:
        with suspended:
            subprocess.run([*argv, *at_line(Path(argv[0]).name, file, line)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise EditorError(f"The editor {argv[0]} failed: {error}.") from error


def at_line(program: str, file: Path, line: int | None) -> list[str]:
    """The arguments that open `file` at `line`. Pure."""
    name = str(file.absolute())
    if line is None:
        return [name]
    if program in _PLUS_LINE:
        return [f"+{line}", name]
    if program in _GOTO:
        return ["--goto", f"{name}:{line}"]
    return [f"{name}:{line}"] if program in _COLON else [name]


_PLUS_LINE = frozenset({"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "kak", "joe", "mg", "micro", "ed"})
_GOTO = frozenset({"code", "codium", "code-insiders", "cursor"})
_COLON = frozenset({"hx", "helix", "subl", "zed"})


def editor_argv(environ: Mapping[str, str]) -> list[str]:
    """The editor as argv, with the whole path of its program. Raises EditorError."""
    command = environ.get("VISUAL") or environ.get("EDITOR")
    if not command:
        raise EditorError("There is no editor; set VISUAL or EDITOR.")
    try:
        program, *arguments = shlex.split(command)
    except ValueError:
        raise EditorError(f"The editor {command!r} is no command line; set VISUAL or EDITOR.") from None
    # relative folders of the search path lie in the workspace: its files must not stand in for an editor
    folders = [folder for folder in os.get_exec_path(dict(environ)) if Path(folder).is_absolute()]
    found = shutil.which(program, path=os.pathsep.join(folders))
    if found is None:
        raise EditorError(f"The editor {program!r} was not found; set VISUAL or EDITOR.")
    return [str(Path(found).absolute()), *arguments]
