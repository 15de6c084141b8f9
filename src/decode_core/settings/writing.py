"""Changes to settings files (permissions.md §3.2): one rule or one value at a time, the rest of the file untouched.

Every function is idempotent, locks, replaces the file atomically, refuses links, and raises SettingsWriteError with one
sentence when nothing was written. A file that is not strict JSON is never overwritten, unless it holds nothing at all.
`before_write` is told the bytes that stand there and those that will, while the file is locked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decode_core.permissions.rules import MAX_RULES_PER_LAYER, RuleList
from decode_core.settings.files import is_project_file
from decode_core.settings.grants import checked_rule
from decode_core.settings.jsontext import JsonText, JsonTextError, parse_json_text
from decode_core.settings.merge import stands_at
from decode_core.settings.places import JsonPath, dotted
from decode_core.settings.replace import PRIVATE, SHARED, BeforeWrite, SettingsWriteError, replace_file
from decode_core.settings.rights import ProjectMay, project_may
from decode_core.settings.schema import known_part, normalise, wrong_values
from decode_core.settings.textedit import EditError, append, new_text, put, remove

__all__ = ["SettingsWriteError", "StoreResult", "remove_rule", "remove_value", "set_value", "store_rule", "store_rules"]


@dataclass(frozen=True)
class StoreResult:
    """What a change did. `changed` is False where the file already said so."""

    file: Path
    changed: bool
    line: int | None = None
    """Line on which the stored rule or value stands, counted from 1."""


def store_rule(file: Path, in_list: RuleList, rule: str, *, before_write: BeforeWrite | None = None) -> StoreResult:
    """Add one rule at the end of a list."""
    text = checked_rule(in_list, rule)
    path = ("permissions", in_list.value)

    def add(now: JsonText) -> bytes | None:
        present = _rules(file, now, path)
        if text in present:
            return None
        _check_room(file, now)
        return append(now, path, text)

    result = _change(file, add, {"permissions": {in_list.value: [text]}}, before_write)
    return StoreResult(file, result.changed, result.line_of(path, text))


def store_rules(
    file: Path, rules: Sequence[tuple[RuleList, str]], *, before_write: BeforeWrite | None = None
) -> tuple[tuple[RuleList, str], ...]:
    """Add many rules, all or none, each at the end of its list; gives those that were not there before."""
    wanted = list(dict.fromkeys((in_list, checked_rule(in_list, rule)) for in_list, rule in rules))
    added: list[tuple[RuleList, str]] = []

    def add(now: JsonText) -> bytes | None:
        added.clear()
        changed = now
        for in_list, text in wanted:
            path = ("permissions", in_list.value)
            if text in _rules(file, changed, path):
                continue
            _check_room(file, changed)
            changed = _parsed(file, append(changed, path, text))
            added.append((in_list, text))
        return None if changed is now else changed.data

    lists = {kind.value: [text for in_list, text in wanted if in_list is kind] for kind in RuleList}
    result = _change(file, add, {"permissions": {name: texts for name, texts in lists.items() if texts}}, before_write)
    return tuple(wanted if result.changed and not added else added)


def remove_rule(file: Path, in_list: RuleList, rule: str, *, before_write: BeforeWrite | None = None) -> StoreResult:
    """Remove a rule wherever it stands in a list."""
    text = rule.strip()
    path = ("permissions", in_list.value)

    def drop(now: JsonText) -> bytes | None:
        changed = now
        while text in (present := _rules(file, changed, path)):
            changed = _parsed(file, remove(changed, (*path, present.index(text))))
        return None if changed is now else changed.data

    return StoreResult(file, _change(file, drop, None, before_write).changed)


def set_value(file: Path, path: tuple[str, ...], value: Any, *, before_write: BeforeWrite | None = None) -> StoreResult:
    """Set one value, checked against the schema; rules are stored by `store_rule`."""
    new: Any = value
    for key in reversed(path):
        new = {key: new}
    _check_value(file, path, new)

    def put_value(now: JsonText) -> bytes | None:
        if stands_at(now.value, path) and _same(_at(now.value, path), value):
            return None
        return put(now, path, value)

    result = _change(file, put_value, new, before_write)
    return StoreResult(file, result.changed, result.line_of(path))


def remove_value(file: Path, path: tuple[str, ...], *, before_write: BeforeWrite | None = None) -> StoreResult:
    """Remove one key, so that its default or a lower layer counts again."""

    def drop(now: JsonText) -> bytes | None:
        return remove(now, path) if stands_at(now.value, path) else None

    return StoreResult(file, _change(file, drop, None, before_write).changed)


@dataclass(frozen=True)
class _Change:
    changed: bool
    after: JsonText | None

    def line_of(self, path: JsonPath, item: str | None = None) -> int | None:
        if self.after is None:
            return None
        if item is not None:
            items = [entry.strip() if isinstance(entry, str) else entry for entry in _at(self.after.value, path)]
            path = (*path, items.index(item))
        position = self.after.position(path)
        return None if position is None else position.line


def _change(
    file: Path,
    edit: Callable[[JsonText], bytes | None],
    when_blank: dict[str, Any] | None,
    before_write: BeforeWrite | None,
) -> _Change:
    """Apply `edit` to the text of `file`; a missing or blank file becomes `when_blank`."""
    after: JsonText | None = None

    def edit_bytes(data: bytes | None) -> bytes | None:
        nonlocal after
        if data is None or not data.strip():
            after = None if when_blank is None else _parsed(file, new_text(when_blank))
            return None if after is None else after.data
        before = _parsed(file, data)
        try:
            changed = edit(before)
        except EditError as error:
            raise SettingsWriteError(f"{file} was not changed: {error}; change it by hand") from error
        # the edit is read again before it is written: a broken file would stop the person's work
        after = before if changed is None else _parsed(file, changed)
        return changed

    new_mode = SHARED if is_project_file(file) else PRIVATE
    return _Change(replace_file(file, edit_bytes, new_mode=new_mode, before_write=before_write), after)


def _parsed(file: Path, data: bytes) -> JsonText:
    try:
        return parse_json_text(data)
    except JsonTextError as error:
        raise SettingsWriteError(f"{file} was not changed: {error}") from error


def _check_room(file: Path, text: JsonText) -> None:
    if sum(len(_rules(file, text, ("permissions", kind.value))) for kind in RuleList) >= MAX_RULES_PER_LAYER:
        raise SettingsWriteError(f"{file} holds {MAX_RULES_PER_LAYER:,} rules already; remove some first")


def _rules(file: Path, text: JsonText, path: tuple[str, str]) -> list[Any]:
    """The entries of a rule list as rules compare: without blanks around them."""
    lists = text.value.get(path[0], {})
    entries = lists.get(path[1], []) if isinstance(lists, dict) else None
    if not isinstance(entries, list):
        wrong = path[:1] if entries is None else path
        kind = "an object" if entries is None else "a list"
        raise SettingsWriteError(f"{file} was not changed: {dotted(wrong)} is not {kind}; mend it by hand first")
    return [entry.strip() if isinstance(entry, str) else entry for entry in entries]


def _check_value(file: Path, path: tuple[str, ...], new: dict[str, Any]) -> None:
    name = dotted(path)
    if path[:1] == ("permissions",) and path[1:2] != ("plan_ceiling",):
        raise SettingsWriteError(f"{name} was not set: rules are added and removed one by one")
    if is_project_file(file) and project_may(path) is ProjectMay.NEVER:
        raise SettingsWriteError(f"{name} was not set: a project may not set it; set it in your own settings")
    full, unknown = known_part(normalise(new))
    if unknown:
        raise SettingsWriteError(f"{name} was not set: there is no such setting")
    for wrong, predicate in wrong_values(full).items():
        raise SettingsWriteError(f"{name} was not set: {dotted(wrong or path)} {predicate}")


def _at(value: Any, path: JsonPath) -> Any:
    for key in path:
        value = value[key]
    return value


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON values: to Python, true is 1 and 1 is 1.0."""
    return repr(one) == repr(other)
