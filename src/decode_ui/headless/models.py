"""`decode models`: which models can be chosen, and what each still wants."""

import json
from typing import Any

import click

from decode_core.engine.model_choice import OFFLINE
from decode_core.engine.providers import PROVIDERS
from decode_core.neutral import neutralise_line
from decode_core.opening import survey
from decode_core.workspace import Workspace


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
def models_command(*, as_json: bool) -> None:
    """Models of your settings, providers and the variables that they want, and the offline model."""
    rows = list(_rows())
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    width = max(len(str(row["name"])) for row in rows)
    for row in rows:
        click.echo(neutralise_line(f"{row['name']:<{width}}  {row['state']}"))


def _rows() -> list[dict[str, Any]]:
    named = survey(Workspace.open(None)).settings.values.models
    rows: list[dict[str, Any]] = [
        {"name": name, "state": f"{model.model} at {model.base_url}" if model.base_url else model.model}
        for name, model in named.items()
    ]
    rows.append({"name": OFFLINE, "state": "always there: rules instead of a model, no network"})
    for provider in PROVIDERS:
        missing = [] if provider.is_set() else [f"set {provider.variable}"]
        if not provider.is_installed:
            missing.append(f"pip install 'pydantic-ai-slim[{provider.prefix}]'")
        rows.append({"name": provider.example, "state": "ready" if not missing else ", ".join(missing)})
    return rows
