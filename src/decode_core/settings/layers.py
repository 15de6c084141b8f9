"""All settings in force: the person's file and the project's, merged, with what is wrong with either."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.settings.files import ReadFile, SettingsReadError, read_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layer import Layer, read_layer
from decode_core.settings.merge import merge, stands_at, without
from decode_core.settings.places import JsonPath, dotted
from decode_core.settings.problems import ProblemKind, SettingsProblem
from decode_core.settings.rights import raised_limits
from decode_core.settings.schema import SettingsValues, parse_values


@dataclass(frozen=True)
class Settings:
    """Settings in force.

    `rules` are united, the person's first. While `degraded` is not empty everything asks except reads inside the
    workspace (permissions.md §3.3); `warnings` are shown and change nothing.
    """

    values: SettingsValues = field(default_factory=SettingsValues)
    rules: tuple[Rule, ...] = ()
    warnings: tuple[SettingsProblem, ...] = ()
    degraded: tuple[SettingsProblem, ...] = ()
    layers: tuple[Layer, ...] = ()
    """What each file contributes, the person's first: hooks and servers differ by where they come from. The last one
    holds the person's own rules for a folder that they did not trust."""

    @property
    def is_degraded(self) -> bool:
        """Whether a file that counts is broken."""
        return bool(self.degraded)

    @property
    def degraded_reason(self) -> str | None:
        """Why everything but reads asks: one sentence, or None."""
        if not self.degraded:
            return None
        return f"Settings are broken ({self.degraded[0]}); everything but reads asks until that is mended."

    def layer(self, source: RuleSource) -> Layer:
        """What one source contributes, nothing where there is no such file."""
        return next((layer for layer in self.layers if layer.source is source), Layer(source))

    def source_of(self, path: JsonPath) -> RuleSource | None:
        """Which file sets the value at `path`; None for a default."""
        for layer in reversed(self.layers):
            if stands_at(layer.values, path):
                return layer.source
        return None


def load_settings(
    user_file: Path | None,
    project_file: Path | None,
    *,
    project_trusted: bool,
    grants: GrantedRules,
    tool_names: Collection[str] | None = None,
    last_good: Settings | None = None,
    read: ReadFile = read_settings_file,
) -> Settings:
    """Read both files and merge them. Never raises for what a file holds; None or a missing file is empty.

    Of a project that is not trusted, `deny` and `ask` count, and the person's own rules for that folder (`grants`) do
    in any case; its broken file is a warning, not a degradation. With `last_good`, the settings in force so far, a
    broken file keeps its last good content, and the deny and ask rules that can still be read from it count as well.
    """
    granted = granted_layer(grants, project_file)
    user = read_layer(user_file, RuleSource.USER, project_trusted=project_trusted, tool_names=tool_names, read=read)
    project = read_layer(
        project_file,
        RuleSource.PROJECT,
        project_trusted=project_trusted,
        granted={(rule.list, rule.text) for rule in granted.rules},
        tool_names=tool_names,
        read=read,
    )
    if last_good is not None:
        user, project = carried_over(user, last_good), carried_over(project, last_good)
    return merge_layers(user, project, granted, project_trusted=project_trusted)


def merge_layers(user: Layer, project: Layer, granted: Layer, *, project_trusted: bool) -> Settings:
    """The settings in force under these three layers. Pure."""
    project = with_low_limits(project, user)
    rules = user.rules + granted.rules + project.rules
    warnings, degraded = user.warnings + project.warnings, user.broken + granted.broken
    if project_trusted:
        degraded += project.broken
    else:
        warnings += project.broken
    values = parse_values(_with_rule_texts(merge(user.values, project.values), rules))
    return Settings(values, rules, warnings, degraded, (user, project, granted))


def granted_layer(grants: GrantedRules, project_file: Path | None) -> Layer:
    """The person's own rules for the folder of a project's file; a record that is broken may hide a deny."""
    if project_file is None:
        return Layer(RuleSource.USER, grants.file)
    try:
        kept = grants.of(project_file)
    except SettingsReadError as error:
        problem = SettingsProblem(grants.file, ProblemKind.UNREADABLE, str(error))
        return Layer(RuleSource.USER, grants.file, broken=(problem,))
    return Layer(RuleSource.USER, grants.file, rules=tuple(_parsed(kept)))


def _parsed(kept: Iterable[tuple[RuleList, str]]) -> Iterator[Rule]:
    for in_list, text in kept:
        with suppress(RuleError):  # only rules are ever kept: somebody else wrote this one
            yield parse_rule(text, in_list, RuleSource.USER)


def carried_over(layer: Layer, last_good: Settings) -> Layer:
    """A broken layer with the content it had before it broke, and whatever it forbids by now."""
    before = last_good.layer(layer.source)
    if not layer.broken or before.file != layer.file:
        return layer
    known = {(rule.list, rule.text) for rule in before.rules}
    tighter = (rule for rule in layer.rules if rule.list.is_wide and (rule.list, rule.text) not in known)
    return replace(layer, values=before.values, rules=(*before.rules, *tighter))


def with_low_limits(project: Layer, user: Layer) -> Layer:
    """A project's layer without the limits that it raises above the person's own."""
    if project.file is None or not project.values.get("limits"):
        return project
    values, warnings = project.values, project.warnings
    limits = parse_values(user.values).limits.model_dump()
    for path in raised_limits(project.values.get("limits", {}), limits):
        sentence = f"{dotted(path)} is ignored: a project may only lower it, and yours is {limits[str(path[1])]:g}"
        problem = SettingsProblem(project.file, ProblemKind.NOT_FOR_PROJECTS, sentence, path, project.position(path))
        values, warnings = without(values, path), (*warnings, problem)
    return replace(project, values=values, warnings=warnings)


def _with_rule_texts(values: dict[str, Any], rules: tuple[Rule, ...]) -> dict[str, Any]:
    texts = {kind.value: [rule.text for rule in rules if rule.list is kind] for kind in RuleList}
    return {**values, "permissions": {**values.get("permissions", {}), **texts}}
