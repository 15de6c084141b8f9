"""`decode plan import`: make a draft contract from a plan in Markdown, and say how it came about."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from decode_core.plans.errors import PlanError
from decode_core.work_plans.handover import HandedOver, hand_over, outline_of
from decode_core.workspace import Workspace
from decode_ui.headless.plan_context import PlanContext, next_steps, pass_plan, who

MAX_PLAN_BYTES = 256 * 1024


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="The name of the new plan (default: the next number and words of the title).")
@pass_plan
def import_command(context: PlanContext, *, file: Path, name: str | None) -> None:
    """Draft a contract from the steps, checks and files that the plan in FILE states; nothing is approved."""
    text = _read(file)
    done = hand_over(Workspace.open(None).root, outline_of(text), text, who(context), name=name)
    document = {
        "plan": str(done.folder.path),
        "draft": str(done.draft),
        "tasks": [{**asdict(task), "parallel_safe": task.parallel_safe} for task in done.proposal.tasks],
    }
    context.show(document, lambda: _lines(done))


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PlanError(f"{file} could not be read: {error.strerror}") from None
    if len(data) > MAX_PLAN_BYTES:
        raise PlanError(f"{file} is larger than {MAX_PLAN_BYTES // 1024} KiB; a plan that long is several plans")
    return data.decode("utf-8", errors="replace")


def _lines(done: HandedOver) -> Iterator[str]:
    yield f"drafted: {done.folder.path}"
    for task in done.proposal.tasks:
        yield ""
        yield f"step {task.step}  {task.task}  {task.title}"
        yield f"  files     {', '.join(task.surface)}"
        yield from (f"  check     {check}" for check in task.checks)
        verdict = "parallel_safe is proposed" if task.parallel_safe else "parallel_safe is not proposed, since"
        yield f"  delegate  {verdict}"
        yield from (f"            - {reason}" for reason in task.failing.values())
        yield from (f"  note      {note}" for note in task.notes)
    yield ""
    yield from next_steps(done.folder, done.draft)
