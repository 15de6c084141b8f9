"""Which values of a settings file loosen when they change, and what was there before.

Whatever the tables do not know to be harmless or ordered counts as loosening: a key that is forgotten here asks once
too often.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from decode_core.permissions.modes import PermissionMode
from decode_core.settings.merge import without
from decode_core.settings.places import JsonPath, dotted

_MAX_SHOWN = 160

HARMLESS = frozenset(
    {
        "$schema",
        "theme",
        "keys",
        "reduced_motion",
        "ascii_signs",
        "screen_reader",
        "notifications",
        "guard_scale",
        "compaction",
    }
)
"""Keys that let no call run and start nothing."""

ENTRIES = {
    "hooks": "hook",
    "mcp": "server",
    "skills": "skill",
    "commands": "command",
    "models": "model",
    "trust_hints": "trust hint",
}
"""Objects whose entries are judged one by one, each with the word for an entry."""

GUARDING = frozenset({"hooks"})
"""Entries that may tighten, so that taking one away loosens."""


def loosened_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[JsonPath, str]]:
    """Paths of values that loosen, each with what changed, as plain text."""
    for key in {**before, **after}:
        old, new = before.get(key), after.get(key)
        if key in HARMLESS or same(old, new):
            continue
        if key in ENTRIES:
            yield from _entries(key, old or {}, new or {})
        elif key in _SECTIONS:
            yield from _section(key, old or {}, new or {})
        elif _is_looser((key,), old, new):
            yield (key,), _instead(key, old, new)


def with_old_value(values: Mapping[str, Any], before: Mapping[str, Any], path: JsonPath) -> dict[str, Any]:
    """`values` with what stood at `path` in `before`, which may be nothing."""
    key = str(path[0])
    kept = dict(values)
    if len(path) > 1:
        inner = with_old_value(values.get(key, {}), before.get(key, {}), path[1:])
        kept.pop(key, None)
        return {**kept, key: inner} if inner else kept
    kept = dict(without(values, path))
    return {**kept, key: before[key]} if key in before else kept


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: to Python, true is 1 and 1 is 1.0."""
    return repr(one) == repr(other)


def shown(value: Any) -> str:
    """A value in a sentence, cut to what fits it."""
    match value:
        case None:
            return "the default"
        case str():
            text = value
        case _:
            text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _entries(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[JsonPath, str]]:
    noun = ENTRIES[key]
    for name in {**old, **new}:
        if name not in new:
            if key in GUARDING:
                yield (key, name), f"{noun} {name} is gone"
        elif name not in old:
            yield (key, name), f"new {noun} {name}: {shown(new[name])}"
        elif not same(old[name], new[name]):
            yield (key, name), f"{noun} {name} is now {shown(new[name])}"


def _section(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[JsonPath, str]]:
    for name in {**old, **new}:
        path = (key, name)
        if not same(old.get(name), new.get(name)) and _is_looser(path, old.get(name), new.get(name)):
            yield path, _instead(dotted(path), old.get(name), new.get(name))


def _instead(name: str, old: Any, new: Any) -> str:
    return f"{name} {shown(new)} instead of {shown(old)}"


def _is_looser(path: JsonPath, old: Any, new: Any) -> bool:
    if path[0] == "limits":
        # a limit that is not set is the person's own, or the default: no lower than what a project sets
        return bool((float("inf") if new is None else new) > (float("inf") if old is None else old))
    looser = _LOOSER.get(path)
    return True if looser is None else looser(old, new)


def _mode(value: Any) -> PermissionMode:
    """A mode as settings give it; where none is given the agent's holds, which is taken for default."""
    return PermissionMode.parse(value) if isinstance(value, str) else PermissionMode.DEFAULT


def _adds(old: Any, new: Any) -> bool:
    return not set(new or ()) <= set(old or ())


_SECTIONS = frozenset({"permissions", "sandbox", "env", "limits"})
_SANDBOX = {"off": 0, None: 1, "auto": 1, "require": 2}

_LOOSER: Mapping[JsonPath, Callable[[Any, Any], bool]] = {
    ("mode",): lambda old, new: _mode(new).loosens(_mode(old)),
    ("memory",): lambda _old, new: new is not False,
    ("directories",): _adds,
    ("permissions", "plan_ceiling"): lambda _old, new: new is False,
    ("sandbox", "mode"): lambda old, new: _SANDBOX[new] < _SANDBOX[old],
    ("sandbox", "network"): lambda _old, new: new != "off",
    ("sandbox", "writable"): _adds,
    ("sandbox", "auto_allow"): lambda _old, new: new is True,
    ("env", "pass"): _adds,
}
"""Values that have an order: whether the second loosens against the first. None stands for "not set"."""
