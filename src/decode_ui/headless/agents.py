"""`decode agents`: which agents there are, what is in one, new ones, and whether files are sound."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.loader import Catalog, validate
from decode_core.catalog.template import is_name, new_agent, renamed
from decode_core.catalog_editing.files import AgentFile, AgentFileError, read_agent_file, save_agent_file
from decode_core.config import config_dir
from decode_core.neutral import neutralise, neutralise_line
from decode_core.opening import PROJECT_FOLDER, survey
from decode_core.tools.registry import builtin_registry
from decode_core.workspace import Workspace

as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")


@click.group()
def agents() -> None:
    """List, show, make and check agents."""


@agents.command("list")
@as_json_option
def list_command(*, as_json: bool) -> None:
    """All agents: name, layer, mode, what it is for."""
    catalog = survey(Workspace.open(None)).catalog
    if as_json:
        rows = [row(agent) | {"overrides": _overrides(catalog, agent)} for agent in catalog.agents.values()]
        click.echo(json.dumps(rows, ensure_ascii=False))
    else:
        width = max((len(name) for name in catalog.agents), default=0)
        for agent in catalog.agents.values():
            line = f"{agent.name:<{width}}  {agent.layer:<8}  {agent.mode:<8}  {agent.description}"
            over = _overrides(catalog, agent)
            click.echo(neutralise_line(line + (f" (overrides {', '.join(over)})" if over else "")))
    for path in catalog.untrusted:
        click.echo(neutralise_line(f"{path}: not loaded, since this folder is not trusted"), err=True)
    for problem in (*catalog.errors, *catalog.warnings):
        click.echo(neutralise_line(str(problem)), err=True)


def _overrides(catalog: Catalog, agent: AgentDef) -> list[str]:
    """The layers whose agent of this name it takes the place of."""
    return [other.layer.value for other in catalog.overridden if other.name == agent.name]


@agents.command("show")
@click.argument("name")
@as_json_option
def show_command(name: str, *, as_json: bool) -> None:
    """One agent: its keys, its rules and its prompt."""
    agent = survey(Workspace.open(None)).catalog.get(name)
    if as_json:
        click.echo(json.dumps({**row(agent), "prompt": agent.prompt}, ensure_ascii=False))
        return
    lines = [
        f"name         {agent.name}",
        f"description  {agent.description}",
        f"file         {agent.path} ({agent.layer})",
        f"mode         {agent.mode}",
        f"tools        {', '.join(agent.tools) or 'none'}",
        *(f"{rule.list.value:<12} {rule.text}" for rule in agent.rules),
    ]
    for line in lines:
        click.echo(neutralise_line(line))
    click.echo("\n" + neutralise(agent.prompt.strip()))


@agents.command("new")
@click.argument("name")
@click.option("--from", "source", metavar="NAME", help="Begin with a copy of this agent instead of the template.")
@click.option(
    "--layer",
    type=click.Choice(["user", "project"]),
    default="project",
    show_default=True,
    help="Whose agent it is: yours in every folder, or this project's.",
)
@as_json_option
def new_command(name: str, source: str | None, layer: str, *, as_json: bool) -> None:
    """Write the file of a new agent, from the template or as a copy."""
    if not is_name(name):
        raise click.BadParameter("use a-z, 0-9 and -, at most 64 characters, the first not -", param_hint="NAME")
    workspace = Workspace.open(None)
    around = survey(workspace)
    folders = {"user": around.agent_folders.user, "project": around.agent_folders.project}
    path = (folders[layer] or config_dir()) / f"{name}.md"
    try:
        data = new_agent(name) if source is None else renamed(_source(around.catalog.get(source)), name)
        if read_agent_file(path) is not None:
            raise AgentFileError(f"{path} is there already; choose another name, or edit it")
        save_agent_file(AgentFile(path, Layer(layer), workspace.root), data, None)
    except AgentFileError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps({"name": name, "layer": layer, "path": str(path)}, ensure_ascii=False))
    else:
        click.echo(neutralise_line(str(path)))


def _source(agent: AgentDef) -> bytes:
    """The bytes of an agent's file."""
    data = read_agent_file(agent.path)
    if data is None:
        raise AgentFileError(f"{agent.path} is gone; name another agent")
    return data


@agents.command("validate")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@as_json_option
def validate_command(paths: tuple[Path, ...], *, as_json: bool) -> None:
    """Check agent files or folders (default: yours and the project's); exits 1 with `path:line:column: problem`."""
    folders = [config_dir() / "agents", Workspace.open(None).root / PROJECT_FOLDER / "agents"]
    chosen = list(paths) or [folder for folder in folders if folder.is_dir()]
    errors = validate(chosen, builtin_registry().names)
    if as_json:
        places = [{"path": str(e.path), "line": e.line, "column": e.column, "field": e.field} for e in errors]
        texts = [{"problem": e.problem, "hint": e.hint} for e in errors]
        click.echo(json.dumps([place | text for place, text in zip(places, texts, strict=True)], ensure_ascii=False))
    else:
        for error in errors:
            click.echo(neutralise_line(str(error)))
    sys.exit(1 if errors else 0)


def row(agent: AgentDef) -> dict[str, Any]:
    """An agent as plain data, without its prompt."""
    return {
        "name": agent.name,
        "description": agent.description,
        "layer": agent.layer,
        "path": str(agent.path),
        "mode": agent.mode,
        "model": agent.model,
        "tools": list(agent.tools),
        "rules": [{"list": rule.list, "text": rule.text, "line": rule.line} for rule in agent.rules],
        "subagent": agent.subagent,
        "max_turns": agent.max_turns,
    }
