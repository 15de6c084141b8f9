"""`decode plan`: Deep Work Plan records. This module holds the verbs that move a plan along; others are beside it."""

import sys
from pathlib import Path

import click

from decode_core.plans.contract import Mechanism, Trust
from decode_core.plans.errors import ExitCode
from decode_core.plans.events import ActorKind
from decode_core.plans.ledger import Writer
from decode_core.plans.lock import DEFAULT_WAIT_S
from decode_core.plans.verbs.gate import DEFAULT_TIMEOUT_S, GateOutcome, GateRequest, gate, reuse
from decode_core.plans.verbs.materialize import DRAFT_FILE, MAX_IDENTITY, Consent, init_plan, materialize
from decode_core.plans.verbs.statements import Statement, append_statement, sign_off
from decode_core.plans.verbs.tasks import complete_task, start_task
from decode_core.workspace import Workspace
from decode_ui.headless.plan_config import config
from decode_ui.headless.plan_context import (
    Output,
    PlanContext,
    PlanGroup,
    ValueChoice,
    confirmed_by_person,
    object_in,
    object_of,
    pass_plan,
    value_of,
)
from decode_ui.headless.plan_delegate import delegate
from decode_ui.headless.plan_permission import denial_of
from decode_ui.headless.plan_reading import READING_COMMANDS

MAX_WAIT_S = 3600


@click.group(cls=PlanGroup)
@click.option("--plan", "plan_path", type=click.Path(path_type=Path), help="The plan's folder, or a file in it.")
@click.option("--force", is_flag=True, help="Break the lock of another writer.")
@click.option("--actor-kind", type=ValueChoice(ActorKind), default=ActorKind.AGENT, help="What kind of writer you are.")
@click.option("--actor-identity", default="caller", help="Your name in the journal.")
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(0, MAX_WAIT_S),
    default=DEFAULT_WAIT_S,
    help="Seconds to wait for the lock.",
)
@click.option("--output", type=ValueChoice(Output), default=Output.TEXT, help="Lines or JSON.")
@click.pass_context
def plan(
    ctx: click.Context,
    *,
    plan_path: Path | None,
    force: bool,
    actor_kind: ActorKind,
    actor_identity: str,
    wait_s: float,
    output: Output,
) -> None:
    """Keep the records of a Deep Work Plan: what was approved, what was done, and what proves it.

    Exit codes: 0 done; 1 error or failing gate; 2 usage, or a journal that changed meanwhile; 3 start refused;
    4 completion refused; 5 delegation refused.
    """
    if not 1 <= len(actor_identity) <= MAX_IDENTITY:
        raise click.UsageError(f"--actor-identity has 1 to {MAX_IDENTITY} characters")
    writer = Writer(kind=actor_kind, identity=actor_identity, force=force, wait_s=wait_s)
    ctx.obj = PlanContext(plan_path, writer, output)


@plan.command("init")
@click.argument("name")
@pass_plan
def init_command(context: PlanContext, *, name: str) -> None:
    """Begin the plan NAME (PLAN_ and two to five words) with a README and a draft contract to edit."""
    folder = init_plan(Workspace.open(None).root, name, context.writer)
    draft = folder.path / DRAFT_FILE
    context.show(
        {"plan": str(folder.path), "draft": str(draft)},
        lambda: [
            f"begun: {folder.path}",
            f"edit {draft}, then: decode plan --plan {folder.path} materialize --contract {draft}",
        ],
    )


@plan.command("materialize")
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
    for warning in approved.warnings:
        click.echo(f"warning: {warning}", err=True)
    word = "already approved" if approved.resumed else "approved"
    context.show(
        {"contract_id": approved.contract.id, "resumed": approved.resumed},
        lambda: [f"{word}: {approved.contract.id}"],
    )


@plan.command("start")
@click.option("--task", required=True, help="The task to start.")
@pass_plan
def start_command(context: PlanContext, *, task: str) -> None:
    """Start a task; older evidence does not count for it."""
    started = start_task(context.folder, task, context.writer)
    word = "started" if started.is_new else "already started in this state"
    context.show(started.__dict__, lambda: [f"{task} {word} (seq {started.seq})"])


