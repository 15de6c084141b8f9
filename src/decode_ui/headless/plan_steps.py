"""`decode plan init|materialize|start|complete`: the steps of a plan from its draft to its end."""

from dataclasses import replace
from pathlib import Path

import click

from decode_core.plans.contract import Mechanism
from decode_core.plans.folder import load_plan
from decode_core.plans.verbs.materialize import DRAFT_FILE, Consent, init_plan, materialize
from decode_core.plans.verbs.tasks import complete_task, start_task
from decode_core.work_plans.gate_permission import approve_here
from decode_core.workspace import Workspace
from decode_ui.headless.plan_context import PlanContext, ValueChoice, next_steps, object_in, pass_plan, who


@click.command("init")
@click.argument("name")
@pass_plan
def init_command(context: PlanContext, *, name: str) -> None:
    """Begin the plan NAME (PLAN_ and two to five words) with a README and a draft contract to edit."""
    folder = init_plan(Workspace.open(None).root, name, replace(context.writer, identity=who(context)))
    draft = folder.path / DRAFT_FILE
    context.show(
        {"plan": str(folder.path), "draft": str(draft)},
        lambda: [f"begun: {folder.path}", *next_steps(folder, draft)],
    )


@click.command("materialize")
@click.option("--contract", "draft", type=click.Path(path_type=Path), required=True, help="The contract to approve.")
@click.option("--authority", help="Who approves (default: the contract's authority).")
@click.option("--mechanism", type=ValueChoice(Mechanism), help="How (default: the contract's mechanism).")
@click.option("--note", help="A note for the approval.")
@pass_plan
def materialize_command(
    context: PlanContext, *, draft: Path, authority: str | None, mechanism: Mechanism | None, note: str | None
) -> None:
    """Approve a contract: write the manifest, the contract and the approval."""
    consent = Consent(authority, mechanism, note)
    approved = materialize(context.folder, object_in(draft), context.writer, consent)
    approve_here(load_plan(context.folder))
    for warning in approved.warnings:
        click.echo(f"warning: {warning}", err=True)
    word = "already approved" if approved.resumed else "approved"
    context.show(
        {"contract_id": approved.contract.id, "resumed": approved.resumed},
        lambda: [f"{word}: {approved.contract.id}"],
    )


@click.command("start")
@click.option("--task", required=True, help="The task to start.")
@pass_plan
def start_command(context: PlanContext, *, task: str) -> None:
    """Start a task; older evidence does not count for it."""
    started = start_task(context.folder, task, context.writer)
    word = "started" if started.is_new else "already started in this state"
    context.show(started.__dict__, lambda: [f"{task} {word} (seq {started.seq})"])


@click.command("complete")
@click.option("--task", required=True)
@pass_plan
def complete_command(context: PlanContext, *, task: str) -> None:
    """Check that a task is done: delegations closed, invariants held, every criterion shown."""
    done = complete_task(context.folder, task, context.writer)
    context.show(
        {"task": task, "completed": True, "evidence": list(done.evidence)},
        lambda: [f"{task} is complete (evidence: {', '.join(f'seq {seq}' for seq in done.evidence) or 'none needed'})"],
    )
