"""`decode settings`: what is set, by which file, and changes that keep the rest of the file as it is."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from decode_core.neutral import neutralise_line
from decode_core.opening import survey
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.layers import Settings
from decode_core.settings.replace import SettingsWriteError
from decode_core.settings.schema import SettingsValues, json_schema
from decode_core.settings.writing import remove_value, set_value
from decode_core.trust.storing import trust_stamp
from decode_core.workspace import Workspace

in_project = click.option("--project", is_flag=True, help="The project's .decode/settings.json instead of yours.")
as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")


@click.group()
def settings() -> None:
    """Show and change settings; keys are dotted, like limits.max_turns."""


@settings.command("list")
@as_json_option
def list_command(*, as_json: bool) -> None:
    """Every setting, its value, and which file sets it."""
    now = survey(Workspace.open(None)).settings
    rows = [{"key": key, "value": value, "source": source_of(now, key)} for key, value in flat(now.values)]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
    else:
        width = max(len(row["key"]) for row in rows)
        for row in rows:
            value = json.dumps(row["value"], ensure_ascii=False)
            click.echo(neutralise_line(f"{row['key']:<{width}}  {value}  ({row['source']})"))
    for problem in (*now.degraded, *now.warnings):
        click.echo(neutralise_line(str(problem)), err=True)


@settings.command("get")
@click.argument("key")
def get_command(key: str) -> None:
    """The value of KEY in force, as JSON."""
    value = value_at(survey(Workspace.open(None)).settings.values, key)
    click.echo(json.dumps(value, ensure_ascii=False))


@settings.command("set")
@click.argument("key")
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Remove KEY from the file, so that its default holds.")
@in_project
def set_command(key: str, value: str | None, *, unset: bool, project: bool) -> None:
    """Set KEY to VALUE (JSON, or a plain word) in your settings file."""
    if unset == (value is not None):
        raise click.UsageError("give a VALUE, or --unset")
    file, path = _file(project=project), tuple(key.split("."))
    try:
        stamp = trust_stamp(Workspace.open(None).root) if project else None
        if unset:
            result = remove_value(file, path, before_write=stamp)
        else:
            result = set_value(file, path, _parsed(value or ""), before_write=stamp)
    except SettingsWriteError as error:
        raise click.ClickException(str(error)) from None
    click.echo(
        f"{result.file}: {key} {'removed' if unset else 'set'}" if result.changed else f"{result.file}: no change"
    )


@settings.command("edit")
@in_project
def edit_command(*, project: bool) -> None:
    """Open the settings file in $VISUAL or $EDITOR, and check it afterwards."""
    now = survey(Workspace.open(None)).settings
    command = now.values.editor or os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command:
        raise click.ClickException("there is no editor; set VISUAL or EDITOR, or the setting `editor`")
    file = _file(project=project)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run([*shlex.split(command), str(file)], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise click.ClickException(f"the editor {command!r} failed: {error}") from None
    after = survey(Workspace.open(None)).settings
    for problem in (*after.degraded, *after.warnings):
        click.echo(neutralise_line(str(problem)), err=True)
    if after.degraded:
        raise click.ClickException("the file is broken; everything but reads will ask until it is mended")


@settings.command("schema")
def schema_command() -> None:
    """The JSON schema of a settings file."""
    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


def flat(values: SettingsValues) -> Iterator[tuple[str, Any]]:
    """Every key with its value; sections are opened, named entries (models, hooks …) stay objects."""
    for key, value in values.model_dump(mode="json", by_alias=True).items():
        field = next(f for name, f in SettingsValues.model_fields.items() if key in (name, f.alias))
        if isinstance(value, dict) and isinstance(field.annotation, type):
            for inner, item in value.items():
                yield f"{key}.{inner}", item
        else:
            yield key, value


def value_at(values: SettingsValues, key: str) -> Any:
    """The value of a dotted key. Raises UsageError for a key that there is not."""
    value: Any = values.model_dump(mode="json", by_alias=True)
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            raise click.UsageError(f"there is no setting {key!r}; `decode settings list` shows them all")
        value = value[part]
    return value


def source_of(now: Settings, key: str) -> str:
    """Which layer sets a key: user, project or default."""
    source = now.source_of(tuple(key.split(".")))
    return "default" if source is None else source.value


def _file(*, project: bool) -> Path:
    return project_settings_file(Workspace.open(None).root) if project else user_settings_file()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