@plan.command("gate")
@click.option("--task", required=True)
@click.option("--criterion", required=True)
@click.option("--json", "command", required=True, help="The command: a JSON string for a shell, or an array of words.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(0, min_open=True), default=DEFAULT_TIMEOUT_S)
@click.option("--selection", help="A name for the part of the tests that runs.")
@click.option("--no-reuse", is_flag=True, help="Run even if the same world was seen before.")
@pass_plan
def gate_command(
    context: PlanContext,
    *,
    task: str,
    criterion: str,
    command: str,
    timeout_s: float,
    selection: str | None,
    no_reuse: bool,
) -> None:
    """Run the approved check of a criterion here, and record what it gave."""
    seconds = int(timeout_s) if timeout_s == int(timeout_s) else timeout_s
    request = GateRequest(task, criterion, value_of(command), seconds, selection, may_reuse=not no_reuse)
    _end_gate(context, gate(context.folder, request, context.writer, denial_of))


@plan.command("reuse")
@click.option("--task", required=True)
@click.option("--criterion")
@click.option("--json", "command", required=True, help="The command, as for gate.")
@click.option("--selection")
@pass_plan
def reuse_command(
    context: PlanContext, *, task: str, criterion: str | None, command: str, selection: str | None
) -> None:
    """Show the run that a gate would reuse; exit 1 when there is none."""
    found = reuse(context.folder, GateRequest(task, criterion or "", value_of(command), selection=selection), criterion)
    if found is None:
        context.show({"reusable": False}, lambda: ["no evidence in this world; the gate would run"])
        sys.exit(ExitCode.ERROR)
    context.show(
        {"reusable": True, **found.__dict__}, lambda: [f"seq {found.seq}: exit {found.exit_code} ({found.log})"]
    )


@plan.command("complete")
@click.option("--task", required=True)
@pass_plan
def complete_command(context: PlanContext, *, task: str) -> None:
    """Check that a task is done: delegations closed, invariants held, every criterion shown."""
    done = complete_task(context.folder, task, context.writer)
    context.show(
        {"task": task, "completed": True, "evidence": list(done.evidence)},
        lambda: [f"{task} is complete (evidence: {', '.join(f'seq {seq}' for seq in done.evidence) or 'none needed'})"],
    )


@plan.command("append")
@click.option("--type", "kind", required=True, help="The type of the event.")
@click.option("--json", "payload", required=True, help="The event's own fields, as a JSON object.")
@click.option("--trust", type=ValueChoice(Trust))
@click.option("--evidence-path")
@click.option("--note")
@click.option("--idempotent", is_flag=True, help="Add nothing if the last event of this type says the same.")
@click.option("--human-note", type=click.Path(path_type=Path), help="For a person: a file that shows they were there.")
@pass_plan
def append_command(
    context: PlanContext,
    *,
    kind: str,
    payload: str,
    trust: Trust | None,
    evidence_path: str | None,
    note: str | None,
    idempotent: bool,
    human_note: Path | None,
) -> None:
    """Add an event; gate runs, delegations, approvals and repairs have their own verbs."""
    statement = Statement(
        kind,
        object_of(payload),
        trust,
        evidence_path,
        note,
        once=idempotent,
        human_note=human_note,
        confirmed=human_note is None and confirmed_by_person(context),
    )
    said = append_statement(context.folder, statement, context.writer)
    context.show(
        said.__dict__, lambda: [f"{kind} {'recorded' if said.is_new else 'already recorded'} (seq {said.seq})"]
    )


@plan.command("signoff")
@click.option("--criterion", required=True)
@click.option("--evidence-path", required=True, help="What was signed: a file in the plan or the repository.")
@click.option("--authority", required=True, help="Who signs.")
@click.option("--task", help="The task, where several own the criterion.")
@pass_plan
def signoff_command(
    context: PlanContext, *, criterion: str, evidence_path: str, authority: str, task: str | None
) -> None:
    """Record a person's word for a criterion; it is asserted, never observed."""
    said = sign_off(context.folder, criterion, evidence_path, authority, context.writer, task)
    context.show(said.__dict__, lambda: [f"{criterion} signed off by {authority} (seq {said.seq})"])


def _end_gate(context: PlanContext, outcome: GateOutcome) -> None:
    word = "REUSED: " if outcome.reused else ""
    late = ", timed out" if outcome.timed_out else ""
    context.show(outcome.__dict__, lambda: [f"{word}exit {outcome.exit_code}{late} (seq {outcome.seq}, {outcome.log})"])
    sys.exit(ExitCode.OK if outcome.exit_code == 0 else ExitCode.ERROR)


plan.add_command(delegate)
plan.add_command(config)
for reading_command in READING_COMMANDS:
    plan.add_command(reading_command)
