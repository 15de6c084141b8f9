"""`decode permissions import FILE`: rules of another agent's settings, shown before they are stored."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from decode_core.neutral import neutralise_line
from decode_core.permissions.importing import LISTS, ImportedRule, Origin, import_rule
from decode_core.permissions.rules import RuleList
from decode_core.settings.files import SettingsReadError, read_settings_file, user_settings_file
from decode_core.settings.jsontext import JsonTextError, parse_json_text
from decode_core.settings.replace import SettingsWriteError
from decode_core.settings.writing import store_rules
from decode_core.trust.storing import keep_rules
from decode_core.workspace import Workspace
from decode_ui.headless.permission_rules import Place, as_json_option, in_project, in_user, target

OTHERS = {
    "defaultMode": "is no rule: decode takes a mode by --mode, or by `mode` in settings",
    "additionalDirectories": "are no rules: add them to `directories` in your settings",
    "disableBypassPermissionsMode": "is no rule",
}
"""Keys beside the lists, and why they are not imported."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@in_user
@in_project
@click.option("--yes", is_flag=True, help="Store without asking.")
@as_json_option
def import_command(file: Path, place: str | None, *, yes: bool, as_json: bool) -> None:
    """Translate the permission rules of FILE, settings in the style of Claude Code, and store them.

    Every rule is shown with what it becomes, or why it cannot be had; none of ours lets more run than the original.
    They go to the settings of this project, or to your own where FILE lies outside of it.
    """
    root = Workspace.open(None).root
    inside = root in file.resolve().parents
    place = place or (Place.PROJECT if inside else Place.USER)
    origin = Origin.PROJECT if inside else Origin.USER
    rules, others = _read(file, origin)
    into = target(root, place)
    found = [(rule.list, text) for rule in rules for text in rule.rules]
    if not as_json:
        _show(rules, others)
    if found and not yes:
        _confirm(len(set(found)), into)
    stored = _store(root, place, found) if found else ()
    if as_json:
        click.echo(json.dumps(_row(rules, others, into, stored), ensure_ascii=False))
    elif not found:
        click.echo("nothing to store")
    else:
        told = "1 rule" if len(stored) == 1 else f"{len(stored)} rules"
        known = len(set(found)) - len(stored)
        click.echo(neutralise_line(f"{into}: {told} stored{f', {known} were there already' if known else ''}"))


def _read(file: Path, origin: Origin) -> tuple[list[ImportedRule], dict[str, str]]:
    try:
        data = read_settings_file(file)
        if data is None:
            raise click.ClickException(f"{file} does not exist")
        value = parse_json_text(data).value
    except SettingsReadError as error:
        raise click.ClickException(f"{file}: {error}") from None
    except JsonTextError as error:
        raise click.ClickException(f"{file}:{error.position.line}: {error.sentence}") from None
    lists = value.get("permissions")
    if not isinstance(lists, dict):
        raise click.ClickException(f"{file} has no permissions; its rules stand in an object of that name")
    rules: list[ImportedRule] = []
    for in_list in LISTS:
        entries = lists.get(in_list.value, [])
        if not isinstance(entries, list):
            raise click.ClickException(f"{file}: permissions.{in_list} is not a list; mend it first")
        rules += [import_rule(in_list, entry, origin) for entry in entries]
    names = {name.value for name in LISTS}
    return rules, {key: OTHERS.get(key, "is not known") for key in lists if key not in names}


def _show(rules: list[ImportedRule], others: dict[str, str]) -> None:
    width = max((len(rule.original) for rule in rules), default=0)
    for rule in rules:
        became = f"→ {', '.join(rule.rules)}" if rule.rules else f"✗ left out: {rule.reason}"
        note = f"  ({rule.note})" if rule.note else ""
        click.echo(neutralise_line(f"{rule.list:<5}  {rule.original:<{min(width, 48)}}  {became}{note}"))
    lost = [rule for rule in rules if rule.list.is_wide and not rule.rules]
    if lost:
        told = "1 deny or ask rule does" if len(lost) == 1 else f"{len(lost)} deny and ask rules do"
        click.echo(f"decode: {told} not hold here; see above why, and write others in their place", err=True)
    for key, why in others.items():
        click.echo(neutralise_line(f"permissions.{key} {why}"))


def _confirm(count: int, into: Path) -> None:
    if not sys.stdin.isatty():
        raise click.ClickException("nothing was stored; read the list above, then say --yes")
    told = "1 rule" if count == 1 else f"{count} rules"
    click.confirm(neutralise_line(f"Store {told} in {into}?"), abort=True)


def _store(root: Path, place: str, found: list[tuple[RuleList, str]]) -> tuple[tuple[RuleList, str], ...]:
    try:
        if place == Place.USER:
            return store_rules(user_settings_file(), found)
        return keep_rules(root, found)[1]
    except SettingsWriteError as error:
        raise click.ClickException(str(error)) from None


def _row(
    rules: list[ImportedRule], others: dict[str, str], into: Path, stored: tuple[tuple[RuleList, str], ...]
) -> dict[str, Any]:
    return {
        "file": str(into),
        "rules": [
            {
                "list": rule.list,
                "original": rule.original,
                "rules": list(rule.rules),
                "reason": rule.reason or None,
                "note": rule.note or None,
            }
            for rule in rules
        ],
        "left_out": others,
        "stored": [{"list": in_list, "rule": text} for in_list, text in stored],
    }
