"""`decode plan config`: the addon registry and what the host can do."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from decode_core.plans.addon_descriptors import Ability, shipped_keys
from decode_core.plans.addon_detection import effective_abilities
from decode_core.plans.addon_registry import Registry, config_file, load_registry, set_addon, set_host_ability
from decode_core.plans.errors import ExitCode
from decode_core.work_plans.gate_permission import trusting_probe
from decode_core.workspace import Workspace
from decode_ui.headless.plan_context import PlanContext, ValueChoice, as_json_option, pass_plan

user_option = click.option("--user", is_flag=True, help="Your own ~/.dwp/config.json instead of the repository's.")


@click.group("config")
def config() -> None:
    """Show and change which addons may carry delegates, and what this host can do."""


@config.command("show")
@as_json_option
@pass_plan
def show_command(context: PlanContext, *, as_json: bool) -> None:
    """The registry, and the abilities that it and this machine give now."""
    root, registry = _root(context), _registry(context)
    abilities = effective_abilities(registry, trusting_probe(root, Path.home()))
    document = {
        "file": str(config_file(root)),
        "addons": {
            key: {"enabled": entry.enabled, "source": entry.source.value, "version": entry.version, "note": entry.note}
            for key, entry in registry.addons.items()
        },
        "host": {ability.value: value for ability, value in registry.host.items()},
        "abilities": {ability.value: list(abilities.sources.get(ability, ())) for ability in Ability},
        "deferred": list(abilities.deferred),
    }
    context.show(document, lambda: _lines(document), as_json=as_json)
    for warning in abilities.warnings:
        click.echo(f"warning: {warning}", err=True)


@config.command("enabled")
@click.argument("key")
@pass_plan
def enabled_command(context: PlanContext, *, key: str) -> None:
    """Whether the addon KEY is enabled; exit 1 if it is not."""
    is_enabled = _registry(context).is_enabled(key)
    context.show({"key": key, "enabled": is_enabled}, lambda: [f"{key}: {'enabled' if is_enabled else 'not enabled'}"])
    sys.exit(ExitCode.OK if is_enabled else ExitCode.ERROR)


@config.command("enable")
@click.argument("key")
@click.option("--version", "version", help="The product's tag, vX.Y.Z.")
@click.option("--note", help="One line on the decision.")
@user_option
@pass_plan
def enable_command(context: PlanContext, *, key: str, version: str | None, note: str | None, user: bool) -> None:
    """Enable the addon KEY."""
    _set(context, key, enabled=True, version=version, note=note, user=user)


@config.command("disable")
@click.argument("key")
@click.option("--note", help="One line on the decision.")
@user_option
@pass_plan
def disable_command(context: PlanContext, *, key: str, note: str | None, user: bool) -> None:
    """Disable the addon KEY."""
    _set(context, key, enabled=False, version=None, note=note, user=user)


@config.command("host")
@click.argument("ability", type=ValueChoice(Ability))
@click.argument("value", type=bool)
@user_option
@pass_plan
def host_command(context: PlanContext, *, ability: Ability, value: bool, user: bool) -> None:
    """Say whether this host has an ABILITY; your own file wins over the repository's."""
    folder = Path.home() if user else _root(context)
    set_host_ability(folder, ability, value=value)
    context.show({"ability": ability.value, "value": value}, lambda: [f"{config_file(folder)}: {ability} = {value}"])


@config.command("keys")
@as_json_option
@pass_plan
def keys_command(context: PlanContext, *, as_json: bool) -> None:
    """The addons that this program knows."""
    keys = shipped_keys()
    context.show(keys, lambda: keys, as_json=as_json)


def _root(context: PlanContext) -> Path:
    return Workspace.open(None).root if context.plan is None else context.folder.root


def _registry(context: PlanContext) -> Registry:
    return load_registry(_root(context), Path.home())


def _set(context: PlanContext, key: str, *, enabled: bool, version: str | None, note: str | None, user: bool) -> None:
    folder = Path.home() if user else _root(context)
    set_addon(folder, key, enabled=enabled, version=version, note=note)
    if key not in shipped_keys():
        click.echo(f"warning: this program knows no addon {key!r}; the entry has no effect here", err=True)
    word = "enabled" if enabled else "disabled"
    context.show({"key": key, "enabled": enabled}, lambda: [f"{config_file(folder)}: {key} {word}"])


def _lines(document: Mapping[str, object]) -> list[str]:
    addons, abilities = document["addons"], document["abilities"]
    lines = [f"registry: {document['file']}"]
    if isinstance(addons, dict):
        lines += [
            f"  {key:<12} {'enabled' if entry['enabled'] else 'disabled'} ({entry['source']})"
            for key, entry in addons.items()
        ]
    if isinstance(abilities, dict):
        lines += [f"  {name:<18} {', '.join(sources)}" for name, sources in abilities.items() if sources]
    return lines
