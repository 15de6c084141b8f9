"""`decode plan`: Deep Work Plan records. Its verbs live beside this module and are imported when they are called."""

import os
from pathlib import Path

import click

from decode_core.plans.depth import depth_mark
from decode_core.plans.events import ActorKind
from decode_core.plans.ledger import CALLER, MAX_IDENTITY, Writer
from decode_core.plans.lock import DEFAULT_WAIT_S
from decode_ui.headless.plan_context import Output, PlanContext, PlanGroup, ValueChoice

MAX_WAIT_S = 3600

_HERE = "decode_ui.headless"

VERBS = {
    "init": f"{_HERE}.plan_steps:init_command",
    "import": f"{_HERE}.plan_import:import_command",
    "materialize": f"{_HERE}.plan_steps:materialize_command",
    "status": f"{_HERE}.plan_reading:status_command",
    "ready": f"{_HERE}.plan_reading:ready_command",
    "start": f"{_HERE}.plan_steps:start_command",
    "gate": f"{_HERE}.plan_gates:gate_command",
    "reuse": f"{_HERE}.plan_gates:reuse_command",
    "complete": f"{_HERE}.plan_steps:complete_command",
    "append": f"{_HERE}.plan_statements:append_command",
    "signoff": f"{_HERE}.plan_statements:signoff_command",
    "delegate": f"{_HERE}.plan_delegate:delegate",
    "project": f"{_HERE}.plan_outputs:project_command",
    "export": f"{_HERE}.plan_outputs:export_command",
    "inspect": f"{_HERE}.plan_reading:inspect_command",
    "validate": f"{_HERE}.plan_checks:validate_command",
    "doctor": f"{_HERE}.plan_checks:doctor_command",
    "config": f"{_HERE}.plan_config:config",
}
"""Every verb and where it lives, in the order of the help: along a plan's way."""


@click.group(cls=PlanGroup, places=VERBS)
@click.option("--plan", "plan_path", type=click.Path(path_type=Path), help="The plan's folder, or a file in it.")
@click.option("--force", is_flag=True, help="Break the lock of another writer.")
@click.option("--actor-kind", type=ValueChoice(ActorKind), default=ActorKind.AGENT, help="What kind of writer you are.")
@click.option("--actor-identity", default=CALLER, help="Your name in the journal.")
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
    writer = Writer(actor_kind, actor_identity, force, wait_s, depth_mark(os.environ))
    ctx.obj = PlanContext(plan_path, writer, output)
