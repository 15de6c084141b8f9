"""`decode plan project|export`: files that are made from a plan's records."""

from pathlib import Path

import click

from decode_core.plans.verbs.outputs import export_plan, write_projection
from decode_ui.headless.plan_context import PlanContext, pass_plan


@click.command("project")
@pass_plan
def project_command(context: PlanContext) -> None:
    """Write state.json anew from contract and journal."""
    place = write_projection(context.folder, context.writer)
    context.show({"state": str(place)}, lambda: [f"written: {place}"])


@click.command("export")
@click.option("--dest", type=click.Path(path_type=Path), required=True, help="A new folder.")
@pass_plan
def export_command(context: PlanContext, *, dest: Path) -> None:
    """Copy the plan's records and evidence to a new folder, with digests."""
    done = export_plan(context.folder, dest, context.writer)
    context.show({"folder": str(done.folder), "files": done.files}, lambda: [f"{done.files} files in {done.folder}"])
