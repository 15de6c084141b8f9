"""What the prompt completes: which word, with what, and how it is written in. Pure."""

import shlex
from dataclasses import dataclass
from enum import StrEnum

from decode_core.neutral import neutralise_line
from decode_ui.slash import COMMANDS, SlashCommand


class Trigger(StrEnum):
    """The sign that was typed: a command of ours, a file, or a line for the shell."""

    COMMAND = "/"
    FILE = "@"
    SHELL = "!"


@dataclass(frozen=True)
class Word:
    """The part of a row that would be replaced, columns `start` to `end`, and what is looked for."""

    trigger: Trigger
    start: int
    end: int
    query: str


@dataclass(frozen=True)
class Offer:
    """One completion: what it writes in place of the word, what is shown, and a few words beside it; all neutral."""

    insert: str
    label: str
    note: str = ""
    goes_on: bool = False
    """One goes on typing in the word: a folder leads to what is in it."""


def word_at(trigger: Trigger, anchor: int, row: str, cursor: int) -> Word | None:
    """The word that a trigger typed at column `anchor` began, None where the cursor has left it.

    A quoted file name (`@"my notes.md"`) may hold blanks; a line for the shell completes the word before the cursor.
    """
    if cursor <= anchor or row[anchor : anchor + 1] != trigger:
        return None
    typed = row[anchor + 1 : cursor]
    if trigger is Trigger.SHELL:
        start = max(row.rfind(" ", 0, cursor), anchor + typed.startswith("!")) + 1
        word = row[start:cursor].strip("'\"")
        return Word(trigger, start, cursor, word) if word else None
    if typed.startswith('"') and typed.count('"') == 1:
        return Word(trigger, anchor, cursor, typed[1:])
    return None if any(char.isspace() for char in typed) else Word(trigger, anchor, cursor, typed)


def command_offers(query: str) -> tuple[Offer, ...]:
    """Commands whose name begins with the query, then those that hold its letters in their order."""
    wanted = query.casefold()
    begin = [command for command in COMMANDS if command.name.startswith(wanted)]
    others = [command for command in COMMANDS if command not in begin and _in_order(wanted, command.name)]
    return tuple(_command(command) for command in (*begin, *others))


def file_offer(path: str, trigger: Trigger) -> Offer:
    """A file or folder, quoted where the name holds blanks; a name that acts or hides is written as it is shown."""
    shown = neutralise_line(path)
    is_folder = path.endswith("/")
    tail = "" if is_folder else " "
    if trigger is Trigger.SHELL:
        return Offer(shlex.quote(shown) + tail, shown)
    has_blank = any(char.isspace() for char in shown)
    closed = shown if not has_blank else f'"{shown}' if is_folder else f'"{shown}"'
    return Offer(f"@{closed}{tail}", shown, goes_on=is_folder)


def _command(command: SlashCommand) -> Offer:
    return Offer(f"/{command.name} " if command.takes else f"/{command.name}", command.usage, command.help)


def _in_order(letters: str, name: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)
