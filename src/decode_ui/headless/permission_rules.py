"""`decode permissions list|add|remove`: the rules in force by layer, and changes that show where they go."""

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from decode_core.neutral import neutralise_line
from decode_core.opening import Surroundings, survey
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layer import Layer
from decode_core.settings.replace import SettingsWriteError
from decode_core.settings.writing import remove_rule, store_rule
from decode_core.tools.registry import builtin_registry
from decode_core.trust.loaded import load_content
from decode_core.trust.storing import drop_rule, keep_rule, rules_place
from decode_core.workspace import Workspace

LIST = click.Choice([name.value for name in RuleList])
as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
in_user = click.option("--user", "place", flag_value="user", help="Your own settings, for every project.")
in_project = click.option("--project", "place", flag_value="project", help="This project's settings.")


class Place(StrEnum):
    """Where a rule is kept."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True)
class Group:
    """The rules of one file."""

    title: str
    file: Path | None
    rules: tuple[Rule, ...]
    ignored: bool = False
    """Whether none of them counts, since the folder is not trusted."""


@click.command("list")
@click.option("--agent", help="With this agent's rules (default: the agent of a new session).")
@as_json_option
def list_command(agent: str | None, *, as_json: bool) -> None:
    """The rules in force, layer by layer, each with file and line."""
    around = survey(Workspace.open(None))
    groups = list(groups_of(around, agent))
    if as_json:
        click.echo(json.dumps([row for group in groups for row in _rows(group)], ensure_ascii=False))
    elif not any(group.rules for group in groups):
        click.echo("no rules: the mode decides")
    else:
        _print(groups)
    for problem in (*around.settings.degraded, *around.settings.warnings):
        click.echo(neutralise_line(str(problem)), err=True)


@click.command("add")
@click.argument("in_list", metavar="LIST", type=LIST)
@click.argument("rule")
@in_user
@in_project
@as_json_option
def add_command(in_list: str, rule: str, place: str | None, *, as_json: bool) -> None:
    """Store RULE in LIST: deny, ask, allow or readonly, for this project or, with --user, for all of them.

    A rule is Tool or Tool(pattern), like "bash(make *)" or "read(.env)". In a folder that is not trusted it is kept
    with your own data.
    """
    kind, root = RuleList(in_list), Workspace.open(None).root
    text = checked(kind, rule)
    try:
        if place == Place.USER:
            stored = store_rule(user_settings_file(), kind, text)
            file, changed, line = stored.file, stored.changed, stored.line
        else:
            kept = keep_rule(root, kind, text)
            file, changed, line = kept.file, kept.changed, kept.line
    except SettingsWriteError as error:
        raise click.ClickException(str(error)) from None
    _told(kind, text, file, line, "added" if changed else "was there already", changed=changed, as_json=as_json)


@click.command("remove")
@click.argument("in_list", metavar="LIST", type=LIST)
@click.argument("rule")
@in_user
@in_project
@as_json_option
def remove_command(in_list: str, rule: str, place: str | None, *, as_json: bool) -> None:
    """Take RULE out of LIST, of this project and, without --project, of your own settings as well."""
    kind, root, text = RuleList(in_list), Workspace.open(None).root, rule.strip()
    files: list[Path] = []
    try:
        if place != Place.USER:
            kept = drop_rule(root, kind, text)
            files += [kept.file] if kept.changed else []
        if place != Place.PROJECT and user_settings_file().exists():
            files += [user_settings_file()] if remove_rule(user_settings_file(), kind, text).changed else []
    except SettingsWriteError as error:
        raise click.ClickException(str(error)) from None
    if not files:
        told = " and ".join(str(file) for file in _looked_in(root, place))
        raise click.ClickException(f"there is no {kind} rule {text} in {told}; decode permissions list shows all")
    for file in files:
        _told(kind, text, file, None, "removed", changed=True, as_json=as_json)


def checked(in_list: RuleList, rule: str) -> str:
    """The rule as it is stored; a tool that nobody knows is a warning. Raises UsageError for what is no rule."""
    try:
        parsed = parse_rule(rule, in_list, RuleSource.USER)
    except RuleError as error:
        raise click.UsageError(str(error)) from None
    names = builtin_registry().names
    if parsed.tool not in names and not parsed.tool.startswith("mcp__"):
        near = difflib.get_close_matches(parsed.tool.casefold()[:100], names, n=1)
        meant = f"; did you mean {near[0]}?" if near else ""
        click.echo(neutralise_line(f"decode: {parsed.text} names no known tool{meant}"), err=True)
    return parsed.text


def groups_of(around: Surroundings, agent: str | None) -> Iterator[Group]:
    """Every layer's rules, the person's first; those of an untrusted folder that do not count come last."""
    user, project, granted = _layers(around)
    yield Group("yours", user.file, user.rules)
    yield Group("yours, for this folder", granted.file, granted.rules)
    yield Group("this project's", project.file, project.rules)
    chosen = around.catalog.get(agent or around.settings.values.agent)
    yield Group(f"of the agent {chosen.name}", chosen.path, chosen.rules)
    if not around.trust.counts:
        brought = load_content(around.trust.content, around.registry.names).settings
        known = {(rule.list, rule.text) for rule in project.rules}
        ignored = tuple(rule for rule in brought.rules if (rule.list, rule.text) not in known)
        yield Group("this project's, ignored until you trust the folder", brought.file, ignored, ignored=True)


def _layers(around: Surroundings) -> tuple[Layer, Layer, Layer]:
    user, project, granted = around.settings.layers
    return user, project, granted


def _rows(group: Group) -> Iterator[dict[str, Any]]:
    for rule in group.rules:
        yield {
            "list": rule.list,
            "rule": rule.text,
            "source": rule.source,
            "file": None if group.file is None else str(group.file),
            "line": rule.line,
            "in_force": not group.ignored,
        }


def _print(groups: list[Group]) -> None:
    for index, group in enumerate(group for group in groups if group.rules):
        if index:
            click.echo()
        click.echo(neutralise_line(f"{group.file}  ({group.title})"))
        for rule in group.rules:
            line = "" if rule.line is None else f"  :{rule.line}"
            click.echo(neutralise_line(f"  {rule.list:<8}  {rule.text}{line}"))


def _told(
    in_list: RuleList, text: str, file: Path, line: int | None, what: str, *, changed: bool, as_json: bool
) -> None:
    if as_json:
        row = {"list": in_list, "rule": text, "file": str(file), "line": line, "changed": changed}
        click.echo(json.dumps(row, ensure_ascii=False))
    else:
        place = str(file) if line is None else f"{file}:{line}"
        click.echo(neutralise_line(f"{place}: {in_list} {text} {what}"))


def _looked_in(root: Path, place: str | None) -> list[Path]:
    project = [project_settings_file(root), GrantedRules().file] if place != Place.USER else []
    return [*project, *([user_settings_file()] if place != Place.PROJECT else [])]


def target(root: Path, place: str | None) -> Path:
    """The file that a new rule goes to."""
    return user_settings_file() if place == Place.USER else rules_place(root)
