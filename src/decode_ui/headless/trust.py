"""`decode trust`: what a folder brings that would have effect, and the person's word for it (permissions.md §9)."""

import json
import sys
from collections.abc import Collection
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from decode_core.catalog.folders import agent_files
from decode_core.catalog.loader import builtin_folder
from decode_core.neutral import neutralise_line
from decode_core.tools.registry import builtin_registry
from decode_core.trust.content import read_content
from decode_core.trust.effects import Effect, effects, tightening_rules
from decode_core.trust.folder import FolderTrust, Standing, look_at
from decode_core.trust.loaded import load_content
from decode_core.trust.record import TrustError, TrustRecord
from decode_core.workspace import Workspace

TOLD = {
    Standing.NOTHING: "it brings nothing that would have effect",
    Standing.TRUSTED: "trusted, as it stands",
    Standing.UNTRUSTED: "not trusted: only its deny and ask rules count",
}


@click.command("trust")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--show", is_flag=True, help="Only list what would count.")
@click.option("--revoke", is_flag=True, help="Trust nothing of this folder any more.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def trust_command(directory: Path | None, *, show: bool, revoke: bool, as_json: bool) -> None:
    """Let what DIRECTORY brings count: settings, agents, servers, hooks, skills and commands.

    DIRECTORY is by default the enclosing git repository, else the current folder. Trust is for just the bytes that are
    there now: whatever loosens anything later is asked about again.
    """
    if show and revoke:
        raise click.UsageError("--show only looks and --revoke changes; choose one")
    root = Workspace.open(directory).root
    try:
        if revoke:
            sys.exit(_revoke(root, as_json=as_json))
        trust = look_at(root)
        if not show and trust.standing is Standing.UNTRUSTED:
            TrustRecord().trust(trust.content)
            trust = FolderTrust(trust.content, Standing.TRUSTED)
    except TrustError as error:
        raise click.ClickException(str(error)) from None
    _show(trust, as_json=as_json)


def trust_workspace(root: Path) -> None:
    """Trust the folder as it stands, for `--trust-workspace`. Raises ClickException."""
    content = read_content(root)
    if content.is_empty:
        return
    try:
        TrustRecord().trust(content)
    except TrustError as error:
        raise click.ClickException(str(error)) from None


def _revoke(root: Path, *, as_json: bool) -> int:
    changed = TrustRecord().revoke(root)
    if as_json:
        click.echo(json.dumps({"folder": str(root), "revoked": changed}, ensure_ascii=False))
    elif changed:
        click.echo(neutralise_line(f"{root}: nothing of it is trusted any more"))
    else:
        click.echo(neutralise_line(f"{root}: nothing of it was trusted"))
    return 0


def _show(trust: FolderTrust, *, as_json: bool) -> None:
    loaded = load_content(trust.content, builtin_registry().names)
    found, tightening = effects(loaded, _builtin_agents()), tightening_rules(loaded)
    if as_json:
        click.echo(json.dumps(_row(trust, found, tightening), ensure_ascii=False))
        return
    click.echo(neutralise_line(f"{trust.content.root}: {TOLD[trust.standing]}"))
    if trust.content.refused:
        click.echo(neutralise_line(f"  it cannot be trusted: {trust.content.refused}"))
    for kind, group in groupby(found, key=lambda effect: effect.kind):
        click.echo(f"\n{kind.value}")
        for effect in group:
            click.echo(neutralise_line(f"  {effect.text}  ({place_of(effect)})"))
    if tightening:
        rules = "1 deny or ask rule" if tightening == 1 else f"{tightening} deny and ask rules"
        click.echo(f"\nin any case: {rules}")
    if trust.problem:
        click.echo(f"decode: {neutralise_line(trust.problem)}", err=True)


def place_of(effect: Effect) -> str:
    """File and line of an effect, for people."""
    return effect.file if effect.line is None else f"{effect.file}:{effect.line}"


def _builtin_agents() -> Collection[str]:
    return [path.stem for path in agent_files(builtin_folder())[0]]


def _row(trust: FolderTrust, found: tuple[Effect, ...], tightening: int) -> dict[str, Any]:
    content = trust.content
    return {
        "folder": str(content.root),
        "standing": trust.standing,
        "digest": None if content.is_empty else content.digest,
        "refused": content.refused or None,
        "effects": [{"kind": e.kind.name.lower(), "text": e.text, "file": e.file, "line": e.line} for e in found],
        "deny_and_ask_rules": tightening,
    }
