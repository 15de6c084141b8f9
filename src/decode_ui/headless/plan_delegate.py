"""`decode plan delegate`: record launches, ends and cancellations of delegates; and list them."""

from pathlib import Path

import click

from decode_core.plans.addon_registry import read_caps
from decode_core.plans.errors import PlanError
from decode_core.plans.events import Delegation
from decode_core.plans.launch import DEFAULT_FAN_OUT
from decode_core.plans.verbs.delegate import Machine, cancel, collect, launch, observe
from decode_core.plans.verbs.reading import delegation_document
from decode_core.work_plans.gate_permission import trusting_probe
from decode_ui.headless.plan_context import PlanContext, as_json_option, object_of, pass_plan

task_option = click.option("--task", required=True, help="The task that is delegated.")
payload_option = click.option("--json", "payload", required=True, help="The delegation, as a JSON object.")


@click.group("delegate")
def delegate() -> None:
    """Record what becomes of a delegate; nothing is started or stopped by these verbs.

    A refused launch is recorded and exits 5. It is no blocker: the task can be done in this session.
    """


@delegate.command("launch")
@task_option
@payload_option
@click.option("--caps", help="Abilities of the host, as a JSON object; they never stand in for an addon.")
@click.option(
    "--brief", type=click.Path(path_type=Path), help="The text the delegate gets; it is checked and digested."
)
@click.option("--fan-out", type=click.IntRange(1, 64), default=DEFAULT_FAN_OUT, help="Open delegations at one time.")
@pass_plan
def launch_command(
    context: PlanContext, *, task: str, payload: str, caps: str | None, brief: Path | None, fan_out: int
) -> None:
    """Record a launch, before the delegate is started."""
    document, here = object_of(payload), Machine.here()
    folder, probe = context.folder, trusting_probe(context.folder.root, here.home)
    machine = Machine(here.home, here.environment, probe, None if caps is None else read_caps(caps), fan_out)
    text = None
    if brief is not None:
        try:
            text = brief.read_bytes()
        except OSError as error:
            raise PlanError(f"{brief} could not be read: {error.strerror}") from None
    _show(context, launch(folder, task, document, context.writer, machine, text))


@delegate.command("collect")
@task_option
@payload_option
@click.option("--caps", help="Checked, and otherwise without effect here.")
@pass_plan
def collect_command(context: PlanContext, *, task: str, payload: str, caps: str | None) -> None:
    """Record that a delegate completed or failed; its result is evidence of nothing until a gate has run."""
    document = object_of(payload)
    if caps is not None:
        read_caps(caps)
    _show(context, collect(context.folder, task, document, context.writer))


@delegate.command("cancel")
@task_option
@payload_option
@click.option("--caps", help="Checked, and otherwise without effect here.")
@pass_plan
def cancel_command(context: PlanContext, *, task: str, payload: str, caps: str | None) -> None:
    """Record that a delegate was cancelled."""
    document = object_of(payload)
    if caps is not None:
        read_caps(caps)
    _show(context, cancel(context.folder, task, document, context.writer))


@delegate.command("observe")
@click.option("--task", help="Only the delegations of this task.")
@as_json_option
@pass_plan
def observe_command(context: PlanContext, *, task: str | None, as_json: bool) -> None:
    """List the delegations; nothing is locked or written."""
    rows = [delegation_document(one) for one in observe(context.folder, task)]
    context.show(
        rows,
        lambda: [
            f"{row['delegation_id']}  {row['task']}  {row['state']}  {row['transport']} via {row['via']}"
            for row in rows
        ],
        as_json=as_json,
    )


def _show(context: PlanContext, event: Delegation) -> None:
    document = event.model_dump(mode="json", by_alias=True, exclude_unset=True)
    context.show(
        document, lambda: [f"delegation {event.delegation_id} of {event.task} {event.state} (seq {event.seq})"]
    )
