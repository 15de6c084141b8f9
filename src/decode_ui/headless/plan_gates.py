"""`decode plan gate|reuse`: run a check of a contract here, or show the run that need not be done again."""

import sys

import click

from decode_core.neutral import neutralise
from decode_core.plans.errors import ExitCode
from decode_core.plans.verbs.gate import DEFAULT_TIMEOUT_S, GateOutcome, GateRequest, declared_gates, gate, reuse
from decode_core.work_plans.gate_permission import GateQuestion, gate_permit
from decode_ui.headless.plan_context import PlanContext, pass_plan, value_of


@click.command("gate")
@click.option("--task", required=True)
@click.option("--criterion", help="The criterion to show (default with no --json: every one that a run can show).")
@click.option(
    "--json", "command", help="The command: a JSON string for a shell, or an array of words (default: approved)."
)
@click.option("--timeout", "timeout_s", type=click.FloatRange(0, min_open=True), default=DEFAULT_TIMEOUT_S)
@click.option("--selection", help="A name for the part of the tests that runs.")
@click.option("--no-reuse", is_flag=True, help="Run even if the same world was seen before.")
@pass_plan
def gate_command(
    context: PlanContext,
    *,
    task: str,
    criterion: str | None,
    command: str | None,
    timeout_s: float,
    selection: str | None,
    no_reuse: bool,
) -> None:
    """Run the approved check of a criterion here, and record what it gave.

    Without --json the checks that the contract names run, one after the other, up to the first that fails.
    """
    seconds = int(timeout_s) if timeout_s == int(timeout_s) else timeout_s
    if command is None:
        gates: list[tuple[str, object]] = [*declared_gates(context.folder, task, criterion)]
    elif criterion is None:
        raise click.UsageError("--json needs the --criterion that the command shows")
    else:
        gates = [(criterion, value_of(command))]
    permit = gate_permit(_confirm)
    for name, check in gates:
        request = GateRequest(task, name, check, seconds, selection, may_reuse=not no_reuse)
        outcome = gate(context.folder, request, context.writer, permit)
        _show_gate(context, name, outcome)
        if outcome.exit_code != 0:
            sys.exit(ExitCode.ERROR)


@click.command("reuse")
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


def _confirm(question: GateQuestion) -> bool:
    if not sys.stdin.isatty():
        return False
    click.echo(neutralise(f"This gate is about to run; {question.reason}:\n\n    {question.command}\n"), err=True)
    typed: str = click.prompt(f"Type {question.plan} to run it", err=True, default="", show_default=False)
    return typed == question.plan


def _show_gate(context: PlanContext, criterion: str, outcome: GateOutcome) -> None:
    if outcome.blocked is not None:
        way_out = "`sandbox.writable` in your settings names further folders"
        click.echo(neutralise(f"note: the sandbox blocked {outcome.blocked}; {way_out}"), err=True)
    word = "REUSED: " if outcome.reused else ""
    late = ", timed out" if outcome.timed_out else ""
    context.show(
        {"criterion": criterion, **outcome.__dict__},
        lambda: [f"{word}exit {outcome.exit_code}{late} (seq {outcome.seq}, {outcome.log})  {criterion}"],
    )
