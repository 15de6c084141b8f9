"""Follows `cd`, `pushd` and `popd` through a script: where each command may run. Pure.

A folder is text relative to the folder of the call, neither folded nor resolved: what links make of it is looked up
later. Where a `cd` may have failed, both folders count.
"""

from dataclasses import dataclass

from decode_core.permissions.shell.script import SimpleCommand
from decode_core.permissions.shell.words import home

Folders = frozenset[str] | None

MAX_FOLDERS = 8
"""Where a command may run in more folders than these, its folder counts as unknown."""

_MOVES = frozenset({"cd", "pushd", "popd"})
_RUN_IN_THIS_SHELL = frozenset({"command", "builtin", "eval", "time", "exec", "source", ".", "trap"})


@dataclass(frozen=True)
class After:
    """Where the shell may be after a statement: whatever came of it, and if it succeeded."""

    anyhow: Folders
    success: Folders


def folder_after(command: SimpleCommand, folders: Folders) -> After:
    """Where the shell is after a simple command."""
    program = command.program
    if program in ("cd", "pushd"):
        target = _target(command)
        if folders is None or target is None:
            return After(None, None)
        moved = _limited(frozenset(join(folder, target) for folder in folders))
        return After(union(folders, moved), moved)
    if changes_folder(command):
        return After(None, None)
    return After(folders, folders)


def changes_folder(command: SimpleCommand) -> bool:
    """Whether the command may move the shell that runs it."""
    if not command.words:
        return False
    program = command.program
    if program is None or program in _MOVES:
        return True
    if program in ("eval", "source", ".", "trap"):
        return True
    return program in _RUN_IN_THIS_SHELL and any(word.value in _MOVES for word in command.words[1:])


def join(folder: str, target: str) -> str:
    """`target` as seen from `folder`, unfolded."""
    return target if target.startswith("/") or not folder else f"{folder}/{target}"


def union(*all_folders: Folders) -> Folders:
    """All of these folders; unknown where one is."""
    found: frozenset[str] = frozenset()
    for folders in all_folders:
        if folders is None:
            return None
        found |= folders
    return _limited(found)


def _limited(folders: frozenset[str]) -> Folders:
    return folders if len(folders) <= MAX_FOLDERS else None


def _target(command: SimpleCommand) -> str | None:
    values = [word.value for word in command.words[1:]]
    if command.program == "cd" and values[:1] in (["-P"], ["-L"]):
        values = values[1:]
    if values[:1] == ["--"]:
        values = values[1:]
    if not values and command.program == "cd":
        return home()
    if len(values) != 1 or values[0] is None or values[0][:1] in ("", "-", "+"):
        return None
    return values[0]
