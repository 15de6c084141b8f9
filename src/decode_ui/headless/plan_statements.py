"""`decode plan append|signoff`: say something in the journal, or sign for a criterion."""

from pathlib import Path

import click

from decode_core.plans.contract import Trust
from decode_core.plans.verbs.statements import Statement, append_statement, sign_off
from decode_ui.headless.plan_context import PlanContext, ValueChoice, confirmed_by_person, object_of, pass_plan


@click.command("append")
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


@click.command("signoff")
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
