"""How values of several layers become one: later wins, with two exceptions that keep a project from loosening."""

from collections.abc import Mapping
from typing import Any

from decode_core.settings.places import JsonPath

_BY_NAME = frozenset({"models", "mcp", "skills", "commands", "trust_hints", "keys"})
"""Objects whose entries are single values of their own."""


def merge(own: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """The person's values with a project's on top.

    Hooks of both stay, the person's first: a project cannot switch off a guard by giving its event hooks of its own.
    """
    merged = dict(own)
    for key, value in project.items():
        below = merged.get(key)
        if key == "hooks" and isinstance(below, dict):
            merged[key] = _both_hooks(below, value)
        elif isinstance(below, dict) and isinstance(value, dict):
            merged[key] = {**below, **value} if key in _BY_NAME else merge(below, value)
        else:
            merged[key] = value
    return merged


def stands_at(value: Any, path: JsonPath) -> bool:
    """Whether a JSON value holds anything at `path`."""
    for key in path:
        if not (key in value if isinstance(value, dict) else isinstance(value, list) and key in range(len(value))):
            return False
        value = value[key]
    return True


def without(value: Any, path: JsonPath) -> Any:
    """A copy of a JSON value that lacks what stands at `path`; the value itself where nothing does."""
    if not stands_at(value, path):
        return value
    copy = value.copy()
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = without(value[path[0]], path[1:])
    return copy


def _both_hooks(own: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(own)
    for event, hooks in project.items():
        mine = merged.get(event)
        if mine is None:
            merged[event] = hooks
        else:
            merged[event] = [*_listed(mine), *_listed(hooks)]
    return merged


def _listed(hooks: Any) -> list[Any]:
    return hooks if isinstance(hooks, list) else [hooks]
