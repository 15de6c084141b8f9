"""What a project's file may set (settings.md, last column; permissions.md §9)."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Any

from decode_core.settings.places import JsonPath


class ProjectMay(Enum):
    """How far a project's own file counts for one key."""

    ALWAYS = auto()
    """Also in a folder that nobody trusted: such keys only tighten, or mean nothing."""
    WHEN_TRUSTED = auto()
    LOWER_ONLY = auto()
    """In a trusted folder, and only to a lower value than the person's own."""
    NEVER = auto()


PROJECT_MAY: Mapping[JsonPath, ProjectMay] = {
    ("$schema",): ProjectMay.ALWAYS,
    ("permissions", "deny"): ProjectMay.ALWAYS,
    ("permissions", "ask"): ProjectMay.ALWAYS,
    # single rules of these two also count where the application itself stored them: see `grants`
    ("permissions", "allow"): ProjectMay.ALWAYS,
    ("permissions", "readonly"): ProjectMay.ALWAYS,
    ("permissions", "plan_ceiling"): ProjectMay.NEVER,
    ("agent",): ProjectMay.WHEN_TRUSTED,
    ("mode",): ProjectMay.WHEN_TRUSTED,
    ("model",): ProjectMay.WHEN_TRUSTED,
    ("models",): ProjectMay.NEVER,
    ("fallback",): ProjectMay.NEVER,
    ("sandbox",): ProjectMay.NEVER,
    ("env",): ProjectMay.NEVER,
    ("directories",): ProjectMay.NEVER,
    ("hooks",): ProjectMay.WHEN_TRUSTED,
    ("mcp",): ProjectMay.WHEN_TRUSTED,
    ("skills",): ProjectMay.WHEN_TRUSTED,
    ("commands",): ProjectMay.WHEN_TRUSTED,
    ("trust_hints",): ProjectMay.NEVER,
    ("limits",): ProjectMay.LOWER_ONLY,
    ("theme",): ProjectMay.NEVER,
    ("keys",): ProjectMay.NEVER,
    ("reduced_motion",): ProjectMay.NEVER,
    ("ascii_signs",): ProjectMay.NEVER,
    ("screen_reader",): ProjectMay.NEVER,
    ("notifications",): ProjectMay.NEVER,
    ("editor",): ProjectMay.NEVER,
    ("guard_scale",): ProjectMay.NEVER,
    ("memory",): ProjectMay.WHEN_TRUSTED,
    ("compaction",): ProjectMay.WHEN_TRUSTED,
}
"""Every key of the schema, once; what is not listed here may not be set."""


def project_may(path: JsonPath) -> ProjectMay:
    """The right of a project for the key at `path`, which may also stand below a listed one."""
    for length in range(1, len(path) + 1):
        if (right := PROJECT_MAY.get(path[:length])) is not None:
            return right
    return ProjectMay.NEVER


def refused_keys(value: Mapping[str, Any], *, project_trusted: bool) -> Iterator[tuple[JsonPath, ProjectMay]]:
    """Paths of a project's keys that do not count, each with the right that says why."""
    for path in _listed(value):
        right = project_may(path)
        if right is ProjectMay.NEVER or (right is not ProjectMay.ALWAYS and not project_trusted):
            yield path, right


def raised_limits(project: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[JsonPath]:
    """Paths of a project's limits that are not lower than the person's own; both are valid `limits` objects."""
    for key, value in project.items():
        if value > own[key]:
            yield ("limits", key)


def _listed(value: Mapping[str, Any]) -> Iterator[JsonPath]:
    for key, below in value.items():
        if key == "permissions" and isinstance(below, dict):
            yield from ((key, name) for name in below)
        elif key != "permissions":
            yield (key,)
