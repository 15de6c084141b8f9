"""The person's own rules for folders that they do not trust, kept in their data directory (permissions.md §3.2, §9).

A repository brings its own `.decode/settings.json`; its allow rules are the repository's wish, not the person's. What
the person allows in such a folder is kept here instead, keyed by the real path of the folder, and holds whether or not
the folder is trusted later.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from decode_core.config import data_dir
from decode_core.permissions.rules import RuleError, RuleList, RuleSource, parse_rule
from decode_core.settings.files import SettingsReadError, read_settings_file
from decode_core.settings.jsontext import parse_json_text
from decode_core.settings.replace import PRIVATE, SettingsWriteError, replace_file

_VERSION = 1


class GrantedRules:
    """The record of these rules, in `file` (default: `granted-rules.json` in the data directory)."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = data_dir() / "granted-rules.json" if file is None else file

    def of(self, project_file: Path) -> tuple[tuple[RuleList, str], ...]:
        """List and text of every rule of the person for the folder of `project_file`, as of now.

        Raises SettingsReadError, with one sentence, when the record cannot be read: then nothing counts as granted.
        """
        try:
            data = read_settings_file(self.file)
            files = {} if data is None else _files(data)
        except (SettingsReadError, ValueError) as error:
            raise SettingsReadError(f"{self.file} cannot be used ({error}); delete it to start anew") from error
        lists = files.get(_key(project_file), {})
        return tuple((RuleList(name), text) for name, texts in lists.items() for text in texts)

    def add(self, project_file: Path, in_list: RuleList, text: str) -> bool:
        """Keep one rule; False where it is kept already. Raises SettingsWriteError, also for what is no rule."""
        text = checked_rule(in_list, text)

        def add_text(lists: dict[str, list[str]]) -> None:
            texts = lists.setdefault(in_list.value, [])
            if text not in texts:
                texts.append(text)

        return self._change(project_file, add_text)

    def remove(self, project_file: Path, in_list: RuleList, text: str) -> bool:
        """Forget one rule; False where there is none. Raises SettingsWriteError."""

        def remove_text(lists: dict[str, list[str]]) -> None:
            texts = [kept for kept in lists.get(in_list.value, []) if kept != text]
            lists[in_list.value] = texts

        return self._change(project_file, remove_text)

    def _change(self, project_file: Path, change: Callable[[dict[str, list[str]]], None]) -> bool:
        def edit(data: bytes | None) -> bytes:
            try:
                files = {} if data is None else _files(data)
            except ValueError as error:
                raise SettingsWriteError(f"{self.file} cannot be used ({error}); delete it to start anew") from error
            lists = files.setdefault(_key(project_file), {})
            change(lists)
            kept = {path: named for path, named in files.items() if any(named.values())}
            return json.dumps({"version": _VERSION, "files": kept}, ensure_ascii=False, indent=1).encode() + b"\n"

        return replace_file(self.file, edit, new_mode=PRIVATE)


def checked_rule(in_list: RuleList, text: str) -> str:
    """The rule as it is stored. Raises SettingsWriteError with one sentence for what is no rule."""
    try:
        text.encode("utf-8")
        return parse_rule(text, in_list, RuleSource.USER).text
    except UnicodeEncodeError:
        raise SettingsWriteError("the rule was not stored: it holds text that is not valid Unicode") from None
    except RuleError as error:
        raise SettingsWriteError(f"the rule was not stored: {error}") from error


def _key(project_file: Path) -> str:
    # The project's root by its real path, the rest as it is called: a repository whose `.decode` is a link to another
    # project's must not come by that project's grants.
    root, names = project_file.parent.parent, project_file.parts[-2:]
    path = os.path.join(os.path.realpath(root), *names)  # noqa: PTH118 - bytes that are no UTF-8 follow
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def _files(data: bytes) -> dict[str, dict[str, list[str]]]:
    """The record by file and list. Raises ValueError."""
    value = parse_json_text(data).value
    files: Any = value.get("files")
    if value.get("version") != _VERSION or not isinstance(files, dict):
        raise ValueError("it is of another version")
    for lists in files.values():
        if not isinstance(lists, dict) or not set(lists) <= set(RuleList) or not all(map(_is_texts, lists.values())):
            raise ValueError("it has a wrong shape")
    return files


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
